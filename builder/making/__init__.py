"""Trains and derives the data files that ship with the builder; not part of the wheel."""
