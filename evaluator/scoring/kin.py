"""Kin of a surrogate: a model that errs on the same random cases, more often than accuracies explain."""

import numpy as np

from contract.predictions.reading import ABSENT, Predictions
from contract.schema.results import Kin
from evaluator.metrics.overall import RULE
from evaluator.metrics.ratio import Booleans
from evaluator.scoring.labelled_rows import LabelledRows
from evaluator.scoring.rounding import rounded
from evaluator.scoring.votes import NO_VOTE

# From this consistency on, a model counts as kin of a surrogate. `python -m benchmarks.ranks` chose it on
# two tasks: it finds eight of nine retrained surrogates, and marks no model of another family.
KIN_BOUND = 0.65


def kin_of(labelled: LabelledRows, predictions: Predictions) -> tuple[Kin, ...]:
    """Return how far a model's errors agree with each surrogate's, the mean over tasks that show it."""
    votes, manifest = labelled.votes, labelled.rows.release.manifest
    if votes is None:
        return ()
    found: dict[tuple[str, str], list[float]] = {}
    for task in manifest.tasks:
        spans = [
            np.arange(group.start, group.stop)
            for group in labelled.rows.groups
            if (group.task, group.setting) == (task.name, RULE) and predictions.labels[group.start] != ABSENT
        ]
        if not spans:
            continue
        rows = np.concatenate(spans)
        labels = labelled.labels[rows]
        is_right = predictions.labels[rows] == labels
        for place, surrogate in enumerate(manifest.surrogates_of(task.name)):
            of_surrogate = votes.labels[rows, place]
            has_vote = of_surrogate != NO_VOTE
            kappa = error_consistency(is_right[has_vote], (of_surrogate == labels)[has_vote])
            if kappa is not None:
                found.setdefault((surrogate.name, surrogate.family), []).append(kappa)
    return tuple(
        Kin(surrogate=name, family=family, consistency=rounded(mean), is_kin=rounded(mean) >= KIN_BOUND)
        for (name, family), kappas in found.items()
        if (mean := float(np.mean(kappas))) is not None
    )


def error_consistency(first: Booleans, second: Booleans) -> float | None:
    """Return Cohen's kappa of two models being right; nothing where they cannot but agree."""
    if not len(first):
        return None
    p, q = float(first.mean()), float(second.mean())
    expected = p * q + (1 - p) * (1 - q)
    # Both always right, or both always wrong: they agree whatever they are.
    if expected == 1:
        return None
    return float(((first == second).mean() - expected) / (1 - expected))
