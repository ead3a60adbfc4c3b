"""Tells how far the ranks of some results depend on what their release was made of."""
