"""A part of a release: the rows of some samples, so that a file about them alone can be scored."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from contract.predictions.reading import Predictions
from evaluator.scoring.labelled_rows import LabelledRows, Stratum
from evaluator.scoring.votes import Votes


class Limited(NamedTuple):
    """The rows that a file is about, and its answers to them."""

    labelled: LabelledRows
    predictions: Predictions


def limited(labelled: LabelledRows, predictions: Predictions) -> Limited:
    """Return the rows that a file is about: all of them, unless it says that it is about a part.

    Which degrees count is still decided by the whole release.
    """
    is_counted = labelled.is_counted
    if predictions.limited is None and is_counted is None:
        return Limited(labelled, predictions)
    is_in = np.ones(len(labelled.rows), np.bool_) if is_counted is None else is_counted
    if predictions.limited is not None:
        is_in = is_in & predictions.limited.is_in
    rows = labelled.rows.only(is_in)
    samples = labelled.samples[is_in]
    strata: dict[str, tuple[Stratum, ...]] = {}
    task_of_row = rows.task_of_row
    for place, task in enumerate(rows.tasks):
        of_task = task_of_row == place
        kept, samples[of_task] = np.unique(samples[of_task], return_inverse=True)
        strata[task.name] = tuple(_fewer(labelled.strata[task.name], kept))
    votes = labelled.votes
    probabilities = predictions.probabilities
    return Limited(
        LabelledRows(
            rows=rows,
            labels=labelled.labels[is_in],
            samples=samples,
            strata=strata,
            votes=None
            if votes is None
            else Votes(
                labels=votes.labels[is_in],
                sources=votes.sources[is_in],
                source_fooled=votes.source_fooled[is_in],
            ),
            # Decoys are no rows of the benchmark: without them it is whole.
            whole=None if predictions.limited is None else labelled,
        ),
        replace(
            predictions,
            labels=predictions.labels[is_in],
            probabilities=None if probabilities is None else probabilities[is_in],
            lists=None if predictions.lists is None else predictions.lists.only(is_in),
            limited=None,
        ),
    )


def _fewer(strata: tuple[Stratum, ...], kept: NDArray[np.int32]) -> list[Stratum]:
    """Return the strata of the samples that are kept, which are given in order."""
    fewer = []
    for stratum in strata:
        start, stop = (int(place) for place in np.searchsorted(kept, (stratum.start, stratum.stop)))
        if stop > start:
            fewer.append(stratum._replace(start=start, stop=stop))
    return fewer
