"""Worst-hit cases: the mildest cases that a model gets wrong though it is right on the clean text.

Without clean predictions, as in AdvGLUE's own submissions, all cases with a wrong answer are used.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Self

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.machine.hashes import hash_of_file
from contract.predictions.reading import Group, Predictions, ReleaseRows, read_predictions
from contract.predictions.row_lists import RowLists, all_right, codes_of
from contract.schema.manifest import TaskInfo
from contract.schema.names import degree_key
from contract.schema.records import Record, records_of
from contract.schema.results import Result
from contract.task_kinds import TASK_KINDS
from leaderboard.view.examples import MarkedText, Segment, mark_edits

# Stands for the labels of a row that has many, where an answer is right in all of them.
ALL_RIGHT = 1
COLUMNS_READ = ("id", "sample_id", "label", "realised_degree")
CASES_SHOWN = 4
# Characters of unchanged text that are kept on either side of an edit, and of an edit itself.
KEPT_AROUND = 220
KEPT_OF_EDIT = 700
MOST_CHARACTERS_OF_LABELS = 300

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelAnswers:
    """The predictions of one model; `place` is its index among the models of the report."""

    place: int
    predictions: Predictions


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of a model to a case and, if predicted, to the clean text of its sample."""

    place: int
    label: str
    sureness: str
    is_right: bool
    clean_label: str | None
    clean_sureness: str
    is_clean_right: bool


@dataclass(frozen=True, kw_only=True)
class HitCase:
    """A case that some model gets wrong, with its edits marked and the answers of all models."""

    id: str
    sample_id: str
    task: str
    setting: str
    degree: str
    realised_degree: str
    label: str
    originals: tuple[MarkedText, ...]
    texts: tuple[MarkedText, ...]
    answers: tuple[Answer, ...]

    @property
    def is_clean_known(self) -> bool:
        """Whether any model has a prediction for the clean text."""
        return any(answer.clean_label is not None for answer in self.answers)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Columns:
    """The columns by which cases are chosen, one value for each row of the release."""

    labels: Integers
    degrees: NDArray[np.float64]
    realised: NDArray[np.float64]

    @classmethod
    def of(cls, rows: ReleaseRows) -> Self:
        """Return the columns of all rows; an undefined degree counts as 0."""
        degrees = np.array([split.degree or 0.0 for split in rows.splits])
        return cls(
            labels=_labels(rows),
            degrees=np.repeat(degrees, np.diff(rows.bounds)),
            realised=pc.fill_null(rows.table["realised_degree"], 0.0).to_numpy(),
        )


def _labels(rows: ReleaseRows) -> Integers:
    """Return the true label of each row; of rows that have many, ALL_RIGHT."""
    labels: Integers = rows.table["label"].to_numpy()
    return labels if rows.lists is None else np.where(rows.lists.lengths > 0, ALL_RIGHT, labels)


def _judged(model: ModelAnswers, rows: ReleaseRows) -> ModelAnswers:
    """Return the answers with ALL_RIGHT, or another label, for rows that have many."""
    predictions = model.predictions
    if rows.lists is None or predictions.lists is None:
        return model
    labels = predictions.labels
    is_listed = (rows.lists.lengths > 0) & (labels >= 0)
    right = np.where(all_right(rows.lists, predictions.lists), ALL_RIGHT, 0)
    return replace(model, predictions=replace(predictions, labels=np.where(is_listed, right, labels)))


def read_answers(rows: ReleaseRows, results: Sequence[Result], paths: Sequence[Path]) -> list[ModelAnswers]:
    """Return the predictions of the models for which a file is given; a file of no result is an error."""
    expected = {result.predictions.sha256 for result in results}
    read: dict[str, Predictions] = {}
    for path in paths:
        # A missing file is reported by read_predictions; what cannot be of these results need not be read.
        sha256 = hash_of_file(path) if path.is_file() else ""
        if sha256 in expected or not sha256:
            predictions = read_predictions(path, rows)
            sha256 = predictions.sha256
            read[sha256] = predictions
        if sha256 not in expected:
            raise bad_input(
                f"{path}: sha256 {sha256[:12]}… is not that of the predictions of any result given here;"
                " give the same file that the result was scored from"
            )
    return [
        ModelAnswers(place=place, predictions=read[result.predictions.sha256])
        for place, result in enumerate(results)
        if result.predictions.sha256 in read
    ]


