"""Derives the tables of WordNet."""
