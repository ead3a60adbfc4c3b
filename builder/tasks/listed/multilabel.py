"""Rows of multilabel tasks: a column for each label, or one column with a list of those that hold."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from builder.tasks.listed.listed_kind import BadRecordError, Codes, ListedKind, ListedRow, text_of
from contract.task_kinds.multilabel import HOLDS, HOLDS_NOT, MULTILABEL

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions, TaskRecipe

_VALUES: dict[str, int | None] = {
    "1": HOLDS,
    "1.0": HOLDS,
    "true": HOLDS,
    "yes": HOLDS,
    "0": HOLDS_NOT,
    "0.0": HOLDS_NOT,
    "false": HOLDS_NOT,
    "no": HOLDS_NOT,
    "": None,
    "null": None,
    "none": None,
    "nan": None,
}

Marks = tuple[tuple[str, int | None], ...]


def marked(record: Mapping[Any, Any], options: "ReadOptions") -> tuple[str, str | None, Marks]:
    """Return the texts of a record and its marks."""
    columns = options.columns
    text = text_of(record, columns.text)
    pair = None if columns.text_pair is None else text_of(record, columns.text_pair)
    if columns.labels:
        return text, pair, tuple((str(column), _value(record, column)) for column in columns.labels)
    return text, pair, tuple((name, HOLDS) for name in _names(record, columns.label))


def _value(record: Mapping[Any, Any], column: object) -> int | None:
    """Return whether the label of a column holds; a record without the column has not judged it."""
    value = record.get(column)
    word = "" if value is None else str(int(value) if isinstance(value, bool) else value).strip().casefold()
    if word not in _VALUES:
        raise BadRecordError(
            f"column {column!r} holds {str(value)[:40]!r}, expected 1 or 0, or nothing where nobody judged"
        )
    return _VALUES[word]


def _names(record: Mapping[Any, Any], column: object) -> list[str]:
    if column not in record:
        raise BadRecordError(
            f"no column {column!r}; name one column a label under read.columns.labels,"
            " or the one that lists labels as read.columns.label"
        )
    value = record[column]
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise BadRecordError(f"column {column!r} is no JSON list: {value[:40]!r}") from None
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise BadRecordError(f"column {column!r} holds {str(value)[:40]!r}, expected a list of label names")
    if len(set(value)) != len(value):
        raise BadRecordError(f"column {column!r} names a label twice; name it once")
    return value


def codes(row: ListedRow, labels: Sequence[str]) -> Codes:
    """Return for each label whether it holds; what a list does not name does not."""
    values = dict(row.marks)
    unknown = sorted(set(values) - set(labels))
    if unknown:
        raise BadRecordError(
            f"unknown label {unknown[0][:60]!r}, expected one of {', '.join(labels)}; add it to labels"
        )
    return tuple(values.get(label, HOLDS_NOT) for label in labels)


def labels(rows: Sequence[ListedRow], options: "ReadOptions") -> list[str]:
    """Return the columns of labels, or all names that rows list."""
    if options.columns.labels:
        return [str(column) for column in options.columns.labels]
    return sorted({name for row in rows for name, _ in row.marks})


def problem(recipe: "TaskRecipe") -> str:
    """Return why a task cannot be multilabel."""
    columns = recipe.read.columns.labels
    if recipe.label_map and not columns:
        return "label_map renames the columns of read.columns.labels; without these, name labels as they are"
    if columns and recipe.labels and not recipe.label_map and list(map(str, columns)) != list(recipe.labels):
        return "labels must be the columns of read.columns.labels in their order; rename them with label_map"
    return ""


MULTILABEL_ROWS = ListedKind(name=MULTILABEL.name, marked=marked, codes=codes, labels=labels, problem=problem)
