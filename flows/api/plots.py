"""Curves and radars of results, drawn by matplotlib where it is installed."""

import math
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from contract.machine.errors import ExitCode, UserError
from contract.schema.results import Result, SettingScore
from flows.api.values import needed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 3
FEWEST_AXES = 3
# A curve ends at the highest degree at which this share of the samples has a case.
FEWEST_WITH_CASE = 0.1

# Task and dimension.
_Cell = tuple[str, str]


def curves(results: Sequence[Result], setting: str | None) -> "Figure":
    """Return a figure with one panel a task and dimension: average and worst against degree."""
    chosen = _setting_of(results, setting)
    cells = list(dict.fromkeys(cell for result in results for cell in _cells(result, chosen)))
    n_rows = math.ceil(len(cells) / COLUMNS)
    figure, panels = _pyplot().subplots(
        n_rows, COLUMNS, figsize=(4 * COLUMNS, 3 * n_rows), sharey=True, squeeze=False, layout="constrained"
    )
    axes = list(chain.from_iterable(panels))
    for axis in axes[len(cells) :]:
        axis.set_visible(False)
    for axis, (task, dimension) in zip(axes, cells, strict=False):
        for number, result in enumerate(results):
            cell = _cells(result, chosen).get((task, dimension))
            if cell is not None:
                _draw_curve(axis, result, task, cell, f"C{number}")
        axis.set(title=f"{task}: {dimension}", ylim=(0, 1), xlabel="degree")
    axes[0].set_ylabel("robust recall")
    axes[0].legend(fontsize="small")
    figure.suptitle(f"Setting {chosen}: average (solid) and worst (dotted)")
    return _closed(figure)


def radar(results: Sequence[Result], setting: str | None) -> "Figure":
    """Return a figure with one axis a task and dimension, and the average of each result on it."""
    chosen = _setting_of(results, setting)
    scored = [{cell: score.average for cell, score in _cells(result, chosen).items()} for result in results]
    cells = [cell for cell in scored[0] if all(each.get(cell) is not None for each in scored)]
    if len(cells) < FEWEST_AXES:
        raise UserError(
            f"a radar needs {FEWEST_AXES} dimensions in which all results have a score, found {len(cells)};"
            " plot curves instead"
        )
    angles = [2 * math.pi * place / len(cells) for place in range(len(cells))]
    figure, axis = _pyplot().subplots(subplot_kw={"projection": "polar"}, layout="constrained")
    for result, of_result in zip(results, scored, strict=True):
        values = [average.ewma for cell in cells if (average := of_result[cell]) is not None]
        axis.plot([*angles, angles[0]], [*values, values[0]], label=result.model.name)
    has_tasks = len({task for task, _ in cells}) > 1
    axis.set_xticks(angles, [f"{task}: {name}" if has_tasks else name for task, name in cells])
    axis.set(ylim=(0, 1), title=f"Setting {chosen}: average")
    axis.legend(loc="lower left", bbox_to_anchor=(0.9, -0.1), fontsize="small")
    return _closed(figure)


def _draw_curve(axis: Any, result: Result, task: str, cell: SettingScore, colour: str) -> None:
    drawn = [
        (float(key), score)
        for key, score in cell.degrees.items()
        if _is_number(key) and score.share_with_case >= FEWEST_WITH_CASE
    ]
    clean = result.tasks[task].clean
    first = [] if clean is None else [clean.score]
    degrees = [*(0.0 for _ in first), *(degree for degree, _ in drawn)]
    name = result.model.name
    averages = [*first, *(score.average for _, score in drawn)]
    axis.plot(degrees, averages, color=colour, marker="o", markersize=3, label=name)
    axis.plot(degrees, [*first, *(score.worst for _, score in drawn)], color=colour, linestyle=":")


def _setting_of(results: Sequence[Result], setting: str | None) -> str:
    """Return the setting to draw: settings are never mixed."""
    known = dict.fromkeys(
        name
        for result in results
        for task in result.tasks.values()
        for settings in task.dimensions.values()
        for name in settings
    )
    if not known:
        raise UserError("there is nothing to draw: no dimension has a score")
    if setting is not None and setting not in known:
        raise UserError(
            f"no score in the setting {setting!r}; there are: {', '.join(known)}",
            exit_code=ExitCode.WRONG_USE,
        )
    return setting or next(iter(known))


def _cells(result: Result, setting: str) -> dict[_Cell, SettingScore]:
    return {
        (task, dimension): settings[setting]
        for task, score in result.tasks.items()
        for dimension, settings in score.dimensions.items()
        if setting in settings
    }


def _is_number(key: str) -> bool:
    return key.replace(".", "", 1).isdecimal()


def _pyplot() -> Any:
    return needed("matplotlib.pyplot", "matplotlib", "plot()")


def _closed(figure: "Figure") -> "Figure":
    """Return a figure that is shown where it is returned, and not a second time at the end of a cell."""
    _pyplot().close(figure)
    return figure
