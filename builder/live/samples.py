"""The samples of an audit: as many of each label, drawn by a seed; the other rows tell its typical words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.tasks.file import FILE
from builder.tasks.labels import check_rows, label_index, label_names
from builder.tasks.task import MOST_LABELS_OF_A_PRODUCT, Task
from builder.tasks.task_recipe import ReadOptions
from builder.values.samples import DataRow, draw_samples, in_hash_order, letters_and_digits, remove_overlap
from contract.machine.errors import bad_input
from contract.schema.manifest import TaskInfo, TextField

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
LONGEST_NAME = 40


@dataclass(frozen=True, kw_only=True)
class DataChoice:
    """Which rows are audited, and how they are read."""

    path: Path
    options: ReadOptions
    # More rows to learn typical words from, read in the same way; none: the file's other rows.
    train_path: Path | None = None
    # The labels in their order; none: those that the file has.
    labels: tuple[str, ...] = ()
    n_samples: int = 200
    seed: int = 0
    perturbed: TextField = "text"


@dataclass(frozen=True, kw_only=True)
class AuditData:
    """The task of an audit; its samples stand so that any number of the first is balanced by label."""

    task: Task
    n_rows: int
    # How many samples each label has.
    n_by_label: dict[str, int]


def read_data(choice: DataChoice) -> AuditData:
    """Return the samples and the rows that are left; no row is both."""
    raw = FILE.read(str(choice.path), choice.options)
    labels = label_names(raw, choice.labels, {})
    check_rows(raw.rows, labels, {})
    rows = [
        DataRow(row=row.row, text=row.text, text_pair=row.text_pair, label=index)
        for row in raw.rows
        if (index := label_index(row.label, labels, {})) is not None
    ]
    name = task_name(choice.path)
    drawn, others = _balanced(in_hash_order(rows, choice.seed), len(labels), choice.n_samples)
    n_by_label = {label: sum(row.label == index for row in drawn) for index, label in enumerate(labels)}
    if sum(map(bool, n_by_label.values())) < 2:
        raise bad_input(f"{choice.path}: an audit needs rows of two labels or more; found {n_by_label}")
    source, train_name = f"file:{choice.path.name}", name
    if choice.train_path is not None:
        raw_train = FILE.read(str(choice.train_path), choice.options)
        check_rows(raw_train.rows, labels, {})
        others = [
            DataRow(row=row.row, text=row.text, text_pair=row.text_pair, label=index)
            for row in raw_train.rows
            if (index := label_index(row.label, labels, {})) is not None
        ]
        source, train_name = f"file:{choice.train_path.name}", f"{name}-train"
    keys = {letters_and_digits(row.text, row.text_pair) for row in drawn}
    kept = remove_overlap(others, keys, task=name, source=source)
    columns = choice.options.columns
    fields = [columns.text] + ([] if columns.text_pair is None else [columns.text_pair])
    info = TaskInfo(
        name=name,
        labels=labels,
        fields=tuple(str(field) for field in fields),
        perturbed=choice.perturbed,
        mean="above-chance" if len(labels) > MOST_LABELS_OF_A_PRODUCT else "geometric",
        source=f"file:{choice.path.name}",
        source_sha256=raw.sha256,
        licence="not stated",
        n_samples=len(drawn),
        n_train=len(kept.rows),
    )
    task = Task(
        info=info,
        samples=[row.to_sample(name) for row in drawn],
        train=[row.to_sample(train_name) for row in kept.rows],
        overlap=kept.overlap,
    )
    return AuditData(task=task, n_rows=len(rows), n_by_label=n_by_label)


def task_name(path: Path) -> str:
    """Return a name for the task, made of the file's."""
    name = _NOT_IN_NAMES.sub("-", path.name.split(".")[0].lower()).strip("-")[:LONGEST_NAME].strip("-")
    return name or "data"


def _balanced(rows: Sequence[DataRow], n_labels: int, n: int) -> tuple[list[DataRow], list[DataRow]]:
    """Return n rows, one of each label in turn until a label has no more, and all others."""
    different = draw_samples(rows, len(rows))
    in_turns = list(_in_turns(different.samples, n_labels))
    return in_turns[:n], [*in_turns[n:], *different.others]


def _in_turns(rows: Sequence[DataRow], n_labels: int) -> Iterator[DataRow]:
    by_label = [[row for row in rows if row.label == label] for label in range(n_labels)]
    for place in range(max(map(len, by_label), default=0)):
        yield from (of_label[place] for of_label in by_label if place < len(of_label))
