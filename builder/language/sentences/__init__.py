"""Sentences of a text: where they begin and end, neutral ones to append, and paraphrases."""
