"""Target templates: forms that a sentence can have, and the transformations that give it one of them."""
