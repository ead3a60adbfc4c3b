"""A sampled search for models without gradients: words drawn at random, each tried at every position.

What it says of a drawn word is exact; ρ over the drawn words is an estimate of that over all.
"""

from collections.abc import Callable, Sequence

import numpy as np

from builder.singleword.brute_force import brute_force_row
from builder.singleword.matrix import Matrix, Votes
from builder.singleword.sentences import Sentence

# Words of the first round; each further one has twice as many, up to the most.
FIRST_WORDS, MOST_WORDS = 1, 64


def sampled_matrix(
    sentences: Sequence[Sentence],
    words: Sequence[str],
    votes: Votes,
    *,
    seed: int,
    goes_on: Callable[[int], bool],
    stop: type[Exception],
) -> Matrix | None:
    """Return the columns of as many words as there was time for; None if there was none for any.

    `goes_on` is told how many questions the next round may take; `stop` is what votes raise at the end.
    """
    order = np.random.default_rng(seed).permutation(len(words)).tolist()
    n_positions = sum(len(sentence.positions) for sentence in sentences)
    drawn: list[str] = []
    columns = []
    n_questions, size = 0, FIRST_WORDS
    while len(drawn) < len(words) and goes_on(size * n_positions):
        some = [words[place] for place in order[len(drawn) : len(drawn) + size]]
        try:
            rows = [brute_force_row(sentence, some, votes) for sentence in sentences]
        except stop:
            # A round that is not finished says less of some texts than of others.
            break
        drawn += some
        columns.append(np.array([row.is_flipped for row in rows]))
        n_questions += sum(row.n_questions for row in rows)
        size = min(2 * size, MOST_WORDS)
    if not drawn:
        return None
    is_flipped = np.concatenate(columns, axis=1)
    return Matrix(words=tuple(drawn), is_flipped=is_flipped, is_safe=~is_flipped, n_questions=n_questions)
