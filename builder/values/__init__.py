"""Samples, seeded randomness, and the words typical of each class of a task."""
