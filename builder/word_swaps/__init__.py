"""Swaps of whole words: which words can be replaced, and which swaps keep grammar and meaning."""
