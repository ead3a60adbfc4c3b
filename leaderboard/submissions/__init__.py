"""Writes submissions, scores them again, and describes them for a pull request."""
