"""Turns published benchmarks into releases: AdvGLUE, and sets that people wrote."""
