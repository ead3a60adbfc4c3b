"""Classifiers that a build used as surrogates, found in the cache by the hash of their weights."""
