"""Units of work: what they are, how a build is cut into them, and where they are stored."""
