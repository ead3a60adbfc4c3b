"""The command line: which commands there are, and the parts that `list` shows."""
