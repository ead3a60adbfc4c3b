"""Examples on the data card: one case of every dimension, setting and degree."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from builder.release.documents.facts import Facts
from builder.release.documents.markdown import cell, table
from contract.machine.memory import lean_file
from contract.release.release import Release
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN
from contract.schema.records import LABEL_LISTS, Record, records_of
from contract.task_kinds import TASK_KINDS
from contract.task_kinds.kind import Codes

ROWS_LOOKED_AT = 2_000


def examples_lines(facts: Facts, *, is_short: bool = False) -> Iterator[str]:
    """Yield one case of every dimension, setting and degree, always of the same sample where it can be.

    A short list has one case of each task and dimension.
    """
    yield "## Examples"
    yield ""
    rows = []
    release = facts.release
    wanted: dict[str, str] = {}
    for split in _short(facts) if is_short else facts.manifest.splits:
        # The tier of a degree is shown only where no other case is there.
        others = {
            other.degree for other in facts.manifest.splits if other.rows and _is_other_file(split, other)
        }
        if not split.rows or split.dimension == TRAIN or split.degree in others:
            continue
        task = facts.manifest.task(split.task)
        record, codes = _example(release, split, wanted)
        label = _words(task, record, codes)
        degree = "" if split.degree is None or split.dimension == CLEAN else f"{split.degree:g}"
        setting = split.setting or ""
        rows.append([split.task, split.dimension, setting, degree, cell(label), cell(record.perturbed_text)])
    yield from table(["task", "dimension", "setting", "degree", "label", "text"], rows, n_texts=6)
    yield ""


def _short(facts: Facts) -> list[SplitInfo]:
    """Return one split of each task and dimension, the one in the middle of its first setting."""
    by_dimension: dict[tuple[str, str], list[SplitInfo]] = {}
    for split in facts.manifest.splits:
        of_dimension = by_dimension.setdefault((split.task, split.dimension), [])
        if split.rows and split.tier is None and split.setting == (of_dimension or [split])[0].setting:
            of_dimension.append(split)
    return [splits[len(splits) // 2] for splits in by_dimension.values() if splits]


def _words(task: TaskInfo, record: Record, codes: Codes | None) -> str:
    """Return the label of a row, or its labels where it has many."""
    kind = TASK_KINDS[task.kind].lists
    if kind is not None and codes is not None:
        return kind.words(codes, task)
    return "withheld" if record.label < 0 else task.labels[record.label]


def _example(release: Release, split: SplitInfo, wanted: dict[str, str]) -> tuple[Record, Codes | None]:
    """Return a row of the task's first sample, or the first row; only the start of the file is read."""
    file = lean_file(release.path / split.path)
    columns = list(release.columns_of(split))
    batches = file.iter_batches(ROWS_LOOKED_AT, columns=columns, use_threads=False)
    rows = pa.Table.from_batches([next(batches)])
    first = wanted.setdefault(split.task, rows["sample_id"][0].as_py())
    of_first = rows.filter(pc.equal(rows["sample_id"], first))
    row = (of_first if len(of_first) else rows).slice(0, 1)
    return next(records_of(row)), row[LABEL_LISTS][0].as_py() if LABEL_LISTS in columns else None


def _is_other_file(tier: SplitInfo, other: SplitInfo) -> bool:
    """Whether a file has the cases of the same cell that are in no tier."""
    cell_of = (other.task, other.dimension, other.setting)
    return (
        tier.tier is not None and other.tier is None and cell_of == (tier.task, tier.dimension, tier.setting)
    )
