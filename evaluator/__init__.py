"""Predicts and scores: predictions files, metrics, uncertainty, results. Scoring needs no torch."""
