"""What a source is, and how raw labels become the task's labels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contract.machine.errors import bad_input, bad_inputs

if TYPE_CHECKING:
    from builder.recipe.task_recipe import Reading

MOST_LABELS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRow:
    """One row as the source has it; `place` is what an error message should say."""

    row: int
    place: str
    text: str
    text_pair: str | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRows:
    """All rows of a source, the label names it states itself, and the hash of its content."""

    rows: list[RawRow]
    labels: tuple[str, ...] | None
    sha256: str
    licence: str | None = None


@dataclass(frozen=True, kw_only=True)
class Source:
    """A kind of source; recipes write NAME or NAME:ARGUMENT."""

    name: str
    summary: str
    read: Callable[[str, "Reading"], RawRows]


def label_names(raw: RawRows, labels: Sequence[str] | None, label_map: dict[str, str]) -> tuple[str, ...]:
    """Return the task's labels: as the recipe lists them, as the source states them, or as found."""
    if labels:
        return tuple(labels)
    if raw.labels:
        return raw.labels
    found = {label_map.get(row.label, row.label) for row in raw.rows if row.label}
    if not 2 <= len(found) <= MOST_LABELS:
        raise bad_input(
            f"{len(found)} different labels found ({', '.join(sorted(found)[:5])}),"
            f" expected 2 to {MOST_LABELS}; is read.columns.label the right column?"
        )
    return tuple(
        sorted(found, key=lambda label: (not label.isdigit(), int(label) if label.isdigit() else 0, label))
    )


def label_index(label: str, labels: Sequence[str], label_map: dict[str, str]) -> int | None:
    """Return the index that a raw label stands for: mapped, by name, or as an index itself."""
    name = label_map.get(label, label)
    if name in labels:
        return labels.index(name)
    whole = name.removesuffix(".0")
    if not label_map and whole.isdigit() and int(whole) < len(labels):
        return int(whole)
    return None


def check_rows(rows: Sequence[RawRow], labels: Sequence[str], label_map: dict[str, str]) -> None:
    """Refuse, all together and by line, rows whose label is empty or unknown."""
    problems = []
    for row in rows:
        if not row.label:
            problems.append(
                f"{row.place}: the label is empty; fill it in, or say `unlabelled: drop` under read"
            )
        elif label_index(row.label, labels, label_map) is None:
            problems.append(
                f"{row.place}: unknown label {row.label[:60]!r}, expected one of {', '.join(labels)};"
                " add it to label_map or labels"
            )
    if problems:
        raise bad_inputs(problems)
