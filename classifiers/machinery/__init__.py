"""What several kinds stand on: inference, caches, networks, gradients, chat."""
