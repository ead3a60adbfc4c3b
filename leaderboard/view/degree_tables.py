"""All scores of a task in one setting: degrees across, dimensions down."""

from collections.abc import Mapping
from dataclasses import dataclass

from contract.schema.results import DegreeScore, Interval, TaskScore
from leaderboard.text.formatting import Figure, HeatScale, TableCell, figure, interval_text, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import scores_by_degree
from leaderboard.view.panels import ShownMetrics, clean_text
from leaderboard.view.tables import Column


@dataclass(frozen=True, kw_only=True)
class DegreeTableRow:
    """One dimension: a cell a degree, and the final score."""

    column: Column
    cells: tuple[TableCell, ...]
    total: TableCell


@dataclass(frozen=True, kw_only=True)
class DegreeTable:
    """All scores of one task in one setting: degrees across, dimensions down."""

    task: str
    setting: str
    clean: str
    degrees: tuple[str, ...]
    rows: tuple[DegreeTableRow, ...]


def degree_tables(
    name: str, task: TaskScore, columns: Mapping[str, Column], scale: HeatScale, *, metrics: ShownMetrics
) -> tuple[DegreeTable, ...]:
    """Return all scores of one task, a table for each setting."""
    settings = dict.fromkeys(setting for scores in task.dimensions.values() for setting in scores)
    return tuple(
        _degree_table((name, setting), task, columns, scale, metrics=metrics) for setting in settings
    )


def _degree_table(
    which: tuple[str, str],
    task: TaskScore,
    columns: Mapping[str, Column],
    scale: HeatScale,
    *,
    metrics: ShownMetrics,
) -> DegreeTable:
    name, setting = which
    found = {
        dimension: task.dimensions[dimension][setting]
        for dimension in columns
        if setting in task.dimensions.get(dimension, {})
    }
    degrees = sorted({degree for score in found.values() for degree in scores_by_degree(score.degrees)})
    return DegreeTable(
        task=visible(name, 40),
        clean=clean_text(task.clean, metrics.on_pages),
        setting=visible(setting, 40),
        degrees=tuple(f"{degree:g}" for degree in degrees),
        rows=tuple(
            DegreeTableRow(
                column=columns[dimension],
                cells=tuple(
                    _degree_cell(scores_by_degree(score.degrees).get(degree), scale) for degree in degrees
                ),
                total=TableCell(average=figure(score.average, scale), worst=figure(score.worst, scale)),
            )
            for dimension, score in found.items()
        ),
    )


def _degree_cell(score: DegreeScore | None, scale: HeatScale) -> TableCell:
    if score is None:
        return TableCell()
    return TableCell(
        average=_figure(score.average, score.average_ci, scale),
        worst=_figure(score.worst, score.worst_ci, scale),
    )


def _figure(score: float | None, interval: Interval | None, scale: HeatScale) -> Figure | None:
    if score is None:
        return None
    return Figure(score=score, text=percent(score), interval=interval_text(interval), heat=scale.step(score))
