"""What all packages agree on: the values of a release, its files, predictions, results, and errors."""
