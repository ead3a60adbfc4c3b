"""Rewrites a text by transformations, one after another, and checks each result."""
