"""What is known of English: tags, parses, senses, sounds, forms, and syntactic transformations."""
