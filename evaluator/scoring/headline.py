"""The headline numbers of a result, from the final scores of all tasks, dimensions and settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from contract.schema.manifest import Manifest
from contract.schema.results import Overall, Pair, ScoreSettings
from evaluator.metrics.metric import Numbers
from evaluator.metrics.overall import Cell, overall, overall_where
from evaluator.scoring.rounding import aggregate, fraction, fraction_interval
from evaluator.scoring.validity import ValidityWeights


@dataclass(frozen=True, kw_only=True, eq=False)
class CellScores:
    """Final scores of one task, dimension and setting: the score first, then the score on every draw."""

    average: Numbers
    worst: Numbers
    valid_average: Numbers | None = None
    valid_worst: Numbers | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Summary:
    """The overall scores, also on every draw."""

    overall: Overall
    average: Numbers
    worst: Numbers


def overall_of(
    cells: Mapping[Cell, CellScores],
    clean: Mapping[str, Numbers],
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

    weighted = {} if weights is None else _validity_weighted(cells, weights)
    headline = Overall(
        clean=fraction(float(np.mean([fraction(drawn[0]) for drawn in clean.values()]))) if clean else None,
        clean_ci=fraction_interval(np.mean(list(clean.values()), axis=0), settings) if clean else None,
        average=aggregate(overall(average), settings),
        worst=aggregate(overall(worst), settings),
        settings=pairs(lambda cell: cell.setting),
        general=pair(lambda cell: tags.get(cell.dimension) == "general"),
        malicious=pair(lambda cell: tags.get(cell.dimension) == "malicious"),
        dimensions=pairs(lambda cell: cell.dimension),
        validity_weighted={name: fraction(scores[0]) for name, scores in weighted.items()},
        validity_weighted_ci={
            name: interval
            for name, scores in weighted.items()
            if (interval := fraction_interval(scores, settings)) is not None
        },
    )
    return Summary(overall=headline, average=overall(average), worst=overall(worst))


def _validity_weighted(cells: Mapping[Cell, CellScores], weights: ValidityWeights) -> dict[str, Numbers]:
    """Return the overall scores with degrees weighted by validity; dimensions without weights stay out.

    The score comes first, then the score on every draw.
    """
    figures = {}
    for name in ("average", "worst"):
        found = {cell: getattr(scores, f"valid_{name}") for cell, scores in cells.items()}
        known = {cell: value for cell, value in found.items() if value is not None}
        if known:
            figures[f"{weights.name}/{name}"] = overall(known)
    return figures
