"""Derives the table of look-alikes."""
