"""The matrix of which word flips which text, as far as a search has seen it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifiers.machinery.classifier import TextPair

Bools = NDArray[np.bool_]
# Texts in, the labels that a classifier gives them out.
Votes = Callable[[Sequence[TextPair]], Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """What is known of one text: for each word whether it flips the answer, or surely does not."""

    # Some position was found at which the word flips the answer.
    is_flipped: Bools
    # The answer stays at every position.
    is_safe: Bools
    # Texts that the classifier was asked about, passes for gradients not counted.
    n_questions: int = 0


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """One row a text, one column a word; what is neither flipped nor safe is not known."""

    words: tuple[str, ...]
    is_flipped: Bools
    is_safe: Bools
    n_questions: int = 0

    def __post_init__(self) -> None:
        if self.is_flipped.size == 0 or self.is_flipped.shape != self.is_safe.shape:
            raise ValueError("a matrix of no texts or no words has no shares")
        if (self.is_flipped & self.is_safe).any():
            raise ValueError("a word cannot both flip a text and be safe in it")

    @property
    def is_exact(self) -> bool:
        """Whether all of it is known."""
        return bool((self.is_flipped | self.is_safe).all())


def matrix_of(words: Sequence[str], rows: Sequence[Row]) -> Matrix:
    """Return the matrix of finished rows."""
    shape = (len(rows), len(words))
    return Matrix(
        words=tuple(words),
        is_flipped=np.array([row.is_flipped for row in rows], np.bool_).reshape(shape),
        is_safe=np.array([row.is_safe for row in rows], np.bool_).reshape(shape),
        n_questions=sum(row.n_questions for row in rows),
    )
