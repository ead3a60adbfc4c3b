"""What transformations are written with: statements of a parsed text, drafts, articles, style, word lists."""
