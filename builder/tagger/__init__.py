"""The project's one part-of-speech tagger."""

from builder.tagger.tagging import Token, tag, tag_words

__all__ = ["Token", "tag", "tag_words"]
