"""Trains the masked language model."""
