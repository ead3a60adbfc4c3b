"""Turns published benchmarks into releases. One file a benchmark."""
