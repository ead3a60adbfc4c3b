"""Tools for any program: errors, files, hashes, caches, locks, memory, progress, registries."""
