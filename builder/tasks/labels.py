"""Turns the labels of a data source into the labels of a task."""

from collections.abc import Iterable, Sequence

from builder.tasks.data_source import RawRow, RawRows
from contract.machine.errors import bad_input, bad_inputs
from contract.schema.checked_text import checked_line

MOST_LABELS = 1000
# Python refuses to read integers of thousands of digits.
MOST_DIGITS = 100


def label_names(raw: RawRows, labels: Sequence[str] | None, label_map: dict[str, str]) -> tuple[str, ...]:
    """Return the task's labels: as the recipe lists them, as the data source states them, or as found."""
    if labels:
        return tuple(labels)
    if raw.labels:
        return _checked(raw.labels)
    names = {label_map.get(row.label, row.label) for row in raw.rows if row.label}
    if not 2 <= len(names) <= MOST_LABELS:
        raise bad_input(
            f"{len(names)} different labels found ({', '.join(sorted(names)[:5])}),"
            f" expected 2 to {MOST_LABELS}; is read.columns.label the right column?"
        )
    return tuple(
        sorted(
            _checked(names),
            key=lambda label: (not label.isdecimal(), int(label) if label.isdecimal() else 0, label),
        )
    )


def _checked(labels: Iterable[str]) -> tuple[str, ...]:
    """Return labels that a release can hold."""
    try:
        return tuple(map(checked_line, labels))
    except ValueError as error:
        raise bad_input(f"a label of the data: {error}; is read.columns.label the right column?") from None


def label_index(label: str, labels: Sequence[str], label_map: dict[str, str]) -> int | None:
    """Return the index of the label that a raw label stands for: mapped, by name, or as an index itself."""
    name = label_map.get(label, label)
    if name in labels:
        return labels.index(name)
    whole = name.removesuffix(".0")
    if not label_map and whole.isdecimal() and len(whole) <= MOST_DIGITS and int(whole) < len(labels):
        return int(whole)
    return None


def check_rows(rows: Sequence[RawRow], labels: Sequence[str], label_map: dict[str, str]) -> None:
    """Raise one error that names every row whose label is empty or unknown."""
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
