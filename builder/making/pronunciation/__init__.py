"""Derives the tables of pronunciation."""
