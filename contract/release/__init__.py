"""A release on disk: opened, written, verified, compared, summarised."""
