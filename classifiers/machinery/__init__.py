"""Code that several kinds share: inference, caches, networks, gradients, chat."""
