"""Classifiers that a build has used, found again by the hash of their weights."""
