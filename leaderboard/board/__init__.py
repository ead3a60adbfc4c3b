"""Collects results into a leaderboard and ranks them."""
