"""All scores of a task in one table: degrees across, dimensions and settings down."""

from collections.abc import Mapping
from dataclasses import dataclass

from contract.schema.results import DegreeScore, Interval, TaskScore
from leaderboard.text.formatting import Figure, HeatScale, TableCell, figure, interval_text, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import scores_by_degree
from leaderboard.view.model_pages import ShownMetrics, clean_text
from leaderboard.view.tables import Column


@dataclass(frozen=True, kw_only=True)
class DegreeTableRow:
    """One dimension and setting: a cell a degree, and the final score.

    Only the first row of a dimension counts its settings: its head spans them.
    """

    column: Column
    n_settings: int
    setting: str
    cells: tuple[TableCell, ...]
    total: TableCell


@dataclass(frozen=True, kw_only=True)
class DegreeTable:
    """All scores of one task: degrees across, dimensions down."""

    task: str
    clean: str
    guessing: str
    degrees: tuple[str, ...]
    rows: tuple[DegreeTableRow, ...]


def degree_table(
    name: str,
    task: TaskScore,
    columns: Mapping[str, Column],
    scale: HeatScale,
    *,
    guessing: float | None,
    metrics: ShownMetrics,
) -> DegreeTable:
    """Return all scores of one task."""
    found = {name: task.dimensions[name] for name in columns if name in task.dimensions}
    scores = [score for settings in found.values() for score in settings.values()]
    degrees = sorted({degree for score in scores for degree in scores_by_degree(score.degrees)})
    return DegreeTable(
        task=visible(name, 40),
        clean=clean_text(task.clean, metrics.on_pages),
        guessing="" if guessing is None else percent(guessing),
        degrees=tuple(f"{degree:g}" for degree in degrees),
        rows=tuple(
            DegreeTableRow(
                column=columns[dimension],
                n_settings=len(settings) if place == 0 else 0,
                setting=visible(setting, 40),
                cells=tuple(
                    _degree_cell(scores_by_degree(score.degrees).get(degree), scale) for degree in degrees
                ),
                total=TableCell(average=figure(score.average, scale), worst=figure(score.worst, scale)),
            )
            for dimension, settings in found.items()
            for place, (setting, score) in enumerate(settings.items())
        ),
    )


def _degree_cell(score: DegreeScore | None, scale: HeatScale) -> TableCell:
    if score is None:
        return TableCell()
    return TableCell(
        average=_figure(score.average, score.average_ci, scale),
        worst=_figure(score.worst, score.worst_ci, scale),
    )


def _figure(score: float, interval: Interval | None, scale: HeatScale) -> Figure:
    return Figure(score=score, text=percent(score), interval=interval_text(interval), heat=scale.step(score))
