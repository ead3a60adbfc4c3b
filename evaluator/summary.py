"""The headline numbers of a result, from the final scores of all tasks, dimensions and settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from contract.manifest import Manifest
from contract.results import Overall, Pair, ScoreSettings
from evaluator.figures import aggregate, fraction
from evaluator.metrics.metric import Numbers
from evaluator.metrics.overall import Cell, overall, overall_where
from evaluator.validity import ValidityWeights


@dataclass(frozen=True, kw_only=True, eq=False)
class CellScores:
    """Final scores of one task, dimension and setting: the score first, then the score on every draw."""

    average: Numbers
    worst: Numbers
    valid_average: float | None = None
    valid_worst: float | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Summary:
    """The overall scores, also on every draw."""

    overall: Overall
    average: Numbers
    worst: Numbers


def overall_of(
    cells: Mapping[Cell, CellScores],
    clean: Mapping[str, float],
    manifest: Manifest,
    settings: ScoreSettings,
    weights: ValidityWeights | None = None,
) -> Summary | None:
    """Return the headline numbers, or nothing when no cell could be scored."""
    if not cells:
        return None
    average = {cell: scores.average for cell, scores in cells.items()}
    worst = {cell: scores.worst for cell, scores in cells.items()}
    tags = {info.name: info.tag for info in manifest.dimensions}

    def pair(is_wanted: Callable[[Cell], bool]) -> Pair | None:
        of_average, of_worst = overall_where(average, is_wanted), overall_where(worst, is_wanted)
        if of_average is None or of_worst is None:
            return None
        return Pair(average=aggregate(of_average, settings), worst=aggregate(of_worst, settings))

    def pairs(key: Callable[[Cell], str]) -> dict[str, Pair]:
        names = dict.fromkeys(key(cell) for cell in cells)
        found = {name: pair(lambda cell: key(cell) == name) for name in names}  # noqa: B023
        return {name: value for name, value in found.items() if value is not None}

    headline = Overall(
        clean=fraction(sum(clean.values()) / len(clean)) if clean else None,
        average=aggregate(overall(average), settings),
        worst=aggregate(overall(worst), settings),
        settings=pairs(lambda cell: cell.setting),
        general=pair(lambda cell: tags.get(cell.dimension) == "general"),
        malicious=pair(lambda cell: tags.get(cell.dimension) == "malicious"),
        dimensions=pairs(lambda cell: cell.dimension),
        validity_weighted={} if weights is None else _validity_weighted(cells, weights),
    )
    return Summary(overall=headline, average=overall(average), worst=overall(worst))


def _validity_weighted(cells: Mapping[Cell, CellScores], weights: ValidityWeights) -> dict[str, float]:
    """Return the overall scores with degrees weighted by validity; dimensions without weights stay out."""
    figures = {}
    for name in ("average", "worst"):
        found = {cell: getattr(scores, f"valid_{name}") for cell, scores in cells.items()}
        known = {cell: np.array(value) for cell, value in found.items() if value is not None}
        if known:
            figures[f"{weights.name}/{name}"] = fraction(float(overall(known)))
    return figures
