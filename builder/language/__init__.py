"""English: tags, parses, senses, sounds, word forms, gap filling, and syntactic transformations."""
