"""Writes sites and reports from templates."""
