"""Rows of tagging tasks: a list of tokens and a list of as many labels."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from builder.operations.dimension import AnyDimension, ProbabilityDimension, SentenceDimension
from builder.tasks.listed.listed_kind import BadRecordError, Codes, ListedKind, ListedRow
from contract.task_kinds.tagging import SEPARATOR, TAGGING

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions, TaskRecipe

# Stands for white space inside a token, which single spaces part from the next.
_INNER_SPACE = "\u00a0"

Marks = tuple[tuple[str, int | None], ...]


def marked(record: Mapping[Any, Any], options: "ReadOptions") -> tuple[str, str | None, Marks]:
    """Return the tokens of a record as a text, and its tags."""
    columns = options.columns
    tokens, tags = (_texts(record, column) for column in (columns.text, columns.label))
    if len(tokens) != len(tags):
        raise BadRecordError(f"{len(tokens)} tokens and {len(tags)} labels; expected one label a token")
    joined = [_INNER_SPACE.join(token.split()) for token in tokens]
    if not all(joined):
        raise BadRecordError("a token is empty; give every token a form")
    return SEPARATOR.join(joined), None, tuple((tag, 1) for tag in tags)


def _texts(record: Mapping[Any, Any], column: object) -> list[str]:
    value = record.get(column)
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise BadRecordError(
            f"column {column!r} holds {str(value)[:40]!r}, expected a list of texts; read.columns names the"
            " columns of tokens (text) and of their labels (label)"
        )
    return value


def codes(row: ListedRow, labels: Sequence[str]) -> Codes:
    """Return the index of each token's label."""
    places = {label: place for place, label in enumerate(labels)}
    unknown = next((tag for tag, _ in row.marks if tag not in places), None)
    if unknown is not None:
        raise BadRecordError(
            f"unknown label {unknown[:60]!r}, expected one of {', '.join(labels)}; add it to label_map or"
            " labels"
        )
    return tuple(places[tag] for tag, _ in row.marks)


def labels(rows: Sequence[ListedRow], _options: "ReadOptions") -> list[str]:
    """Return all labels of tokens."""
    return sorted({tag for row in rows for tag, _ in row.marks})


def problem(recipe: "TaskRecipe") -> str:
    """Return why a task cannot be tagging."""
    return "tagging is about one text, leave text_pair out" if recipe.read.columns.text_pair else ""


def takes(dimension: AnyDimension) -> bool:
    """Tell whether the cases of a dimension have as many tokens as their originals."""
    if isinstance(dimension, SentenceDimension):
        return False
    return not isinstance(dimension, ProbabilityDimension) or dimension.keeps_words


TAGGING_ROWS = ListedKind(
    name=TAGGING.name,
    marked=marked,
    codes=codes,
    labels=labels,
    problem=problem,
    takes=takes,
    why_not="changes how many tokens a text has, and every token has its label",
)
