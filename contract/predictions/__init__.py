"""Predictions files: read, matched with a release by id, every problem reported."""
