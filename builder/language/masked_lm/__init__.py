"""The masked language model: what could stand in a text's gap, and how likely it is."""

from builder.language.masked_lm.filling import (
    Gap,
    GapScores,
    ScoredWord,
    fill_gaps,
    score_gaps,
    score_words,
    vocabulary_of,
)

__all__ = ["Gap", "GapScores", "ScoredWord", "fill_gaps", "score_gaps", "score_words", "vocabulary_of"]
