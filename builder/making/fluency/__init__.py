"""Derives the threshold of the fluency filter from cases that people and models have read."""
