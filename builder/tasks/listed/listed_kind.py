"""What a reader of rows with many labels is: records of a data source in; texts with codes out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builder.operations.dimension import AnyDimension

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions, TaskRecipe

Codes = tuple[int | None, ...]


class BadRecordError(Exception):
    """A record that cannot become a row; collected, never raised to the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRow:
    """One row as the data source has it: a text and the marks from which its codes are made.

    A mark is a label's name, and whether it holds: none where nobody judged it.
    """

    row: int
    place: str
    text: str
    text_pair: str | None = None
    marks: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, kw_only=True)
class ListedKind:
    """How the rows of a kind of task are read."""

    name: str
    # The text, its partner if any, and the marks of a record.
    marked: Callable[
        [Mapping[Any, Any], "ReadOptions"], tuple[str, str | None, tuple[tuple[str, int | None], ...]]
    ]
    # The codes of a row's marks, given the task's labels; a name that is no label is an error.
    codes: Callable[[ListedRow, Sequence[str]], Codes]
    # The labels where the recipe does not list them.
    labels: Callable[[Sequence[ListedRow], "ReadOptions"], list[str]]
    # Why a recipe's task cannot be of this kind; nothing if it can be.
    problem: Callable[["TaskRecipe"], str] = lambda _recipe: ""
    # Whether cases of a dimension keep what is labelled.
    takes: Callable[[AnyDimension], bool] = lambda _dimension: True
    # What to say of dimensions that it does not take.
    why_not: str = ""


def text_of(record: Mapping[Any, Any], column: object) -> str:
    """Return the text of a column."""
    if column not in record:
        names = ", ".join(map(str, list(record)[:20]))
        raise BadRecordError(f"no column {column!r}; its columns are: {names}")
    value = record[column]
    if not isinstance(value, str):
        raise BadRecordError(f"column {column!r} holds a {type(value).__name__}, expected text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadRecordError(f"column {column!r} holds half of a character; correct the text") from None
    return value
