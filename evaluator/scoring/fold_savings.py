"""What each step of the fold would have saved: wrong cases that it makes their originals again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from contract.folding import FOLDS, fold, restoring_folds
from contract.predictions.reading import ABSENT, Predictions
from contract.schema.attackers import FoldSavings
from contract.schema.names import CLEAN
from evaluator.metrics.inputs import TaskOutcomes
from evaluator.scoring.labelled_rows import LabelledRows
from evaluator.scoring.outcomes import Part, parts_of

ALL = "all"
# The dimensions whose cases a fold takes back.
GROUP = "invisible"


@dataclass(frozen=True, kw_only=True)
class LostCase:
    """A case that a model has wrong, and its original, which it has right."""

    original: str
    case: str


def fold_savings(lost: Iterable[LostCase]) -> FoldSavings:
    """Return what each step saves alone, and what all save together.

    A model that reads folded texts answers a restored case as it answers the folded original. That this is
    its answer to the original itself is assumed: a fold changes few ordinary texts.
    """
    n_lost = 0
    n_saved = dict.fromkeys([*FOLDS, ALL], 0)
    for case in lost:
        n_lost += 1
        for name in restoring_folds(case.original, case.case):
            n_saved[name] += 1
        n_saved[ALL] += fold(case.case) == fold(case.original)
    return FoldSavings(n_lost=n_lost, n_saved=n_saved)


def folds_of(
    outcomes: TaskOutcomes, labelled: LabelledRows, predictions: Predictions
) -> dict[str, FoldSavings]:
    """Return the savings on a task by dimension; nothing where no dimension hides words from machines."""
    infos = labelled.rows.release.manifest.dimensions
    names = [info.name for info in infos if info.group == GROUP]
    parts = {
        name: [
            part
            for part in parts_of(labelled.rows, outcomes.task.name)
            if part.split.dimension == name and predictions.labels[part.rows.start] != ABSENT
        ]
        for name in names
    }
    return {
        name: fold_savings(
            case for part in own for case in _lost_cases(part, outcomes, labelled, predictions)
        )
        for name, own in parts.items()
        if own
    }


def _lost_cases(
    part: Part, outcomes: TaskOutcomes, labelled: LabelledRows, predictions: Predictions
) -> Iterator[LostCase]:
    """Yield the cases of a file that are wrong, whose originals are right."""
    was_right = outcomes.clean.is_right[labelled.samples[part.rows]]
    is_right = predictions.labels[part.rows] == labelled.labels[part.rows]
    places = np.flatnonzero(was_right & ~is_right) + part.rows.start
    if not len(places):
        return
    release, field = labelled.rows.release, outcomes.task.perturbed
    # Rows that do not count may be missing here: the manifest's own entry tells of the whole file.
    split = next(own for own in release.manifest.splits if own.path == part.split.path)
    (clean,) = release.splits(task=split.task, dimension=CLEAN)
    originals = release.table(clean, ["sample_id", field])
    by_sample = dict(zip(*(originals[name].to_pylist() for name in ("sample_id", field)), strict=True))
    lost = set(labelled.rows.table["id"].take(places).to_pylist())
    cases = release.table(split, ["id", "sample_id", field])
    columns = (cases[name].to_pylist() for name in ("id", "sample_id", field))
    for name, sample, text in zip(*columns, strict=True):
        if name in lost:
            yield LostCase(original=by_sample[sample] or "", case=text or "")
