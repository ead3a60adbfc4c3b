"""The overall scores of a result, from the final scores of all tasks, dimensions and settings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from contract.schema.figures import Scored
from contract.schema.manifest import CORE, Manifest
from contract.schema.results import Overall, Pair, ScoreSettings, TransferableScore
from evaluator.metrics import METRICS
from evaluator.metrics.inputs import Cell
from evaluator.metrics.metric import Metric
from evaluator.metrics.overall import ATTACKED, OVERALL, half_of, halves_of, over_setting, overall
from evaluator.metrics.ratio import Numbers
from evaluator.metrics.validity_weighted import VALIDITY_WEIGHTED
from evaluator.scoring.figures import ESTIMATES
from evaluator.scoring.rounding import aggregate, as_metrics, fraction, fraction_interval, scored

_Of = TypeVar("_Of")


@dataclass(frozen=True, kw_only=True, eq=False)
class CellScores:
    """Final scores of one task, dimension and setting: the score first, then the score on every draw."""

    average: Numbers
    worst: Numbers
    # By metrics over degrees other than EWMA and their names for a figure, then average and worst.
    others: Mapping[tuple[Metric, str], Mapping[str, Numbers]]


@dataclass(frozen=True, kw_only=True, eq=False)
class CleanFigures:
    """Clean scores by task, the score first, then the score on every draw; and plain clean accuracies."""

    scores: Mapping[str, Numbers]
    accuracies: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Summary:
    """The overall scores, also on every draw."""

    overall: Overall
    average: Numbers
    worst: Numbers


def headline_cells(cells: Mapping[Cell, _Of], manifest: Manifest) -> dict[Cell, _Of]:
    """Return the cells that the headline is about: of core dimensions, or of all where there is none."""
    groups = {info.name: info.group for info in manifest.dimensions}
    core = {cell: value for cell, value in cells.items() if groups.get(cell.dimension, CORE) == CORE}
    return core or dict(cells)


def key_over_degrees(metric: Metric, name: str, estimate: str) -> str:
    """Return the key of a metric's figure over degrees: of its only one, or of the one of this name."""
    return "/".join(filter(None, [metric.key, name, estimate]))


def overall_of(
    cells: Mapping[Cell, CellScores],
    clean: CleanFigures,
    manifest: Manifest,
    settings: ScoreSettings,
    transferable: TransferableScore | None = None,
) -> Summary | None:
    """Return the overall scores, or nothing when no cell could be scored."""
    if not cells:
        return None
    core = headline_cells(cells, manifest)
    average, worst = (_estimates(core, estimate) for estimate in ESTIMATES)
    others = _other_figures(core, settings)
    # The result has a field for these, in which the weights are named.
    prefix = f"{VALIDITY_WEIGHTED.key}/"
    weighted = {key.removeprefix(prefix): others.pop(key) for key in list(others) if key.startswith(prefix)}
    points = {task: fraction(drawn[0]) for task, drawn in clean.scores.items()}
    headline = Overall(
        covers=halves_of([cell.setting for cell in core]),
        clean=fraction(float(np.mean(list(points.values())))) if points else None,
        clean_ci=fraction_interval(np.mean(list(clean.scores.values()), axis=0), settings)
        if points
        else None,
        clean_accuracy=fraction(float(np.mean(list(clean.accuracies.values())))) if points else None,
        average=aggregate(overall(average), settings),
        worst=aggregate(overall(worst), settings),
        **_parts(cells, core, manifest, settings),
        transferable=transferable,
        validity_weighted={name: figure.value for name, figure in weighted.items()},
        validity_weighted_ci={
            name: figure.interval for name, figure in weighted.items() if figure.interval is not None
        },
        **as_metrics(others),
    )
    return Summary(overall=headline, average=overall(average), worst=overall(worst))


def _parts(
    cells: Mapping[Cell, CellScores],
    core: Mapping[Cell, CellScores],
    manifest: Manifest,
    settings: ScoreSettings,
) -> dict[str, Mapping[str, object]]:
    """Return the fields of parts: settings, then groups, tags and dimensions by setting."""
    infos = {info.name: info for info in manifest.dimensions}

    def by_name(of_cells: Mapping[Cell, CellScores], key: Callable[[Cell], str | None]) -> dict[str, object]:
        names = dict.fromkeys(name for cell in of_cells if (name := key(cell)) is not None)
        return {
            name: _by_setting({cell: of_cells[cell] for cell in of_cells if key(cell) == name}, settings)
            for name in names
        }

    return {
        "settings": _by_setting(core, settings),
        "groups": by_name(cells, lambda cell: infos[cell.dimension].group),
        "tags": by_name(core, lambda cell: infos[cell.dimension].tag),
        "dimensions": by_name(cells, lambda cell: cell.dimension),
    }


def _by_setting(cells: Mapping[Cell, CellScores], settings: ScoreSettings) -> dict[str, Pair]:
    """Return the means over tasks and dimensions of each setting, and of the attacked ones together."""
    own = list(dict.fromkeys(cell.setting for cell in cells))
    halves = [half for half in dict.fromkeys(map(half_of, own)) if half != ATTACKED or half not in own]
    average, worst = (_estimates(cells, estimate) for estimate in ESTIMATES)
    pairs: dict[str, Pair] = {}
    for setting in dict.fromkeys([*halves, *own]):
        of_average, of_worst = over_setting(average, setting), over_setting(worst, setting)
        if of_average is not None and of_worst is not None:
            pairs[setting] = Pair(
                average=aggregate(of_average, settings), worst=aggregate(of_worst, settings)
            )
    return pairs


def _estimates(cells: Mapping[Cell, CellScores], estimate: str) -> dict[Cell, Numbers]:
    return {cell: getattr(scores, estimate) for cell, scores in cells.items()}


def _other_figures(cells: Mapping[Cell, CellScores], settings: ScoreSettings) -> dict[str, Scored]:
    """Return the figures beside the overall EWMA scores, by metric and estimate."""
    drawn: dict[tuple[Metric, str, str], Numbers] = {}
    names: Sequence[tuple[Metric, str]] = list(
        dict.fromkeys(key for of_cell in cells.values() for key in of_cell.others)
    )
    for estimate in ESTIMATES:
        for metric in METRICS.values():
            if metric.over_cells is not None and metric is not OVERALL:
                drawn[metric, "", estimate] = metric.over_cells(_estimates(cells, estimate))
        for metric, name in names:
            # Cells to which the metric does not apply stay out.
            scores = {
                cell: of_cell.others[metric, name][estimate]
                for cell, of_cell in cells.items()
                if estimate in of_cell.others.get((metric, name), {})
            }
            if scores:
                drawn[metric, name, estimate] = overall(scores)
    return {
        key_over_degrees(metric, name, estimate): scored(scores, settings, is_fraction=metric.is_fraction)
        for (metric, name, estimate), scores in drawn.items()
    }
