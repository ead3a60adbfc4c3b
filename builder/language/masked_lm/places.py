"""Reads many places of a text with few passes: words far from each other are masked together."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from builder.language.masked_lm.model import Floats, WideRow, load_model

# The model learned with about every fifth word masked: of the places asked about, so many are masked apart,
# and at most so many together.
N_APART = 5
MOST_TOGETHER = 8

Answer = TypeVar("Answer")


class Span(NamedTuple):
    """Where a word stands in a text."""

    start: int
    end: int


def read_places(
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    read: Callable[[int, int, Floats], Answer],
    masked_lm: str,
) -> list[list[Answer]]:
    """Return for each span of each text what `read` makes of the log-probabilities of all pieces there.

    `read` is given the number of the text and that of the span. The spans of a text follow each other.
    """
    model = load_model(masked_lm)
    rows: list[WideRow] = []
    owners: list[tuple[int, list[int]]] = []
    for number, (text, of_text) in enumerate(zip(texts, spans, strict=True)):
        for chosen in _together(len(of_text)):
            rows.append(model.wide_row(text, [of_text[place] for place in chosen]))
            owners.append((number, chosen))

    def read_row(row: int, place: int, logs: Floats) -> Answer:
        number, chosen = owners[row]
        return read(number, chosen[place], logs)

    answers: list[dict[int, Answer]] = [{} for _ in texts]
    for (number, chosen), of_row in zip(owners, model.read_wide(rows, read_row), strict=True):
        answers[number].update(zip(chosen, of_row, strict=True))
    return [[of_text[place] for place in range(len(of_text))] for of_text in answers]


def _together(n_spans: int) -> list[list[int]]:
    """Return the numbers of spans that are masked together."""
    groups = [list(range(first, n_spans, N_APART)) for first in range(min(N_APART, n_spans))]
    return [
        group[start : start + MOST_TOGETHER]
        for group in groups
        for start in range(0, len(group), MOST_TOGETHER)
    ]
