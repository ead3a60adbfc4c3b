"""The figures of clean rows and of cells: what each sample adds to them, and their intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import TaskInfo
from contract.schema.results import ScoreSettings
from evaluator.metrics.accuracy_cases import accuracy_cases_terms
from evaluator.metrics.attack_success_rate import attack_success_terms
from evaluator.metrics.auroc import AurocOnDraws
from evaluator.metrics.average import average_terms
from evaluator.metrics.clean_accuracy import clean_accuracy_terms
from evaluator.metrics.f1 import f1_terms, mean_over_labels
from evaluator.metrics.metric import Numbers, Terms
from evaluator.metrics.relative import relative_terms
from evaluator.metrics.worst import worst_terms
from evaluator.metrics.worst_at import worst_at_terms
from evaluator.metrics.worst_at_k import rarefaction_terms
from evaluator.scoring.bootstrap import filled, intervals
from evaluator.scoring.outcomes import CellOutcomes, TaskOutcomes

Bounds = tuple[float, float]
# Before the K of worst@K, in the names of figures.
CURVE = "worst@"
# Scores that enter final scores, for which every draw must have one.
_FINAL = ("accuracy", "average", "worst")


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """The rows of a release with their samples, true and predicted labels, for metrics that look at rows."""

    samples: NDArray[np.int32]
    labels: NDArray[np.int32]
    predictions: NDArray[np.int32]
    probabilities: Numbers | None

    def f1_terms(self, task: TaskInfo, row_ranges: Sequence[range], n_samples: int) -> Terms:
        """Return F1 of some splits: a column a label, split after split."""
        spans = [slice(rows.start, rows.stop) for rows in row_ranges]
        parts = [
            f1_terms(
                self.labels[span],
                self.predictions[span],
                self.samples[span],
                n_labels=len(task.labels),
                n_samples=n_samples,
            )
            for span in spans
        ]
        return Terms(
            above=np.hstack([part.above for part in parts]), below=np.hstack([part.below for part in parts])
        )

    def auroc_draws(
        self, task: TaskInfo, row_ranges: Sequence[range], weights: Iterator[Numbers]
    ) -> list[Numbers]:
        """Return AUROC of each split on every draw; without probabilities there is none."""
        if self.probabilities is None:
            return []
        splits = [
            AurocOnDraws(self.labels[span], self.probabilities[span, : len(task.labels)], self.samples[span])
            for span in (slice(rows.start, rows.stop) for rows in row_ranges)
        ]
        empty = np.empty((0, len(splits)))
        blocks = [np.column_stack([split.values(block) for split in splits]) for block in weights]
        return list(np.vstack([empty, *blocks]).T)


@dataclass(frozen=True, kw_only=True, eq=False)
class Figures:
    """Figures by name: their terms, those of final scores on every draw, the intervals of the others."""

    terms: Mapping[str, Terms]
    # A row a draw, NaN where it has no sample to score.
    drawn: Mapping[str, Numbers]
    # One for each column of the terms, but for F1 and AUROC one for each split.
    bounds: Mapping[str, Sequence[Bounds | None]]

    def with_point(self, name: str) -> Numbers:
        """Return a figure as rows: the score itself first, then the score on every draw."""
        terms = self.terms[name]
        point = np.atleast_1d(terms.value())[None, :]
        return np.vstack([point, filled(self.drawn[name], terms)])


def figures_of(
    terms: Mapping[str, Terms],
    scores: Sequence[Numbers],
    settings: ScoreSettings,
    n_splits: int,
    aurocs: Sequence[Numbers] = (),
) -> Figures:
    """Return figures with their intervals, from their scores on every draw; AUROC has no terms."""
    drawn = dict(zip(terms, scores, strict=True))
    others = {name: found[: settings.resamples] for name, found in drawn.items() if name not in _FINAL}
    if "f1" in others:
        n_draws, n_columns = others["f1"].shape
        others["f1"] = mean_over_labels(others["f1"].reshape(n_draws, n_splits, n_columns // n_splits))
    if len(aurocs):
        others["auroc"] = np.column_stack(aurocs)[: settings.resamples]
    return Figures(
        terms=terms,
        drawn={name: found for name, found in drawn.items() if name in _FINAL},
        bounds={name: intervals(found, settings.confidence) for name, found in others.items()},
    )


def clean_terms(outcomes: TaskOutcomes, answers: Answers) -> dict[str, Terms]:
    """Return the figures of a task's clean rows."""
    found = {"accuracy": clean_accuracy_terms(outcomes.clean_right, outcomes.has_clean)}
    if "f1" in outcomes.task.metrics:
        n_samples = len(outcomes.has_clean)
        found["f1"] = answers.f1_terms(outcomes.task, [outcomes.clean_rows], n_samples)
    return found


def cell_terms(
    outcomes: TaskOutcomes, cell: CellOutcomes, answers: Answers, used: Sequence[int], min_samples: int
) -> dict[str, Terms]:
    """Return the figures of a cell: a column a degree, low degrees first; worst@K over the used degrees."""
    counts = cell.n_right, cell.n_cases
    clean = outcomes.clean_right, outcomes.has_clean
    average, worst = average_terms(*counts), worst_terms(*counts)
    found = {
        "average": average,
        "worst": worst,
        "worst_at": worst_at_terms(*counts),
        "accuracy_cases": accuracy_cases_terms(*counts),
        "relative_average": relative_terms(average, *clean),
        "relative_worst": relative_terms(worst, *clean),
        "attack_success_rate": attack_success_terms(*counts, outcomes.clean_right),
    }
    if "f1" in outcomes.task.metrics:
        found["f1"] = answers.f1_terms(outcomes.task, cell.row_ranges, len(cell.n_cases))
    if used:
        # The cases that `worst` at the highest used degree is about.
        right, cases = (of_cell[:, : used[-1] + 1] for of_cell in counts)
        curve = rarefaction_terms(right, cases, min_samples=min_samples)
        found |= {f"{CURVE}{k}": terms for k, terms in curve.items()}
    return found