def worst_hit(rows: ReleaseRows, models: Sequence[ModelAnswers]) -> dict[str, tuple[HitCase, ...]]:
    """Return a few cases of each dimension, first those that some model gets right, then the mildest."""
    models = [_judged(model, rows) for model in models]
    columns = _Columns.of(rows)
    chosen: dict[str, list[list[int]]] = defaultdict(list)
    clean_groups = {group.task: group for group in rows.groups if group.is_clean}
    clean_row_of: dict[int, int] = {}
    for group in rows.groups:
        if group.is_clean:
            continue
        clean_rows = _clean_rows(rows, group, clean_groups.get(group.task))
        n_labels = len(rows.release.manifest.task(group.task).labels)
        candidates = _candidates(group, columns, clean_rows, models)
        is_usable = _is_between(columns.labels[group.start : group.stop], 0, n_labels)
        places = candidates[is_usable[candidates]]
        samples = pc.fill_null(rows.table["sample_id"].slice(group.start, len(is_usable)).take(places), "")
        _, first = np.unique(samples.to_numpy(), return_index=True)
        picked = [int(row) + group.start for row in places[np.sort(first)][:CASES_SHOWN]]
        clean_row_of.update({row: int(clean_rows[row - group.start]) for row in picked})
        chosen[group.dimension].append(picked)
    shown = {
        # One case of every task and setting, then a second one of each, and so on.
        name: [row for turn in zip_longest(*lists) for row in turn if row is not None][:CASES_SHOWN]
        for name, lists in chosen.items()
    }
    records = _records(rows, sorted(row for of_dimension in shown.values() for row in of_dimension))
    return {
        name: tuple(_hit_case(records[row], row, clean_row_of[row], rows, models) for row in of_dimension)
        for name, of_dimension in shown.items()
    }


def _clean_rows(rows: ReleaseRows, group: Group, clean: Group | None) -> Integers:
    """Return for each case of a group the row of its sample's clean text, -1 if there is none."""
    if clean is None:
        return np.full(group.stop - group.start, -1)
    samples = rows.table["sample_id"]
    of_clean = samples.slice(clean.start, clean.stop - clean.start).combine_chunks()
    of_cases = samples.slice(group.start, group.stop - group.start)
    in_clean: Integers = (
        pc.fill_null(pc.index_in(of_cases, value_set=of_clean), -1).to_numpy().astype(np.int64)
    )
    return np.where(in_clean < 0, -1, in_clean + clean.start)


def _candidates(
    group: Group, columns: _Columns, clean_rows: Integers, models: Sequence[ModelAnswers]
) -> Integers:
    """Return the indices in the group of the cases that some model loses, in the order in which to show them.

    A model loses a case if its answer is wrong and its answer to the clean text is right. If no case is lost,
    return those with a wrong answer from a model without a clean prediction.
    """
    span = slice(group.start, group.stop)
    labels = columns.labels[span]
    is_lost, is_wrong, is_held = (np.zeros(len(labels), np.bool_) for _ in range(3))
    for model in models:
        answers = model.predictions.labels
        if answers[group.start] < 0:
            # The model has no predictions for this group.
            continue
        is_right = answers[span] == labels
        clean = np.where(clean_rows >= 0, answers[clean_rows], -1)
        is_lost |= ~is_right & (clean == labels)
        is_wrong |= ~is_right & (clean < 0)
        is_held |= is_right
    order = np.lexsort((np.arange(len(labels)), columns.realised[span], columns.degrees[span], ~is_held))
    return order[(is_lost if is_lost.any() else is_wrong)[order]]


def _is_between(values: Integers, low: int, high: int) -> Booleans:
    return np.asarray((values >= low) & (values < high))


def _records(rows: ReleaseRows, wanted: Sequence[int]) -> dict[int, Record]:
    """Return the records of a few rows; reads only the splits that contain them."""
    by_split: dict[int, list[int]] = defaultdict(list)
    for row in wanted:
        by_split[_split_of(rows, row)].append(row)
    records: dict[int, Record] = {}
    rows.release.prepare(rows.splits[index] for index in by_split)
    for index, of_split in by_split.items():
        table = rows.release.table(rows.splits[index])
        taken = table.take([row - int(rows.bounds[index]) for row in of_split])
        records.update(zip(of_split, records_of(taken), strict=True))
    return records


def _split_of(rows: ReleaseRows, row: int) -> int:
    """Return the index of the split that contains a row."""
    return int(np.searchsorted(rows.bounds, row, side="right")) - 1


