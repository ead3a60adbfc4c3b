"""Computes the values that templates show."""
