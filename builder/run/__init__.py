"""Runs a build: pipeline.py shows the whole flow."""
