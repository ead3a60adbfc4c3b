"""Scatters tokens that say nothing over a parsed text, at the edges of its words, phrases and clauses."""
