"""Shouting: a dimension for Hardfrost."""
