"""The commands of the leaderboard, and what they print with `--json`."""
