"""Reads the rows of tasks with many labels a text: records of a data source become texts with codes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from builder.tasks.data_source import DataSource, RawRecord
from builder.tasks.file import EMPTY_TEXT
from builder.tasks.listed import LISTED_KINDS
from builder.tasks.listed.listed_kind import BadRecordError, ListedRow
from builder.values.samples import DataRow
from contract.machine.errors import bad_input, bad_inputs
from contract.schema.checked_text import checked_line
from contract.schema.records import NO_LABEL

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions, TaskRecipe


@dataclass(frozen=True, kw_only=True)
class ListedRows:
    """All rows of a data source of a task with many labels a text."""

    rows: list[ListedRow]
    sha256: str
    licence: str | None


def read_listed(
    source: DataSource, argument: str, options: "ReadOptions", recipe: "TaskRecipe"
) -> ListedRows:
    """Return the rows, or one error that names every record that is none."""
    if source.read_records is None:
        raise bad_input(
            f"task {recipe.name}: {source.name} has one label a text; a {recipe.kind} task needs another"
            " data source"
        )
    raw = source.read_records(argument, options, recipe.kind)
    rows, problems = [], []
    for record in raw.records:
        try:
            rows += _row(record, options, recipe)
        except BadRecordError as fault:
            problems.append(f"{record.place}: {fault}")
    if problems:
        raise bad_inputs(problems)
    if not rows:
        raise bad_input(f"{source.name}:{argument}: holds no labelled rows")
    return ListedRows(rows=rows, sha256=raw.sha256, licence=raw.licence)


def _row(record: RawRecord, options: "ReadOptions", recipe: "TaskRecipe") -> list[ListedRow]:
    """Return the row of a record; nothing where its text is empty and such rows are dropped."""
    if isinstance(record.record, str):
        raise BadRecordError(record.record)
    text, pair, marks = LISTED_KINDS[recipe.kind].marked(record.record, options)
    if not text.strip() or (pair is not None and not pair.strip()):
        if options.empty == "drop":
            return []
        raise BadRecordError(EMPTY_TEXT)
    renamed = tuple((recipe.label_map.get(name, name), value) for name, value in marks)
    return [ListedRow(row=record.row, place=record.place, text=text, text_pair=pair, marks=renamed)]


def listed_labels(rows: Sequence[ListedRow], recipe: "TaskRecipe") -> tuple[str, ...]:
    """Return the task's labels: as the recipe lists them, or as found."""
    if recipe.labels:
        return tuple(recipe.labels)
    found = LISTED_KINDS[recipe.kind].labels(rows, recipe.read)
    names = list(dict.fromkeys(recipe.label_map.get(name, name) for name in found))
    if len(names) < 2:
        raise bad_input(
            f"task {recipe.name}: {len(names)} different labels found, expected 2 or more; does read.columns"
            " name the right columns?"
        )
    try:
        return tuple(map(checked_line, names))
    except ValueError as error:
        raise bad_input(f"task {recipe.name}: a label of the data: {error}") from None


def coded_rows(rows: Sequence[ListedRow], labels: Sequence[str], recipe: "TaskRecipe") -> list[DataRow]:
    """Return the rows with their codes; an unknown label is refused, or its row dropped."""
    kind, coded, problems = LISTED_KINDS[recipe.kind], [], []
    for row in rows:
        try:
            codes = kind.codes(row, labels)
        except BadRecordError as fault:
            problems.append(f"{row.place}: {fault}")
            continue
        coded.append(
            DataRow(row=row.row, text=row.text, text_pair=row.text_pair, label=NO_LABEL, codes=codes)
        )
    if problems and recipe.read.unknown == "refuse":
        raise bad_inputs(problems)
    return coded


def joined(first: ListedRows, more: Sequence[ListedRows], sha256: str) -> ListedRows:
    """Return the rows of several data sources, numbered on from one to the next."""
    rows = list(first.rows)
    for of_source in more:
        start = rows[-1].row + 1
        rows += [replace(row, row=start + row.row) for row in of_source.rows]
    return replace(first, rows=rows, sha256=sha256)
