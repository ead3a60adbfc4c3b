"""Candidates for the headline, computed from outcomes: every mean of labels, estimate and part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranks.outcomes import RULE, Outcomes, degrees_used, grid_of
from contract.schema.estimates import ESTIMATES, RANKED_BY, estimate_of

Array = NDArray[Any]
BETA = 0.5
MEANS = ("plain", "balanced", "G", "J")
ATTACKED = "attacked"
# Both: the mean of the two. Together: all cases of a sample are one attack, whoever made them.
TOGETHER = "together"
PARTS = ("rule", "attempts", "both", TOGETHER)
# Version 1 scored a degree with so many samples or more.
LEAST_SAMPLES_BEFORE = 10


class Candidate(NamedTuple):
    """What a headline may be."""

    mean: str
    estimate: str
    part: str

    def __str__(self) -> str:
        return f"{self.mean} {self.estimate} {self.part}"


HEADLINE = Candidate("G", RANKED_BY, "both")
# Tasks with more labels than these are scored by how far they are above chance.
MOST_LABELS_OF_G = 10


@dataclass(frozen=True, kw_only=True)
class Headlines:
    """Figures, all as draws × models."""

    candidates: Mapping[Candidate, Array]
    # By mean, for the ratio of a headline to the clean figure.
    clean: Mapping[str, Array]
    # By dimension, for the design's headline.
    dimensions: Mapping[str, Array]
    # By mean, of one model: whether each of its `average` cells is exactly 0; models × cells.
    is_zero: Mapping[str, Array]


def headline_of(outcomes: Outcomes) -> Candidate:
    """Return the headline of the design for a task."""
    return HEADLINE if outcomes.n_labels <= MOST_LABELS_OF_G else HEADLINE._replace(mean="J")


def headlines_of(outcomes: Outcomes, weights: Array, without: Sequence[str] = ()) -> Headlines:
    """Return every candidate for every draw of samples, without attempts against some sources."""
    by_setting: dict[tuple[str, str, str, str], list[Array]] = {}
    cells: dict[str, list[Array]] = {mean: [] for mean in MEANS}
    for dimension in outcomes.dimensions:
        used = degrees_used(outcomes, dimension)
        for setting in (RULE, *outcomes.cases.attacked_settings, None) if used else ():
            part = TOGETHER if setting is None else RULE if setting == RULE else ATTACKED
            grid = grid_of(outcomes, dimension, setting, without)
            if not grid.has_case.any():
                continue
            for estimate in ESTIMATES:
                recalls = _recalls(estimate_of(grid, estimate)[:, :, used], outcomes.labels, weights)
                for mean in MEANS:
                    joined = _joined(recalls, outcomes.labels, mean)
                    by_setting.setdefault((dimension, part, estimate, mean), []).append(_ewma(joined))
                    if estimate == "average" and setting is not None:
                        cells[mean].append(joined[0] == 0)
    # Attacked settings of a dimension count the same.
    parts = {key: np.mean(figures, axis=0) for key, figures in by_setting.items()}
    clean = _recalls(outcomes.clean[:, :, None].astype(float), outcomes.labels, weights)
    chosen = headline_of(outcomes)
    return Headlines(
        candidates={
            Candidate(*names): _headline(parts, *names)
            for names in (
                (mean, estimate, part) for mean in MEANS for estimate in ESTIMATES for part in PARTS
            )
        },
        clean={mean: _joined(clean, outcomes.labels, mean)[..., 0] for mean in MEANS},
        dimensions={
            dimension: np.mean(
                [parts[key] for key in parts if _is_of(key, dimension, chosen.estimate, chosen.mean)], axis=0
            )
            for dimension in dict.fromkeys(key[0] for key in parts)
        },
        is_zero={mean: np.concatenate(own, axis=1) for mean, own in cells.items()},
    )


def figures_of_version_1(outcomes: Outcomes, weights: Array) -> dict[str, Array]:
    """Return what version 1 ranked by, and other figures that ask for nothing new; draws × models."""
    cases = outcomes.cases
    tier = cases.is_transferable
    found = {}
    for estimate in ESTIMATES:
        by_setting = {
            name: _mean_before(
                outcomes,
                weights,
                (cases.setting == name) & (tier | (name == RULE)),
                is_worst=estimate == "worst",
            )
            for name in dict.fromkeys((RULE, "score", *cases.attacked_settings))
        }
        present = [figures for figures in by_setting.values() if figures is not None]
        found[f"version 1 {estimate}"] = np.mean(present, axis=0)
        if by_setting["score"] is not None:
            found[f"version 1 {estimate} of score"] = by_setting["score"]
    found["clean accuracy"] = weights @ outcomes.clean.T / weights.sum(axis=1, keepdims=True)
    if tier.any():
        of_cases = weights[:, cases.sample[tier]]
        total = np.maximum(of_cases.sum(axis=1, keepdims=True), 1)
        found["transferable accuracy"] = of_cases @ cases.right[:, tier].T / total
    return found


def _mean_before(outcomes: Outcomes, weights: Array, kept: Array, *, is_worst: bool) -> Array | None:
    """Return the mean over dimensions of EWMA, each degree over the samples that have a case at it."""
    cases, n_samples = outcomes.cases, len(outcomes.labels)
    by_dimension = []
    for dimension in outcomes.dimensions:
        figures = []
        holds = np.ones(outcomes.clean.shape)
        for degree in outcomes.degrees[dimension]:
            places = np.flatnonzero(kept & (cases.dimension == dimension) & (cases.degree == degree))
            n_cases = np.bincount(cases.sample[places], minlength=n_samples)
            n_right = np.array(
                [
                    np.bincount(cases.sample[places], weights=row, minlength=n_samples)
                    for row in cases.right[:, places]
                ]
            )
            holds = holds * (n_right == n_cases)
            if (n_cases > 0).sum() >= LEAST_SAMPLES_BEFORE:
                own = weights * (n_cases > 0)
                share = holds if is_worst else n_right / np.maximum(n_cases, 1)
                figures.append(own @ share.T / np.maximum(own.sum(axis=1, keepdims=True), 1))
        if figures:
            by_dimension.append(_ewma(np.stack(figures, axis=-1)))
    return np.mean(by_dimension, axis=0) if by_dimension else None


def _recalls(shares: Array, labels: Array, weights: Array) -> Array:
    """Return the mean over each label's samples: draws × models × degrees × labels."""
    found = []
    for label in np.unique(labels):
        own = weights[:, labels == label]
        total = own.sum(axis=1)[:, None, None]
        found.append(np.einsum("ds,msg->dmg", own, shares[:, labels == label]) / total)
    return np.stack(found, axis=-1)


