"""The sentence encoder, its cache, and the resources that a recipe names."""
