"""Turns a release and predictions into a result."""