def _joined(recalls: Array, labels: Array, mean: str) -> Array:
    """Return one figure for all labels."""
    if mean == "plain":
        _, counts = np.unique(labels, return_counts=True)
        return np.asarray(recalls @ (counts / counts.sum()))
    if mean == "G":
        return np.asarray(np.prod(recalls, axis=-1) ** (1 / recalls.shape[-1]))
    balanced = recalls.mean(axis=-1)
    chance = 1 / recalls.shape[-1]
    return np.asarray(balanced if mean == "balanced" else np.maximum(0, (balanced - chance) / (1 - chance)))


def _ewma(figures: Array) -> Array:
    """Return the weighted mean over the last axis, from the highest degree to the lowest."""
    value = figures[..., -1]
    for place in range(figures.shape[-1] - 2, -1, -1):
        value = BETA * value + (1 - BETA) * figures[..., place]
    return np.asarray(value)


def _headline(parts: Mapping[tuple[str, str, str, str], Array], mean: str, estimate: str, part: str) -> Array:
    """Return the mean over dimensions of a part, or of the means of both."""
    wanted = {"rule": (RULE,), "attempts": (ATTACKED,), "both": (RULE, ATTACKED)}.get(part, (part,))
    means = [
        np.mean([own for key, own in parts.items() if key[1:] == (one, estimate, mean)], axis=0)
        for one in wanted
        if any(key[1:] == (one, estimate, mean) for key in parts)
    ]
    return np.asarray(np.mean(means, axis=0))


def _is_of(key: tuple[str, str, str, str], dimension: str, estimate: str, mean: str) -> bool:
    return key[1] != TOGETHER and (key[0], key[2], key[3]) == (dimension, estimate, mean)
