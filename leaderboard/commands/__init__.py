"""The leaderboard's commands. One file a group of commands."""
