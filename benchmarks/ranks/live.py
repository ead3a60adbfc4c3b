"""Attacks a model live: the builder's own `score` search on the model itself."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from builder.live.remembering import remembering
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, Source
from builder.tasks.task import Task
from builder.units.planning import SAMPLES_PER_UNIT
from classifiers.machinery.inference import Inference

# A release is built with another one: no model is attacked along the paths of the release.
SEED = 1009
# Degrees of one attack, by measure: few and low ones, since what is at stake is the order of models.
DEGREES = {"words": (0.05, 0.1, 0.3), "edit": (0.05, 0.1, 0.2)}
# The same for all: a model that gets fewer questions seems more robust than it is.
MAX_QUERIES = 100

Flags = NDArray[np.bool_]


def degrees_of(dimension: AnyDimension) -> tuple[float, ...]:
    """Return the degrees of the live attack: a few budgets, or all bins."""
    return DEGREES.get(dimension.measure, dimension.degrees)


def attack(
    name: str, inference: Inference, screener: Inference | None, task: Task, dimension_name: str
) -> Flags:
    """Return for each sample and degree whether the model is right when clean and at all degrees so far."""
    dimension = _remembering(dimension_name)
    degrees = degrees_of(dimension)
    place = {sample.id: number for number, sample in enumerate(task.samples)}
    clean = inference.votes([(sample.text, None) for sample in task.samples])
    is_right = np.array(clean) == np.array([sample.label for sample in task.samples])
    holds = np.repeat(is_right[:, None], len(degrees), axis=1)
    for start in range(0, len(task.samples), SAMPLES_PER_UNIT):
        request = SearchRequest(
            task=task.info.name,
            perturbed="text",
            samples=task.samples[start : start + SAMPLES_PER_UNIT],
            dimension=dimension,
            degrees=degrees,
            n_cases=1,
            seed=SEED,
            resources=Resources(associations=task.associations),
            source=Source(
                name=name,
                inference=inference,
                screener=screener,
                max_queries=MAX_QUERIES,
            ),
        )
        records = SEARCHES["score"].run(request).records
        votes = inference.votes([(record.text, record.text_pair) for record in records])
        for record, vote in zip(records, votes, strict=True):
            if vote != record.label and record.degree is not None:
                holds[place[record.sample_id], degrees.index(record.degree)] = False
    return np.logical_and.accumulate(holds, axis=1)


@cache
def _remembering(name: str) -> AnyDimension:
    """Return a dimension that remembers what it proposes for a text: every model is attacked on the same."""
    return remembering(name)
