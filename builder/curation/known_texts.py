"""Texts whose right answers are known: untouched samples, and samples compared with others than their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.curation.plan import Part, PlannedText
from contract.machine.hashes import hash_of
from contract.release.release import Release
from contract.schema.manifest import TaskInfo
from contract.schema.names import CLEAN, TRAIN
from contract.schema.records import Record, records_of

KEY_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """How much is drawn, from where, and for how many annotators."""

    seed: int
    per_cell: int = 50
    n_annotators: int = 5
    # How many annotators judge each case; all of them if None.
    overlap: int | None = None
    # Of each task: untouched texts and known answers in the work, and questions before it.
    n_controls: int = 10
    n_known: int = 10
    n_training: int = 6
    n_qualification: int = 10
    min_qualification: float = 0.8
    # Also cases that fool nobody.
    is_any_outcome: bool = False
    tasks: Sequence[str] = ()
    dimensions: Sequence[str] = ()
    settings: Sequence[str] = ()
    degrees: Sequence[float] = ()


def key_of(release: Release, seed: int, part: str, *rows: str) -> str:
    """Return a text's key, which tells nothing to annotators who do not know the seed."""
    return hash_of([release.manifest_sha256, seed, part, *rows])[:KEY_DIGITS]


def shuffled(records: Sequence[Record], seed: int, what: str) -> list[Record]:
    """Return records in an order that does not depend on that of the files."""
    return sorted(records, key=lambda record: hash_of([seed, what, record.id]))


def known_texts(
    release: Release, task: TaskInfo, judged: set[str], options: DrawOptions
) -> Iterator[PlannedText]:
    """Yield texts with known answers: for training and qualification, then those mixed into the work."""
    rows = {
        part: [
            record
            for split in release.splits(task=task.name, dimension=part)
            for record in shuffled(list(records_of(release.table(split))), options.seed, part)
        ]
        for part in (CLEAN, TRAIN)
    }
    # An annotator who has seen a sample untouched would judge its case by heart.
    rows[CLEAN] = sorted(rows[CLEAN], key=lambda record: record.sample_id in judged)
    work = _Pool(rows[CLEAN])
    before = _Pool(rows[TRAIN]) if rows[TRAIN] else work
    yield from _controls(release, options.seed, "control", work.take(options.n_controls))
    yield from _swapped(release, options.seed, "known", work.take(2 * options.n_known))
    parts: tuple[tuple[Part, int], ...] = (
        ("training", options.n_training),
        ("qualification", options.n_qualification),
    )
    for part, n in parts:
        n_swapped = n // 3
        yield from _controls(release, options.seed, part, before.take(n - n_swapped))
        yield from _swapped(release, options.seed, part, before.take(2 * n_swapped))


class _Pool:
    """Samples of which each is taken once; labels in turn, so that all of them come up."""

    def __init__(self, records: Sequence[Record]) -> None:
        by_label: dict[int, list[Record]] = {}
        for record in records:
            by_label.setdefault(record.label, []).append(record)
        longest = max(map(len, by_label.values()), default=0)
        rows = [of_label[place : place + 1] for place in range(longest) for of_label in by_label.values()]
        self._records = [record for row in rows for record in row]

    def take(self, n: int) -> list[Record]:
        """Return the next samples, as many as there are."""
        taken, self._records = self._records[:n], self._records[n:]
        return taken


def _controls(release: Release, seed: int, part: Part, records: Sequence[Record]) -> Iterator[PlannedText]:
    """Yield untouched texts, each compared with itself."""
    for record in records:
        yield _text(release, seed, part, record, record)


def _swapped(release: Release, seed: int, part: Part, records: Sequence[Record]) -> Iterator[PlannedText]:
    """Yield texts that are compared with others of another label, so that no meaning is kept."""
    left = list(records)
    while left:
        record = left.pop(0)
        other = next((other for other in left if other.label != record.label), None)
        if other is not None:
            left.remove(other)
            yield _text(release, seed, part, record, other)


def _text(release: Release, seed: int, part: Part, record: Record, original: Record) -> PlannedText:
    return PlannedText(
        key=key_of(release, seed, part, record.id, original.id),
        part=part,
        task=record.task,
        row=record.id,
        text=record.text,
        text_pair=record.text_pair,
        original=original.text,
        original_pair=original.text_pair,
        label=record.label,
        keeps=record is original,
    )
