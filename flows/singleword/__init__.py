"""What one word can do to a model: the command and what it prints."""