def _hit_case(
    record: Record, row: int, clean_row: int, rows: ReleaseRows, models: Sequence[ModelAnswers]
) -> HitCase:
    # Task, setting and degree are those of the manifest, even if the rows differ.
    split = rows.splits[_split_of(rows, row)]
    task = rows.release.manifest.task(split.task)
    label = ALL_RIGHT if rows.lists is not None and rows.lists.lengths[row] else record.label
    before, after = ([side(record, name) for name in ("text", "text_pair")] for side in (_before, _after))
    return HitCase(
        id=record.id,
        sample_id=record.sample_id,
        task=split.task,
        setting=split.setting or "",
        degree="" if split.degree is None else degree_key(split.degree),
        realised_degree="" if record.realised_degree is None else f"{record.realised_degree:.3f}",
        label=_words(rows.lists, row, task, label),
        originals=tuple(marked for marked in before if marked.segments),
        texts=tuple(marked for marked in after if marked.segments),
        answers=tuple(
            _answer(model, row, clean_row, task, label)
            for model in models
            if model.predictions.labels[row] >= 0
        ),
    )


def _words(lists: RowLists | None, row: int, task: TaskInfo, label: int) -> str:
    """Return a label, or the labels of a row that has many."""
    kind = TASK_KINDS[task.kind].lists
    if lists is None or kind is None:
        return task.labels[label]
    return kind.words(codes_of(lists, row), task)[:MOST_CHARACTERS_OF_LABELS]


def _answer(model: ModelAnswers, row: int, clean_row: int, task: TaskInfo, label: int) -> Answer:
    predictions = model.predictions
    said = int(predictions.labels[row])
    said_clean = int(predictions.labels[clean_row]) if clean_row >= 0 else -1
    is_asked = said_clean >= 0
    return Answer(
        place=model.place,
        label=_words(predictions.lists, row, task, said),
        sureness=_sureness(predictions, row, said),
        is_right=said == label,
        clean_label=_words(predictions.lists, clean_row, task, said_clean) if is_asked else None,
        clean_sureness=_sureness(predictions, clean_row, said_clean) if is_asked else "",
        is_clean_right=said_clean == label,
    )


def _sureness(predictions: Predictions, row: int, label: int) -> str:
    """Return the probability that a model gave to its answer, or "" if it gave none."""
    probabilities = predictions.probabilities
    is_listed = predictions.lists is not None and predictions.lists.lengths[row] > 0
    return "" if probabilities is None or is_listed else f"{100 * probabilities[row, label]:.0f} %"


def _before(record: Record, name: str) -> MarkedText:
    """Return the original text of a field, shortened at the same positions as the case."""
    original: str = getattr(record, f"original_{name}") or ""
    after = _after(record, name).segments
    if any(segment.kind != "same" for segment in after):
        kept = "".join(segment.text for segment in after if segment.kind != "added")
        return MarkedText(field=name, segments=(Segment(kind="same", text=kept),))
    return MarkedText(
        field=name, segments=condensed([Segment(kind="same", text=original)] if original else [])
    )


def _after(record: Record, name: str) -> MarkedText:
    """Return the text of a field in the case, with its edits marked if they are known."""
    text: str = getattr(record, name) or ""
    original: str | None = getattr(record, f"original_{name}")
    edits = [edit for field, edit in record.edits if field == name]
    if original is not None and edits:
        return MarkedText(field=name, segments=condensed(mark_edits(original, edits)))
    return MarkedText(field=name, segments=condensed([Segment(kind="same", text=text)] if text else []))


def condensed(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Return the segments, with unchanged text far from any edit left out."""
    last = len(segments) - 1
    return tuple(
        Segment(kind=segment.kind, text=_cut(segment, index == 0, index == last), title=segment.title)
        for index, segment in enumerate(segments)
    )


def _cut(segment: Segment, is_first: bool, is_last: bool) -> str:  # noqa: FBT001
    text = segment.text
    if segment.kind != "same":
        return text if len(text) <= KEPT_OF_EDIT else f"{text[:KEPT_OF_EDIT]}…"
    if len(text) <= 2 * KEPT_AROUND + 3:
        return text
    if is_first and is_last:
        return f"{text[: 2 * KEPT_AROUND]}…"
    head = "" if is_first else text[:KEPT_AROUND]
    tail = "" if is_last else text[-KEPT_AROUND:]
    return f"{head} … {tail}"
