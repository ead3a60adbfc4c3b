"""Submissions on disk: written, checked again, described for a pull request."""
