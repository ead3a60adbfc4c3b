"""Attacks one given model on samples of a data file; the cases are a small release of their own."""
