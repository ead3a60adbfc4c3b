"""Scores a classifier as a detector of one label, at thresholds that let few false positives through."""
