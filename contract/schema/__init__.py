"""The values that cross a border: rows, manifests, results, leaderboards, and how they are named."""
