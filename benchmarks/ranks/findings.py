"""What the outcomes of a task say about ranks, and which of the expected lines hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranks.headlines import (
    MEANS,
    Candidate,
    Headlines,
    figures_of_version_1,
    headline_of,
    headlines_of,
)
from benchmarks.ranks.kin import Relation, relations_of
from benchmarks.ranks.models import Model
from benchmarks.ranks.outcomes import RULE, Outcomes
from benchmarks.ranks.statistics import Estimate, estimate, sample_weights, signs, tau

Array = NDArray[Any]
N_DRAWS = 400
N_HALVES = 100
# Models this near in clean accuracy are told apart by robustness alone.
NEAR = 0.03


class Taus(NamedTuple):
    """The τ of one figure with what it should agree with."""

    live: Estimate
    independent: Estimate
    # With live robustness, among pairs of models of like clean accuracy.
    near: Estimate
    # Of figure ÷ clean with live ÷ clean; figures of version 1 have none.
    ratio: Estimate | None


class Pair(NamedTuple):
    """A defended model and its twin: by how much it is better in what it defends."""

    model: str
    twin: str
    dimensions: tuple[str, ...]
    frozen: float
    live: float


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The figures of one task."""

    task: str
    n_samples: int
    n_cases: int
    headline: Candidate
    models: Sequence[dict[str, Any]]
    candidates: dict[str, Taus]
    others: dict[str, Taus]
    # By mean of labels: of trained models' `average` cells, the share that is exactly 0.
    zeros: dict[str, float]
    # Ranks with the attempts against one surrogate, or one family, left out; τ with the whole headline's.
    without_surrogate: dict[str, float]
    without_family: dict[str, float]
    # With attempts against one family alone, τ with live robustness.
    one_family: dict[str, float]
    pairs: Sequence[Pair]
    kin: Sequence[Relation]
    # Whether what the headline is compared with agrees with itself: the two attacks with each other, and
    # live robustness on half of the samples with that on the other half.
    live_with_independent: float
    halves_of_live: float


def findings_of(outcomes: Outcomes, models: Sequence[Model]) -> Findings:
    """Return everything that is to be said about a task."""
    weights = sample_weights(outcomes.labels, N_DRAWS)
    found = headlines_of(outcomes, weights)
    live = _mean_over_samples(outcomes.live, weights)
    independent = _mean_over_samples(outcomes.independent, weights)
    clean = _mean_over_samples(outcomes.clean.astype(float), weights)
    own, whole = headline_of(outcomes), weights[:1]
    is_near = (_distances(clean[0]) <= NEAR + 1e-9).astype(float)

    def taus(figures: Array, clean_figures: Array | None) -> Taus:
        ratio = None
        if clean_figures is not None:
            ratio = estimate(_ratio(figures, clean_figures), _ratio(live, clean))
        return Taus(
            live=estimate(figures, live),
            independent=estimate(figures, independent),
            near=estimate(figures, live, is_near),
            ratio=ratio,
        )

    full = signs(found.candidates[own][0])

    def ranks_without(sources: Sequence[str]) -> float:
        figures = headlines_of(outcomes, whole, sources).candidates[own][0]
        return float(tau(full, signs(figures)))

    def live_with(family: str) -> float:
        sources = [name for name, other in _surrogates(outcomes) if other != family]
        figures = headlines_of(outcomes, whole, sources).candidates[own][0]
        return float(tau(signs(live[0]), signs(figures)))

    attacked = set(outcomes.cases.source[outcomes.cases.setting != RULE].tolist())
    sources = [(name, family) for name, family in _surrogates(outcomes) if name in attacked]
    families = list(dict.fromkeys(family for _, family in sources))
    return Findings(
        task=outcomes.task,
        n_samples=len(outcomes.labels),
        n_cases=len(outcomes.cases.sample),
        headline=own,
        models=_model_rows(outcomes, models, found, (clean[0], live[0], independent[0])),
        candidates={
            str(name): taus(figures, found.clean[name.mean]) for name, figures in found.candidates.items()
        },
        others={
            name: taus(figures, None) for name, figures in figures_of_version_1(outcomes, weights).items()
        },
        zeros={mean: _share_of_zeros(found, models, mean) for mean in MEANS},
        without_surrogate={name: ranks_without([name]) for name, _ in sources},
        without_family={
            family: ranks_without([name for name, other in sources if other == family]) for family in families
        },
        one_family={family: live_with(family) for family in families},
        pairs=_pairs(outcomes, models, found),
        kin=relations_of(outcomes, models),
        live_with_independent=float(tau(signs(live[0]), signs(independent[0]))),
        halves_of_live=agreement_of_halves(outcomes.live),
    )


def _surrogates(outcomes: Outcomes) -> list[tuple[str, str]]:
    return list(zip(outcomes.surrogates, outcomes.families, strict=True))


def _mean_over_samples(by_sample: Array, weights: Array) -> Array:
    """Return draws × models."""
    return np.asarray(weights @ by_sample.T / np.maximum(weights.sum(axis=1, keepdims=True), 1))


def agreement_of_halves(by_sample: Array) -> float:
    """Return the mean τ of figures from one half of the samples with those from the other."""
    generator = np.random.default_rng(0)
    found = []
    for _ in range(N_HALVES):
        order = generator.permutation(by_sample.shape[1])
        one, other = np.array_split(order, 2)
        found.append(tau(signs(by_sample[:, one].mean(axis=1)), signs(by_sample[:, other].mean(axis=1))))
    return float(np.mean(found))


def _distances(figures: Array) -> Array:
    first, second = np.triu_indices(len(figures), k=1)
    return np.asarray(np.abs(figures[first] - figures[second]))


def _ratio(figures: Array, clean: Array) -> Array:
    return np.asarray(np.where(clean > 0, figures / np.maximum(clean, 1e-9), 0))


def _share_of_zeros(found: Headlines, models: Sequence[Model], mean: str) -> float:
    is_trained = [model.is_trained for model in models]
    return float(found.is_zero[mean][is_trained].mean())


def _pairs(outcomes: Outcomes, models: Sequence[Model], found: Headlines) -> list[Pair]:
    place = {model.name: number for number, model in enumerate(models)}
    pairs = []
    for model in models:
        if model.twin is None or model.twin not in place:
            continue
        here, there = place[model.name], place[model.twin]
        frozen = [
            found.dimensions[name][0, here] - found.dimensions[name][0, there]
            for name in model.defends
            if name in found.dimensions
        ]
        by_dimension = [outcomes.live_by_dimension[name].mean(axis=1) for name in model.defends]
        live = [float(own[here] - own[there]) for own in by_dimension]
        pairs.append(
            Pair(model.name, model.twin, model.defends, float(np.mean(frozen)), float(np.mean(live)))
        )
    return pairs


def _model_rows(
    outcomes: Outcomes, models: Sequence[Model], found: Headlines, means: tuple[Array, Array, Array]
) -> list[dict[str, Any]]:
    """Return the figures of each model, the most robust first."""
    clean, live, independent = means
    own = headline_of(outcomes)
    rows = [
        {
            "model": model.name,
            "family": model.family,
            "clean": float(clean[place]),
            "live": float(live[place]),
            "independent": float(independent[place]),
            **{
                part: float(found.candidates[own._replace(part=part)][0, place])
                for part in ("rule", "attempts", "both")
            },
            "average": float(found.candidates[own._replace(estimate="average")][0, place]),
        }
        for place, model in enumerate(models)
    ]
    return sorted(rows, key=lambda row: -float(row["live"]))
