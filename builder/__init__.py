"""Makes releases."""
