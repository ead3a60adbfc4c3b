"""Scores with one family of surrogates left out: its attempts, and its votes on everybody else's."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from contract.predictions.reading import Predictions
from contract.schema.manifest import Manifest
from contract.schema.results import ScoreSettings, TransferableScore, WithoutFamily
from evaluator.metrics.ewma import ewma_of_degrees
from evaluator.metrics.inputs import Cell, CellOutcomes, DegreeScores, TaskOutcomes
from evaluator.metrics.overall import ATTACKED, half_of, overall
from evaluator.metrics.ratio import Numbers
from evaluator.metrics.recall import RecallFigure, kept_at_worst, kept_on_average
from evaluator.scoring.figures import ESTIMATES
from evaluator.scoring.labelled_rows import LabelledRows
from evaluator.scoring.outcomes import Part, parts_of
from evaluator.scoring.overall_scores import CellScores, headline_cells
from evaluator.scoring.rounding import fraction
from evaluator.scoring.tiers import TierVotes, tier_votes
from evaluator.scoring.transferable import score_of_counts
from evaluator.scoring.votes import NO_SOURCE, Votes, families_of

# Right cases, then cases; by source, sample and degree.
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
        members = {family: members_of(family, task.task.name, manifest) for family in families}
        parts = _attacked_parts(labelled, task.task.name)
        for cell, outcomes in task.cells.items():
            if half_of(cell.setting) != ATTACKED:
                continue
            by_source = _by_source(outcomes, parts[cell], labelled, predictions, votes)
            lost = {family: by_source[:, places].sum(axis=1) for family, places in members.items() if places}
            for family, (_, n_cases) in lost.items():
                n_dropped[family] += int(n_cases.sum())
            lost = {family: counts for family, counts in lost.items() if counts[1].any()}
            if not lost or not cells.get(cell):
                continue
            finals = _finals(outcomes, list(lost.values()), settings)
            for place, (family, (_, n_cases)) in enumerate(lost.items()):
                for estimate in ESTIMATES:
                    if (outcomes.n_cases != n_cases).any():
                        scores[family][estimate][cell] = finals[estimate][place : place + 1]
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


def _attacked_parts(labelled: LabelledRows, task: str) -> dict[Cell, list[Part]]:
    """Return the files of each attacked cell of a task."""
    parts: dict[Cell, list[Part]] = {}
    for part in parts_of(labelled.rows, task):
        setting = part.split.setting
        if setting is not None and half_of(setting) == ATTACKED:
            parts.setdefault(Cell(task, part.split.dimension, setting), []).append(part)
    return parts


def _by_source(
    cell: CellOutcomes,
    parts: Sequence[Part],
    labelled: LabelledRows,
    predictions: Predictions,
    votes: Votes,
) -> _BySource:
    """Return right cases, then cases, by the source that they were made against."""
    columns = {degree: column for column, degree in enumerate(cell.degrees)}
    # Cases without a source are counted first, and then left out.
    shape = (votes.labels.shape[1] + 1, *cell.n_cases.shape)
    keys, is_right = [], []
    for split, rows in parts:
        sources = votes.sources[rows].astype(np.int64) - NO_SOURCE
        # A source, sample and degree, as one number.
        keys.append((sources * shape[1] + labelled.samples[rows]) * shape[2] + columns[split.degree])
        is_right.append(predictions.labels[rows] == labelled.labels[rows])
    of_cases = np.concatenate(keys)
    of_right = of_cases[np.concatenate(is_right)]
    counts = [np.bincount(of_kind, minlength=math.prod(shape)) for of_kind in (of_right, of_cases)]
    return np.stack(counts).astype(np.int32).reshape(2, *shape)[:, 1:]


def _finals(
    cell: CellOutcomes, lost: Sequence[NDArray[np.int32]], settings: ScoreSettings
) -> dict[str, Numbers]:
    """Return one score for the degrees that count for each way of losing right cases and cases."""
    n_samples, n_degrees = cell.n_cases.shape
    n_right = np.concatenate([cell.n_right - right for right, _ in lost])
    n_cases = np.concatenate([cell.n_cases - cases for _, cases in lost])
    clean_right = np.tile(cell.clean.is_right, len(lost))
    degrees = tuple(cell.degrees[column] for column in cell.used)

    def final(kept: Numbers) -> Numbers:
        # The degrees of all ways side by side: columns of one figure.
        beside = kept.reshape(len(lost), n_samples, n_degrees).swapaxes(0, 1).reshape(n_samples, -1)
        figure = RecallFigure(kept=beside, labels=cell.clean.labels, mean=cell.clean.mean)
        values = np.array(figure.values(), np.float64).reshape(len(lost), n_degrees)
        scores = values[:, list(cell.used)].T
        return ewma_of_degrees(DegreeScores(degrees=degrees, scores=scores, settings=settings))

    return {
        "average": final(kept_on_average(n_right, n_cases, clean_right)),
        "worst": final(kept_at_worst(n_right, n_cases, clean_right)),
    }


def _headline(scores: Mapping[Cell, Numbers], manifest: Manifest) -> float | None:
    return fraction(overall(headline_cells(scores, manifest))[0]) if scores else None


def _transferable(tiers: Sequence[TierVotes], family: str) -> TransferableScore | None:
    counts = [tier.counts_without(family) for tier in tiers]
    return score_of_counts(*(sum(column) for column in zip(*counts, strict=True))) if counts else None
