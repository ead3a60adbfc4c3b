"""The recipe: its keys, its file, its paths, and the options that replace parts of it."""
