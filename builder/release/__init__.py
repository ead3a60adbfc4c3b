"""Freezes, documents, publishes and imports releases."""
