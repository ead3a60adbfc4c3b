"""Attacks of TextAttack on our sources, and our dimensions as its transformations."""

PREFIX = "textattack:"
