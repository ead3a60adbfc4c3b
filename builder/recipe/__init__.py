"""The recipe: its schema, its file, and how it names tasks and surrogates."""
