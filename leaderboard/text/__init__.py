"""Text and numbers as pages show them."""
