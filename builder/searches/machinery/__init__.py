"""What several searches share: walks through edits, rewrites sorted into bins, attacks."""
