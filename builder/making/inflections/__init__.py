"""Derives the table of inflected forms."""
