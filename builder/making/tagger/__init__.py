"""Trains the tagger."""
