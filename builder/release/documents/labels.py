"""How the labels of a release are distributed, task by task, and by which metrics it is scored."""

from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from builder.release.documents.facts import Facts
from builder.release.documents.markdown import cell, table
from contract.machine.memory import lean_file
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN

ROWS_AT_A_TIME = 10_000


def label_lines(facts: Facts) -> Iterator[str]:
    """Yield how many samples, cases and cases of the tier have each label, unless labels are withheld."""
    manifest = facts.manifest
    if manifest.labels == "withheld":
        return
    tiers = any(split.tier and split.rows for split in manifest.splits)
    yield "## Labels"
    yield ""
    yield "Samples and cases by label, in the order in which the labels are named, and the task's metrics."
    yield ""
    names = ["task", "labels", "metrics", "samples", "cases", *(["transferable"] if tiers else [])]
    yield from table(names, [_row(facts, task, tiers=tiers) for task in manifest.tasks], n_texts=3)
    yield ""


def _row(facts: Facts, task: TaskInfo, *, tiers: bool) -> list[str]:
    splits = [split for split in facts.manifest.splits if split.task == task.name and split.rows]
    cases = [split for split in splits if split.dimension not in {CLEAN, TRAIN}]
    shown = [
        _counts(facts, task, [split for split in splits if split.dimension == CLEAN]),
        _counts(facts, task, cases),
    ]
    if tiers:
        shown.append(_counts(facts, task, [split for split in cases if split.tier is not None]))
    return [task.name, cell(" : ".join(task.labels)), " and ".join(task.metrics), *shown]


def _counts(facts: Facts, task: TaskInfo, splits: list[SplitInfo]) -> str:
    """Return how many rows have each label, "12 : 9"."""
    counts: Counter[int] = Counter()
    for split in splits:
        file = lean_file(facts.release.path / split.path)
        for batch in file.iter_batches(ROWS_AT_A_TIME, columns=["label"], use_threads=False):
            for found in pc.value_counts(pa.array(batch.column(0))).to_pylist():
                counts[found["values"]] += found["counts"]
    return " : ".join(f"{counts[label]:,}" for label in range(len(task.labels)))
