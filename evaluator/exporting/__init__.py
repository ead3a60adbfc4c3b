"""Releases as the tasks of other people's harnesses."""
