"""The part-of-speech tagger."""

from builder.language.tagger.tagging import Token, tag, tag_words

__all__ = ["Token", "tag", "tag_words"]
