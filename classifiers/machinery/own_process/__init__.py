"""Runs a user's Python function in a process of its own, where no name or version of ours can clash."""
