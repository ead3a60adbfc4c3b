"""Holds and checks the thesaurus of general English, from which the list of synonyms is to be derived."""
