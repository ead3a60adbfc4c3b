"""Example cases of a release: one sample at rising degrees, with its edits marked."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from contract.release.release import Release
from contract.schema.edits import Edit
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import degree_key
from contract.schema.records import LABEL_LISTS, Record, records_of
from contract.task_kinds import TASK_KINDS

SAMPLES_SHOWN = 2
# Long enough to carry several edits, short enough to be read at a glance.
GOOD_LENGTH = 110


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A piece of text that is unchanged, removed or added."""

    kind: Literal["same", "removed", "added"]
    text: str
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class MarkedText:
    """One text field of a case in segments; an unperturbed field has no edits."""

    field: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, kw_only=True)
class ExampleCase:
    """One frozen case with its edits marked."""

    id: str
    degree: str
    realised_degree: str
    texts: tuple[MarkedText, ...]
    n_fooled: int
    n_surrogates: int


@dataclass(frozen=True, kw_only=True)
class Example:
    """One sample and its cases, low degrees first."""

    sample_id: str
    task: str
    setting: str
    label: str
    originals: tuple[MarkedText, ...]
    cases: tuple[ExampleCase, ...]


def examples_of(release: Release, dimension: str) -> list[Example]:
    """Return a few samples of each cell of a dimension; none if the originals are withheld."""
    cells: dict[tuple[str, str], list[SplitInfo]] = defaultdict(list)
    for split in release.splits(dimension=dimension):
        if split.rows and split.setting is not None:
            cells[split.task, split.setting].append(split)
    # All files of the release at once: other dimensions are asked for next.
    release.prepare(split for split in release.splits() if split.rows and split.setting is not None)
    return [
        example
        for (task, _), splits in cells.items()
        for example in _examples_of_splits(release, splits, release.manifest.task(task))
    ]


def mark_edits(original: str, edits: Iterable[Edit]) -> tuple[Segment, ...]:
    """Return the original text in segments; an edit gives a removed and an added segment."""
    pieces: list[Segment] = []
    position = 0
    for edit in sorted(edits):
        pieces += [
            Segment(kind="same", text=original[position : edit.start]),
            Segment(kind="removed", text=edit.original),
            Segment(kind="added", text=edit.replacement, title=_code_points(edit.replacement)),
        ]
        position = edit.end
    pieces.append(Segment(kind="same", text=original[position:]))
    return tuple(piece for piece in pieces if piece.text)


def _examples_of_splits(release: Release, splits: Sequence[SplitInfo], task: TaskInfo) -> Iterator[Example]:
    """Yield the samples that have cases at the most degrees, each with its first case at every degree."""
    ordered = sorted(splits, key=lambda split: -1.0 if split.degree is None else split.degree)
    chosen = _choose_samples(release, ordered)
    records: dict[str, list[Record]] = {sample: [] for sample in chosen}
    lists: dict[str, list[int | None]] = {}
    for split in ordered:
        table = release.table(split, release.columns_of(split))
        rows = table.filter(pc.is_in(table["sample_id"], value_set=pa.array(chosen, pa.string())))
        if LABEL_LISTS in rows.schema.names:
            lists |= zip(rows["sample_id"].to_pylist(), rows[LABEL_LISTS].to_pylist(), strict=True)
        seen = set()
        for record in sorted(records_of(rows), key=lambda record: (record.sample_id, record.case)):
            if record.sample_id not in seen:
                seen.add(record.sample_id)
                records[record.sample_id].append(record)
    for sample, cases in records.items():
        yield _example(cases, task, lists.get(sample))


def _choose_samples(release: Release, splits: Sequence[SplitInfo]) -> list[str]:
    """Return the samples with cases at the most degrees; of these, those nearest to the good length."""
    n_degrees: Counter[str] = Counter()
    lengths: dict[str, int] = {}
    for split in splits:
        table = release.table(split, ["sample_id", "original_text"]).drop_null()
        ids = table["sample_id"].to_pylist()
        n_characters = pc.utf8_length(table["original_text"]).to_pylist()
        in_split = {str(name): int(n or 0) for name, n in zip(ids, n_characters, strict=True)}
        n_degrees.update(in_split.keys())
        lengths.update(in_split)
    ordered = sorted(
        lengths, key=lambda sample: (-n_degrees[sample], abs(lengths[sample] - GOOD_LENGTH), sample)
    )
    return ordered[:SAMPLES_SHOWN]


def _example(records: Sequence[Record], task: TaskInfo, codes: list[int | None] | None) -> Example:
    first, labels = records[0], task.labels
    kind = TASK_KINDS[task.kind].lists
    label = labels[first.label] if 0 <= first.label < len(labels) else "withheld"
    return Example(
        sample_id=first.sample_id,
        task=first.task,
        setting=first.setting or "",
        label=label if kind is None or codes is None else kind.words(codes, task),
        originals=_texts(first, with_edits=False),
        cases=tuple(_case(record) for record in records),
    )


def _case(record: Record) -> ExampleCase:
    return ExampleCase(
        id=record.id,
        degree=degree_key(record.degree),
        realised_degree="" if record.realised_degree is None else f"{record.realised_degree:.3f}",
        texts=_texts(record, with_edits=True),
        n_fooled=sum(vote != record.label for vote in record.surrogate_predictions),
        n_surrogates=len(record.surrogate_predictions),
    )


def _texts(record: Record, *, with_edits: bool) -> tuple[MarkedText, ...]:
    """Return the text fields of a record; a field without an original is left out."""
    originals = (("text", record.original_text), ("text_pair", record.original_text_pair))
    return tuple(
        MarkedText(
            field=name,
            segments=mark_edits(
                original, [edit for field, edit in record.edits if field == name] if with_edits else []
            ),
        )
        for name, original in originals
        if original is not None
    )


def _code_points(text: str) -> str:
    """Return the code points and names of the first characters outside ASCII."""
    odd = [character for character in text if not character.isascii()]
    return ", ".join(
        f"U+{ord(character):04X} {unicodedata.name(character, 'unnamed')}" for character in odd[:8]
    )
