"""Finds the columns of a data file that hold texts and labels, by their names and by what they hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.registry import did_you_mean

TEXT_NAMES = ("text", "sentence", "review", "comment_text", "comment", "content", "tweet", "message", "body")
LABEL_NAMES = ("label", "labels", "target", "class", "category", "sentiment", "toxic", "gold_label", "y")
# The two texts of tasks about pairs, as data sets call them.
PAIRS = (
    ("premise", "hypothesis"),
    ("sentence1", "sentence2"),
    ("question1", "question2"),
    ("question", "sentence"),
    ("text", "text_pair"),
)
MOST_LABELS = 100
# A column with fewer rows a value than this says something else about each row.
FEWEST_ROWS_A_LABEL = 2
# Texts are longer than this on average.
FEWEST_CHARACTERS = 15


@dataclass(frozen=True, kw_only=True)
class FoundColumns:
    """The columns with the text, with its partner in tasks about pairs, and with the label."""

    text: str
    text_pair: str | None
    label: str | None


def find_columns(
    rows: Sequence[Mapping[Any, Any]],
    place: object,
    *,
    text: str | None = None,
    text_pair: str | None = None,
    label: str | None = None,
    needs_label: bool = True,
) -> FoundColumns:
    """Return the columns as they were named, or the likeliest; refuse a name that no column has."""
    if not rows:
        raise bad_input(f"{place}: holds no rows")
    names = [str(name) for name in rows[0]]
    for name in (text, text_pair, label):
        if name is not None and name not in names:
            raise UserError(
                f"{place}: no column {name!r};{did_you_mean(name, names)} it has: {', '.join(names)}",
                exit_code=ExitCode.WRONG_USE,
            )
    if text is None and text_pair is None:
        text, text_pair = _pair(names) or (None, None)
    found = label or _label(rows, [name for name in names if name not in {text, text_pair}])
    others = [name for name in names if name not in {found, text_pair}]
    chosen = text or _text(rows, others)
    if chosen is None:
        raise UserError(
            f"{place}: no column looks like texts; name it with --text. It has: {', '.join(names)}",
            exit_code=ExitCode.WRONG_USE,
        )
    if found is None and needs_label:
        raise UserError(
            f"{place}: no column looks like labels; name it with --label. It has: {', '.join(names)}",
            exit_code=ExitCode.WRONG_USE,
        )
    return FoundColumns(text=chosen, text_pair=text_pair, label=found)


def _pair(names: Sequence[str]) -> tuple[str, str] | None:
    return next((pair for pair in PAIRS if set(pair) <= set(names)), None)


def _label(rows: Sequence[Mapping[Any, Any]], names: Sequence[str]) -> str | None:
    """Return the column that is called like labels, or the one with the fewest values."""
    kinds = {name: {str("" if row[name] is None else row[name]) for row in rows} - {""} for name in names}
    most = max(2, min(MOST_LABELS, len(rows) // FEWEST_ROWS_A_LABEL))
    likely = [name for name in names if 2 <= len(kinds[name]) <= most]
    named = _named(likely, LABEL_NAMES)
    return named or min(likely, key=lambda name: len(kinds[name]), default=None)


def _text(rows: Sequence[Mapping[Any, Any]], names: Sequence[str]) -> str | None:
    """Return the column that is called like texts, or the one with the longest."""
    lengths = {name: _mean_length(row[name] for row in rows) for name in names}
    likely = [name for name in names if lengths[name]]
    named = _named(likely, TEXT_NAMES)
    longest = max(likely, key=lambda name: lengths[name], default=None)
    return named or (longest if longest is not None and lengths[longest] >= FEWEST_CHARACTERS else None)


def _named(names: Sequence[str], wanted: Sequence[str]) -> str | None:
    by_name = {name.casefold(): name for name in reversed(names)}
    return next((by_name[name] for name in wanted if name in by_name), None)


def _mean_length(values: Iterable[Any]) -> float:
    texts = [value for value in values if isinstance(value, str)]
    return sum(map(len, texts)) / len(texts) if texts else 0.0
