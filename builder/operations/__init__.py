"""What a dimension is, and the operations on characters and words that it proposes."""
