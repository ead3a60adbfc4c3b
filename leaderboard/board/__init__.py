"""Collects results, keys and ranks them."""
