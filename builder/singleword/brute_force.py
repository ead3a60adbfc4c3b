"""Brute force: every word at every position of a text, until the word flips the answer."""

from collections.abc import Sequence

import numpy as np

from builder.singleword.matrix import Row, Votes
from builder.singleword.sentences import Sentence

# Texts that are asked about at a time.
CHUNK = 2048


def brute_force_row(sentence: Sentence, words: Sequence[str], votes: Votes) -> Row:
    """Return the whole truth about one text; a word that has flipped it is not tried again."""
    is_flipped = np.zeros(len(words), np.bool_)
    n_questions = 0
    for position in range(len(sentence.positions)):
        left = np.flatnonzero(~is_flipped)
        for start in range(0, len(left), CHUNK):
            chunk = left[start : start + CHUNK]
            answers = votes([sentence.with_word(position, words[index]) for index in chunk.tolist()])
            n_questions += len(chunk)
            is_flipped[chunk] = np.asarray(answers) != sentence.label
    return Row(is_flipped=is_flipped, is_safe=~is_flipped, n_questions=n_questions)
