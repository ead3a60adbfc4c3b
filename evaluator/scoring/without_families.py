"""Scores with one family of surrogates left out: its attempts, and its votes on everybody else's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from contract.predictions.reading import Predictions
from contract.schema.manifest import Manifest
from contract.schema.results import ScoreSettings, TransferableScore, WithoutFamily
from evaluator.metrics.average import average_of
from evaluator.metrics.ewma import ewma_of_degrees
from evaluator.metrics.inputs import Cell, CellOutcomes, DegreeScores, TaskOutcomes
from evaluator.metrics.overall import ATTACKED, half_of, overall
from evaluator.metrics.ratio import Numbers
from evaluator.metrics.recall import RecallFigure
from evaluator.metrics.worst import worst_of
from evaluator.scoring.figures import ESTIMATES
from evaluator.scoring.labelled_rows import LabelledRows
from evaluator.scoring.outcomes import parts_of
from evaluator.scoring.overall_scores import CellScores, headline_cells
from evaluator.scoring.rounding import fraction
from evaluator.scoring.tiers import TierVotes, tier_votes
from evaluator.scoring.transferable import score_of_counts
from evaluator.scoring.votes import NO_SOURCE, Votes, families_of

# By source: right cases and cases of each sample (rows) at each degree (columns).
_BySource = NDArray[np.int32]


def without_families(
    labelled: LabelledRows,
    predictions: Predictions,
    tasks: Sequence[TaskOutcomes],
    cells: Mapping[Cell, CellScores],
    settings: ScoreSettings,
) -> dict[str, WithoutFamily]:
    """Return the scores of a model that answered everything, by the family that is left out."""
    votes, manifest = labelled.votes, labelled.rows.release.manifest
    if votes is None or predictions.absent:
        return {}
    points = {
        estimate: {cell: getattr(scores, estimate)[:1] for cell, scores in cells.items()}
        for estimate in ESTIMATES
    }
    families = list(dict.fromkeys(info.family for info in manifest.surrogates))
    scores = {family: {estimate: dict(points[estimate]) for estimate in ESTIMATES} for family in families}
    n_dropped = dict.fromkeys(families, 0)
    for task in tasks:
        for cell, outcomes in task.cells.items():
            if half_of(cell.setting) != ATTACKED:
                continue
            n_right, n_cases = _by_source(cell, outcomes, labelled, predictions, votes)
            for family in families:
                places = members_of(family, cell.task, manifest)
                n_dropped[family] += int(n_cases[places].sum())
                if not cells.get(cell) or not n_cases[places].any():
                    continue
                left = replace(
                    outcomes,
                    n_right=outcomes.n_right - n_right[places].sum(axis=0, dtype=np.int32),
                    n_cases=outcomes.n_cases - n_cases[places].sum(axis=0, dtype=np.int32),
                )
                for estimate, score in _finals(left, settings).items():
                    if left.n_cases.any():
                        scores[family][estimate][cell] = score
                    else:
                        # As a setting of which no case was frozen.
                        del scores[family][estimate][cell]
    tiers = tier_votes(labelled, predictions, votes)
    return {
        family: WithoutFamily(
            n_dropped=n_dropped[family],
            average=_headline(scores[family]["average"], manifest),
            worst=_headline(scores[family]["worst"], manifest),
            transferable=_transferable(tiers, family),
        )
        for family in families
    }


def members_of(family: str, task: str, manifest: Manifest) -> list[int]:
    """Return the places of the task's surrogates that belong to a family."""
    return [
        place
        for place, surrogate in enumerate(manifest.surrogates_of(task))
        if family in families_of(surrogate, manifest)
    ]


def _by_source(
    cell: Cell, outcomes: CellOutcomes, labelled: LabelledRows, predictions: Predictions, votes: Votes
) -> tuple[_BySource, _BySource]:
    n_sources, n_samples = votes.labels.shape[1], len(outcomes.n_cases)
    shape = (n_sources, n_samples, len(outcomes.degrees))
    n_right, n_cases = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    columns = {degree: column for column, degree in enumerate(outcomes.degrees)}
    for split, rows in parts_of(labelled.rows, cell.task):
        if (split.dimension, split.setting) != (cell.dimension, cell.setting):
            continue
        sources = votes.sources[rows]
        has_source = sources != NO_SOURCE
        # A sample of a source, as one number.
        keys = sources.astype(np.int64) * n_samples + labelled.samples[rows]
        is_right = has_source & (predictions.labels[rows] == labelled.labels[rows])
        for counts, is_counted in ((n_cases, has_source), (n_right, is_right)):
            counted = np.bincount(keys[is_counted], minlength=n_sources * n_samples)
            counts[:, :, columns[split.degree]] += counted.reshape(n_sources, n_samples).astype(np.int32)
    return n_right, n_cases


def _finals(cell: CellOutcomes, settings: ScoreSettings) -> dict[str, Numbers]:
    """Return one score for the degrees that count, without draws."""
    degrees = tuple(cell.degrees[column] for column in cell.used)

    def final(figure: RecallFigure | None) -> Numbers:
        values = np.array([] if figure is None else figure.values(), np.float64)[list(cell.used), None]
        return ewma_of_degrees(DegreeScores(degrees=degrees, scores=values, settings=settings))

    return {"average": final(average_of(cell)), "worst": final(worst_of(cell))}


def _headline(scores: Mapping[Cell, Numbers], manifest: Manifest) -> float | None:
    return fraction(overall(headline_cells(scores, manifest))[0]) if scores else None


def _transferable(tiers: Sequence[TierVotes], family: str) -> TransferableScore | None:
    counts = [tier.counts_without(family) for tier in tiers]
    return score_of_counts(*(sum(column) for column in zip(*counts, strict=True))) if counts else None
