"""The overall scores of a result, from the final scores of all tasks, dimensions and settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from contract.schema.figures import Scored
from contract.schema.manifest import Manifest
from contract.schema.results import Overall, Pair, ScoreSettings
from evaluator.metrics import METRICS
from evaluator.metrics.inputs import Cell
from evaluator.metrics.metric import Metric
from evaluator.metrics.overall import OVERALL, overall, overall_where
from evaluator.metrics.ratio import Numbers
from evaluator.metrics.validity_weighted import VALIDITY_WEIGHTED
from evaluator.scoring.figures import ESTIMATES
from evaluator.scoring.rounding import aggregate, as_metrics, fraction, fraction_interval, scored
from evaluator.scoring.validity_weights import ValidityWeights


@dataclass(frozen=True, kw_only=True, eq=False)
class CellScores:
    """Final scores of one task, dimension and setting: the score first, then the score on every draw."""

    average: Numbers
    worst: Numbers
    # By metrics over degrees other than EWMA, then average and worst, where the metric applies.
    others: Mapping[Metric, Mapping[str, Numbers]]


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
    """Return the overall scores, or nothing when no cell could be scored."""
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
        by_name = {name: pair(lambda cell: key(cell) == name) for name in names}  # noqa: B023
        return {name: value for name, value in by_name.items() if value is not None}

    others = _other_figures(cells, settings)
    weighted: dict[str, Scored] = {}
    if weights is not None:
        # The result has a field for these, in which the weights are named.
        keys = {f"{VALIDITY_WEIGHTED.key}/{estimate}": f"{weights.name}/{estimate}" for estimate in ESTIMATES}
        weighted = {name: others.pop(key) for key, name in keys.items() if key in others}
    headline = Overall(
        clean=fraction(float(np.mean([fraction(drawn[0]) for drawn in clean.values()]))) if clean else None,
        clean_ci=fraction_interval(np.mean(list(clean.values()), axis=0), settings) if clean else None,
        average=aggregate(overall(average), settings),
        worst=aggregate(overall(worst), settings),
        settings=pairs(lambda cell: cell.setting),
        general=pair(lambda cell: tags.get(cell.dimension) == "general"),
        malicious=pair(lambda cell: tags.get(cell.dimension) == "malicious"),
        dimensions=pairs(lambda cell: cell.dimension),
        validity_weighted={name: figure.value for name, figure in weighted.items()},
        validity_weighted_ci={
            name: figure.interval for name, figure in weighted.items() if figure.interval is not None
        },
        **as_metrics(others),
    )
    return Summary(overall=headline, average=overall(average), worst=overall(worst))


def _other_figures(cells: Mapping[Cell, CellScores], settings: ScoreSettings) -> dict[str, Scored]:
    """Return the figures beside the overall EWMA scores, by metric and estimate."""
    drawn: dict[tuple[Metric, str], Numbers] = {}
    for metric in METRICS.values():
        for estimate in ESTIMATES:
            if metric.over_cells is not None and metric is not OVERALL:
                scores = {cell: getattr(of_cell, estimate) for cell, of_cell in cells.items()}
                drawn[metric, estimate] = metric.over_cells(scores)
            if metric.over_degrees is not None:
                # Cells to which the metric does not apply stay out.
                scores = {
                    cell: of_cell.others[metric][estimate]
                    for cell, of_cell in cells.items()
                    if estimate in of_cell.others.get(metric, {})
                }
                if scores:
                    drawn[metric, estimate] = overall(scores)
    return {
        f"{metric.key}/{estimate}": scored(scores, settings, is_fraction=metric.is_fraction)
        for (metric, estimate), scores in drawn.items()
    }
