"""The judge: how likely it is that a reader accepts one word in the place of another."""

from collections.abc import Sequence

import numpy as np

from builder.language.masked_lm.model import PACKAGED
from builder.language.substitution.features import Matrix
from builder.language.substitution.places import Substitution, rows_of
from builder.language.substitution.trees import load_trees

MOST_REMEMBERED = 200_000

_remembered: dict[tuple[str, str, Substitution], float] = {}


def scores(
    text: str, swaps: Sequence[Substitution | tuple[int, int, str]], masked_lm: str = PACKAGED
) -> Matrix:
    """Return for each swap of a text how likely it is acceptable, from 0 to 1."""
    return scores_of([text], [swaps], masked_lm)[0]


def scores_of(
    texts: Sequence[str],
    swaps: Sequence[Sequence[Substitution | tuple[int, int, str]]],
    masked_lm: str = PACKAGED,
) -> list[Matrix]:
    """Return the scores of the swaps of many texts; equal ones are computed once in a process."""
    if len(_remembered) > MOST_REMEMBERED:
        _remembered.clear()
    asked = [[Substitution(*swap) for swap in of_text] for of_text in swaps]
    new: dict[str, dict[Substitution, None]] = {}
    for text, of_text in zip(texts, asked, strict=True):
        for swap in of_text:
            if (masked_lm, text, swap) not in _remembered:
                new.setdefault(text, {})[swap] = None
    rows = rows_of(list(new), [list(of_text) for of_text in new.values()], masked_lm)
    for (text, of_new), of_rows in zip(new.items(), rows, strict=True):
        values = load_trees().probabilities(of_rows).tolist()
        _remembered.update(
            ((masked_lm, text, swap), value) for swap, value in zip(of_new, values, strict=True)
        )
    return [
        np.array([_remembered[masked_lm, text, swap] for swap in of_text], dtype=np.float64)
        for text, of_text in zip(texts, asked, strict=True)
    ]
