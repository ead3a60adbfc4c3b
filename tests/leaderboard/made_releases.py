"""Makes a small release with a typo dimension and one that has no cases."""

from pathlib import Path

from synthetic import SplitKey, write_splits

from contract.schema.edits import Edit, apply_edits
from contract.schema.manifest import DimensionInfo, TaskInfo
from contract.schema.names import CLEAN, case_id, clean_id, sample_id
from contract.schema.records import Record

TEXTS = (
    "a quiet, tender <b>film</b> 🎬 & a joy",
    "dull and far too long",
    "the best thing since sliced bread",
)
# Scores need samples of two labels.
TRUE_LABELS = (1, 0, 1)
TASK = TaskInfo(
    name="mr",
    labels=("negative", "positive"),
    fields=("text",),
    source="made up",
    licence="CC0-1.0",
    n_samples=len(TEXTS),
    n_train=0,
)
DIMENSIONS = (
    DimensionInfo(
        name="novel", tag="general", degree_kind="budget", degrees=(0.1,), order=1, summary="Something new."
    ),
    DimensionInfo(
        name="typo-malicious",
        level="char",
        tag="malicious",
        measure="edit",
        degree_kind="budget",
        degrees=(0.05, 0.1),
        order=0,
        summary="Keys missed on purpose.",
    ),
)
EDITS = {
    0.05: (Edit(2, 3, "q", "w"),),
    0.1: (Edit(2, 3, "q", "w"), Edit(8, 8, "", "\u0430")),
}


def make_release(path: Path, *, has_empty_cell: bool = False) -> Path:
    """Write a release of three samples, the first with a case at two degrees, and return its folder.

    With an empty cell: one in which cases were searched for and none was frozen.
    """
    splits: dict[SplitKey, list[Record]] = {
        (TASK.name, "typo-malicious", "rule", degree): [_case(degree)] for degree in EDITS
    }
    splits[TASK.name, CLEAN, None, 0.0] = [_clean(row) for row in range(len(TEXTS))]
    if has_empty_cell:
        splits[TASK.name, "novel", "rule", 0.1] = []
    return write_splits(path, [TASK], DIMENSIONS, splits, name="robust-reviews", seed=7)


def _case(degree: float) -> Record:
    return Record(
        id=case_id(sample_id(TASK.name, 0), "typo-malicious", "rule", degree, 0),
        sample_id=sample_id(TASK.name, 0),
        text=apply_edits(TEXTS[0], EDITS[degree]),
        original_text=TEXTS[0],
        label=TRUE_LABELS[0],
        task=TASK.name,
        dimension="typo-malicious",
        setting="rule",
        degree=degree,
        realised_degree=degree,
        field="text",
        edits=tuple(("text", edit) for edit in EDITS[degree]),
        surrogate_predictions=(0, 1),
    )


def _clean(row: int) -> Record:
    name = sample_id(TASK.name, row)
    return Record(
        id=clean_id(name),
        sample_id=name,
        text=TEXTS[row],
        original_text=TEXTS[row],
        label=TRUE_LABELS[row],
        task=TASK.name,
        dimension=CLEAN,
        degree=0.0,
        realised_degree=0.0,
    )
