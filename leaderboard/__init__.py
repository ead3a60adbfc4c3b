"""Turns results into a leaderboard and a leaderboard into a static site."""
