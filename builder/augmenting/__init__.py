"""Perturbs people's own texts with the generators of the dimensions, for a look or for training."""
