"""The headline of a result made anew from its cells, with a part of the release left out."""

from collections.abc import Iterator

import numpy as np

from contract.schema.manifest import Manifest
from contract.schema.names import KEY_WITHOUT_DEGREE
from contract.schema.results import Result, SettingScore
from contract.schema.stability import LeftOut
from evaluator.metrics.ewma import ewma
from evaluator.metrics.inputs import Cell
from evaluator.metrics.overall import overall
from evaluator.scoring.overall_scores import headline_cells


def headline(result: Result, manifest: Manifest, what: LeftOut | None = None, name: str = "") -> float | None:
    """Return the headline, by the estimate that ranks, without a part; nothing where no cell is left."""
    if what == "family":
        without = result.without_families.get(name)
        return None if without is None else without.score
    scores = {}
    for cell, score in _cells(result):
        if name in {"task": {cell.task}, "dimension": {cell.dimension}, "setting": {cell.setting}}.get(
            what or "", set()
        ):
            continue
        value = _over_degrees(score, result, name if what == "degree" else None)
        if value is not None:
            scores[cell] = np.array(value)
    return float(overall(headline_cells(scores, manifest))) if scores else None


def parts_of(result: Result, manifest: Manifest) -> Iterator[tuple[LeftOut, str]]:
    """Yield what can be left out of a result: each part of which there are two or more."""
    cells = [cell for cell, _ in _cells(result)]
    degrees = {degree for _, score in _cells(result) for degree in score.degrees_used}
    order = manifest.dimension_order()
    found: dict[LeftOut, list[str]] = {
        "family": list(result.without_families),
        "dimension": [name for name in order if any(cell.dimension == name for cell in cells)],
        "degree": sorted(degrees - {KEY_WITHOUT_DEGREE}, key=float),
        "task": list(dict.fromkeys(cell.task for cell in cells)),
        "setting": list(dict.fromkeys(cell.setting for cell in cells)),
    }
    for what, names in found.items():
        if len(names) > 1:
            yield from ((what, name) for name in names)


def _cells(result: Result) -> Iterator[tuple[Cell, SettingScore]]:
    for task, of_task in result.tasks.items():
        for dimension, settings in of_task.dimensions.items():
            for setting, score in settings.items():
                if score.score is not None:
                    yield Cell(task, dimension, setting), score


def _over_degrees(score: SettingScore, result: Result, without: str | None) -> float | None:
    """Return the score over the used degrees but one; nothing where no other is left."""
    if without is None or without not in score.degrees_used:
        return None if score.score is None else score.score.ewma
    left = [key for key in score.degrees_used if key != without]
    values = [score.degrees[key].score for key in sorted(left, key=_degree_order, reverse=True)]
    known = [value for value in values if value is not None]
    if not known:
        return None
    return ewma(known, beta=result.settings.beta, start=result.settings.ewma_start)


def _degree_order(key: str) -> float:
    return -1.0 if key == KEY_WITHOUT_DEGREE else float(key)
