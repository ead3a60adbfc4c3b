"""Moves releases: archives, downloads, the Hub."""
