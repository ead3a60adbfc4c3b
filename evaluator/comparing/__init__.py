"""Compares two predictions files in pairs."""
