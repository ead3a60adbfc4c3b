"""WordNet as the builder needs it: senses, synonyms, opposites and fixed phrases, in tables of our own."""
