"""The judge of substitutions: how likely a word can stand for another in its text."""

from builder.language.substitution.judge import scores, scores_of
from builder.language.substitution.places import Substitution

__all__ = ["Substitution", "scores", "scores_of"]
