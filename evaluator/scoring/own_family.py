"""The scores of a surrogate's relative without the cases that were made against its family."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from contract.machine.registry import unknown_name
from contract.predictions.reading import Predictions, ReleaseRows
from contract.schema.manifest import Manifest
from contract.schema.results import ModelInfo, ScoreSettings, WithoutOwnFamily
from evaluator.metrics.average import average
from evaluator.metrics.ewma import ewma_of_degrees
from evaluator.metrics.inputs import Cell, CellOutcomes, DegreeScores
from evaluator.metrics.overall import overall
from evaluator.metrics.ratio import Booleans, Numbers, Ratio
from evaluator.metrics.worst import worst
from evaluator.scoring.outcomes import LabelledRows, outcomes_of
from evaluator.scoring.rounding import fraction


def family_of(manifest: Manifest, surrogate: str) -> tuple[str, ...]:
    """Return the surrogates of a family: the one of that name, and the ensembles that ask it."""
    names = dict.fromkeys(info.name for info in manifest.surrogates)
    if surrogate not in names:
        raise unknown_name("surrogate", surrogate, names)
    return tuple(name for name in names if surrogate in {name, *name.removeprefix("ensemble:").split("+")})


def without_own_family(
    labelled: LabelledRows, predictions: Predictions, model: ModelInfo, settings: ScoreSettings
) -> WithoutOwnFamily | None:
    """Return the overall scores on cases not made against the model's family; nothing for other models."""
    manifest = labelled.rows.release.manifest
    if model.surrogate is None:
        return None
    sources = family_of(manifest, model.surrogate)
    if predictions.absent or manifest.labels == "withheld":
        # A partial result has no overall score; a withheld release does not say what cases were made against.
        return None
    is_own = _is_made_against(sources, labelled)
    cells = {
        cell: outcomes
        for task in outcomes_of(labelled, predictions, ~is_own)
        for cell, outcomes in task.cells.items()
    }
    used = {cell: _degrees_left(outcomes, settings) for cell, outcomes in cells.items()}
    averages: dict[Cell, Numbers] = {}
    worsts: dict[Cell, Numbers] = {}
    for cell, outcomes in cells.items():
        if used[cell]:
            counts = outcomes.n_right, outcomes.n_cases
            averages[cell] = _final(average(*counts), outcomes, used[cell], settings)
            worsts[cell] = _final(worst(*counts), outcomes, used[cell], settings)
    return WithoutOwnFamily(
        sources=sources,
        n_dropped=int(is_own.sum()),
        n_cases=sum(int(outcomes.n_cases.sum()) for outcomes in cells.values()),
        average=fraction(float(overall(averages))) if averages else None,
        worst=fraction(float(overall(worsts))) if worsts else None,
        not_scored=tuple(
            "/".join(cell)
            for cell, outcomes in cells.items()
            if not used[cell] and any(split.samples >= settings.min_samples for split in outcomes.splits)
        ),
    )


def _is_made_against(sources: tuple[str, ...], labelled: LabelledRows) -> Booleans:
    """Tell for each row whether it was made against one of the sources."""
    made_against = ReleaseRows.read(labelled.rows.release, ("source",)).table["source"]
    is_in = pc.is_in(made_against, value_set=pa.array(sources, pa.string()))
    return np.asarray(is_in.to_numpy(), np.bool_)


def _degrees_left(outcomes: CellOutcomes, settings: ScoreSettings) -> list[int]:
    """Return the columns of the degrees at which enough samples still have a case."""
    n_samples = (outcomes.n_cases > 0).sum(axis=0)
    return [column for column, n in enumerate(n_samples) if n >= max(settings.min_samples, 1)]


def _final(score: Ratio, outcomes: CellOutcomes, used: list[int], settings: ScoreSettings) -> Numbers:
    """Return one score for the degrees that are left."""
    of_used = Ratio(numerator=score.numerator[:, used], denominator=score.denominator[:, used])
    degrees = tuple(outcomes.splits[column].degree for column in used)
    by_degree = DegreeScores(degrees=degrees, scores=of_used.value()[:, None], settings=settings)
    return np.asarray(ewma_of_degrees(by_degree)[0])
