"""What a case of the audit's benchmark must pass to count, and the sheets on which people read the cases."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from builder.dimensions import DIMENSIONS
from builder.dimensions.synonym import THRESHOLDS
from builder.filters import FILTERS
from builder.filters.filter import FilterContext
from builder.label_guard.guards import Guard
from builder.language.substitution import Substitution, scores_of
from builder.models.resources import Resources
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.recipe.recipe import DEFAULT_FILTERS
from builder.tasks.task import Task
from builder.word_swaps.listed import LISTED
from contract.schema.edits import Edit, changed_words, words_of
from contract.schema.records import Record

DESCRIPTION = "sentence of a movie review: positive or negative?"


def guarded(records: Sequence[Record], dimension: str, task: Task) -> list[Record]:
    """Return the cases that pass our filters and, where words are swapped, our guard of each swap."""
    part = DIMENSIONS[dimension]
    resources = Resources(associations=task.associations)
    kept = list(records)
    for name in DEFAULT_FILTERS:
        # What degree a case has is no question of its label.
        if name == "degree" or part.level not in FILTERS[name].levels:
            continue
        context = FilterContext(
            dimension=part, degrees=part.degrees, thresholds=FILTERS[name].thresholds, resources=resources
        )
        reasons = FILTERS[name].check(context, kept)
        kept = [record for record, reason in zip(kept, reasons, strict=True) if reason is None]
    if part.level != "word":
        return kept
    guard = Guard(task.associations)
    return [record for record in kept if all(_is_allowed(guard, record))]


def _is_allowed(guard: Guard, record: Record) -> Iterator[bool]:
    edits = [edit for _, edit in record.edits]
    for before, after in changed_words(record.unperturbed_text, edits):
        refusal = guard.refusal(before.lower(), after.lower(), label=record.label, is_close=True)
        yield refusal is None


def judged(records: Sequence[Record], dimension: str, task: Task) -> list[Record]:
    """Return the cases whose swaps a build would make: listed with what stands beside them, or judged."""
    part = DIMENSIONS[dimension]
    if part.level != "word" or not isinstance(part, Dimension):
        return list(records)
    texts = [
        WordsOfText(record.unperturbed_text, words_of(record.unperturbed_text), record.label)
        for record in records
    ]
    proposals = part.propose(texts, Resources(associations=task.associations))
    swaps = [
        [
            Substitution(edit.start, edit.end, edit.replacement)
            for _, edit in record.edits
            if edit not in _edits(text, of_text)
        ]
        for record, text, of_text in zip(records, texts, proposals, strict=True)
    ]
    scores = scores_of([text.text for text in texts], swaps)
    least = THRESHOLDS.least[LISTED]
    return [
        record for record, of_case in zip(records, scores, strict=True) if of_case.min(initial=1.0) >= least
    ]


def _edits(text: WordsOfText, proposals: Sequence[Operations]) -> set[Edit]:
    """Return the edits that a dimension proposes for a text."""
    return {
        edit.shifted(word.start)
        for word, operations in zip(text.words, proposals, strict=True)
        for item in operations.items
        for edit in item.edits
    }


def write_readings(
    folder: Path, dimension: str, read: list[tuple[str, Record]], task: Task, seed: int
) -> None:
    """Write cases in random order for readers, and apart from them whose they are."""
    random.Random(seed).shuffle(read)
    rows = [
        f"{number}\t{DESCRIPTION}\t{_line(record.unperturbed_text)}\t{_line(record.perturbed_text)}"
        f"\t{task.info.labels[record.label]}\n"
        for number, (_, record) in enumerate(read, start=1)
    ]
    head = "number\ttask\toriginal\tchanged\tlabel\n"
    (folder / f"readings-{dimension}.tsv").write_text(head + "".join(rows), encoding="utf-8")
    is_judged = {record.id for record in judged([record for _, record in read], dimension, task)}
    key = [
        f"{number}\t{attack}\t{record.id}\t{record.id in is_judged}\n"
        for number, (attack, record) in enumerate(read, start=1)
    ]
    head = "number\tattack\tid\taccepted by the judge\n"
    (folder / f"key-{dimension}.tsv").write_text(head + "".join(key), encoding="utf-8")


def _line(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
