"""Trains the parser."""
