"""What every model made of every case of a release, as arrays, and the same by sample and degree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranks import independent
from benchmarks.ranks.jobs import INDEPENDENT, LIVE, Workspace
from builder.dimensions import CORE_DIMENSIONS
from contract.schema.names import TRANSFERABLE

Array = NDArray[Any]
RULE = "rule"
# A degree counts when so many of the task's samples have a random case at it.
LEAST_SHARE = 0.1
_COLUMNS = ("sample_id", "label", "source", "surrogate_predictions")


@dataclass(frozen=True, kw_only=True)
class Cases:
    """The cases of a release, one entry each; `right` and `surrogates_right` have one row a model."""

    sample: Array
    dimension: Array
    degree: Array
    setting: Array
    is_transferable: Array
    source: Array
    right: Array
    # 1, 0, or NaN where a surrogate was not asked.
    surrogates_right: Array

    @property
    def attacked_settings(self) -> list[str]:
        """The settings in which a source was attacked."""
        return [setting for setting in sorted(set(self.setting.tolist())) if setting != RULE]


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """All outcomes of a task: clean, on the release, live, and under the independent attack."""

    task: str
    models: tuple[str, ...]
    # The label of each sample, and how many there are.
    labels: Array
    n_labels: int
    # Model × sample.
    clean: Array
    live: Array
    independent: Array
    # By dimension, model × sample: for what defended pairs are worth.
    live_by_dimension: Mapping[str, Array]
    cases: Cases
    surrogates: tuple[str, ...]
    kinds: tuple[str, ...]
    families: tuple[str, ...]
    dimensions: tuple[str, ...]
    degrees: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Figures of one dimension and setting: model × sample × degree, all over all samples of the task.

    `average` is the share of the sample's cases that is right, `worst` whether all up to the degree are;
    both are 0 where the clean text is wrong.
    """

    average: Array
    worst: Array
    # Sample × degree.
    has_case: Array


def read_outcomes(workspace: Workspace) -> Outcomes:
    """Return everything that the jobs of a task have found."""
    names = [model.name for model in workspace.models]
    samples = workspace.task.samples
    labels = np.array([sample.label for sample in samples])
    predictions = np.array([np.load(workspace.predictions_path(name)) for name in names])
    by_dimension = {
        dimension: np.array(
            [np.load(workspace.part_path(name, LIVE, dimension)).mean(axis=1) for name in names]
        )
        for dimension in CORE_DIMENSIONS
    }
    attacked = [
        [np.load(workspace.part_path(name, INDEPENDENT, attack)).mean(axis=1) for name in names]
        for attack in independent.ATTACKS
    ]
    manifest = workspace.release.manifest
    own = [surrogate for surrogate in manifest.surrogates if surrogate.task == workspace.task_name]
    return Outcomes(
        task=workspace.task_name,
        models=tuple(names),
        labels=labels,
        n_labels=len(workspace.task.info.labels),
        clean=predictions[:, : len(samples)] == labels,
        live=np.mean(list(by_dimension.values()), axis=0),
        independent=np.mean(attacked, axis=0),
        live_by_dimension=by_dimension,
        cases=_cases(workspace, predictions[:, len(samples) :]),
        surrogates=tuple(surrogate.name for surrogate in own),
        kinds=tuple(surrogate.kind for surrogate in own),
        families=tuple(surrogate.family for surrogate in own),
        dimensions=tuple(dimension.name for dimension in manifest.dimensions),
        degrees={dimension.name: dimension.degrees for dimension in manifest.dimensions},
    )


def _cases(workspace: Workspace, predictions: Array) -> Cases:
    """Return the cases of both files of every degree, in the order of the predictions."""
    place = {sample.id: number for number, sample in enumerate(workspace.task.samples)}
    sample, label, source, votes = [], [], [], []
    per_split: dict[str, list[Any]] = {"dimension": [], "degree": [], "setting": [], "is_transferable": []}
    for split in workspace.splits():
        columns = workspace.release.table(split, list(_COLUMNS)).to_pydict()
        sample += [place[name] for name in columns["sample_id"]]
        label += columns["label"]
        source += [name or "" for name in columns["source"]]
        votes += columns["surrogate_predictions"]
        values = (split.dimension, split.degree, split.setting, split.tier == TRANSFERABLE)
        for name, value in zip(per_split, values, strict=True):
            per_split[name] += [value] * len(columns["label"])
    given = np.array(votes, dtype=float).T
    surrogates_right = np.where(np.isnan(given), np.nan, given == np.array(label))
    return Cases(
        sample=np.array(sample),
        source=np.array(source),
        right=predictions == np.array(label),
        surrogates_right=surrogates_right,
        **{name: np.array(values) for name, values in per_split.items()},
    )


def grid_of(outcomes: Outcomes, dimension: str, setting: str | None, without: Sequence[str] = ()) -> Grid:
    """Return a dimension's figures in one setting or in all, without attempts against some sources."""
    cases = outcomes.cases
    kept = cases.dimension == dimension
    if setting is not None:
        kept &= cases.setting == setting
    kept &= ~np.isin(cases.source, list(without))
    clean = outcomes.clean.astype(float)
    share, holds = clean, clean.copy()
    averages, worsts, has_case = [], [], []
    for degree in outcomes.degrees[dimension]:
        places = np.flatnonzero(kept & (cases.degree == degree))
        n_cases = np.bincount(cases.sample[places], minlength=clean.shape[1])
        n_right = np.array(
            [
                np.bincount(cases.sample[places], weights=row, minlength=clean.shape[1])
                for row in cases.right[:, places]
            ]
        )
        has_any = n_cases > 0
        # A sample without a case here keeps what it had at the highest lower degree, or when clean.
        share = np.where(has_any, clean * n_right / np.maximum(n_cases, 1), share)
        holds = np.where(has_any, holds * (n_right == n_cases), holds)
        averages.append(share)
        worsts.append(holds)
        has_case.append(has_any)
    return Grid(
        average=np.stack(averages, axis=2),
        worst=np.stack(worsts, axis=2),
        has_case=np.stack(has_case, axis=1),
    )


def degrees_used(outcomes: Outcomes, dimension: str) -> list[int]:
    """Return the places of the degrees at which enough samples have a random case."""
    share = grid_of(outcomes, dimension, RULE).has_case.mean(axis=0)
    return [int(place) for place in np.flatnonzero(share >= LEAST_SHARE)]
