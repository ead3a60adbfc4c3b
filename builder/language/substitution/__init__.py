"""The judge of substitutions: how likely a word can stand for another in its text."""

from builder.language.substitution.judge import Substitution, scores, scores_of

__all__ = ["Substitution", "scores", "scores_of"]
