"""Runs a classifier over a release and writes its predictions."""
