"""The values that packages exchange as files: rows, manifests, results, leaderboards, and their names."""
