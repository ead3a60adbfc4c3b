"""Holds and checks the thesaurus of general English, and derives the shipped table from it."""
