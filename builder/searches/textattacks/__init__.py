"""TextAttack as a part: its attacks on our sources, and our dimensions as its transformations."""

PREFIX = "textattack:"
