"""Figures as scripts that a page loads when it needs them; this also works without a server."""

import json
from collections.abc import Sequence
from typing import Any

from contract.schema.estimates import ESTIMATES, estimate_of
from contract.schema.leaderboards import Entry, Leaderboard
from contract.schema.results import Aggregate, Pair, Result
from leaderboard.text.formatting import TableCell, clean_score
from leaderboard.view.by_setting import Tab, setting_pair, tag_pair
from leaderboard.view.charts import drawn_degrees
from leaderboard.view.tables import Row, Table, tasks_of

# With six digits, means of rounded figures equal the rounded means that the page shows.
DIGITS = 6


def script(key: str, value: Any) -> str:
    """Return a script that passes one value to the page; it is ASCII and cannot end a script element."""
    text = json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return f"hardfrostData({json.dumps(key)},{text});\n".replace("<", "\\u003c")


def table_script(leaderboard: Leaderboard, table: Table, tab: Tab) -> str:
    """Return every model's score by task, setting of the tab and dimension, to narrow the table to a task."""
    results = [entry.result for entry in leaderboard.entries]
    names = [info.name for info in leaderboard.dimensions]
    tasks = tasks_of(leaderboard)
    scopes = [(task, setting) for task in tasks for setting in tab.settings]
    rows = {
        row.model.page: {
            "clean": [_clean_of(result, task) for task in tasks],
            "scores": [_scores_of(result, task, setting, names) for task, setting in scopes],
        }
        for row, result in zip(table.rows, results, strict=True)
    }
    return script("table", {"tasks": tasks, "scopes": scopes, "rows": rows})


def model_script(entry: Entry, row: Row, leaderboard: Leaderboard, table: Table) -> str:
    """Return the figures of one model for the page that compares models."""
    result, overall = entry.result, entry.result.overall
    value = {
        "name": row.model.distinct,
        "marks": row.model.marks,
        "is_comparable": entry.status == "ranked",
        "why": row.model.why_unranked,
        "rank": row.rank,
        "clean": _rounded(clean_score(result)),
        "score": _with_interval(overall.score) if overall else None,
        "average": _with_interval(overall.average) if overall else None,
        "settings": {
            tab.name: {
                "whole": _both(setting_pair(overall, tab)),
                "general": _both(tag_pair(overall, "general", tab)),
                "malicious": _both(tag_pair(overall, "malicious", tab)),
                "dimensions": [_of_cell(cell) for cell in row.settings[tab.name].dimensions],
            }
            for tab in table.tabs
        },
        "curves": _curves_of(result, [info.name for info in leaderboard.dimensions]),
        "replicates": [round(draw, DIGITS) for draw in result.replicates.score]
        if result.replicates
        else None,
    }
    return script(f"model:{row.model.page}", value)


def _of_cell(cell: TableCell) -> list[float] | None:
    """Return both estimates, the one that ranks first, as everywhere in these scripts."""
    figures = [estimate_of(cell, estimate) for estimate in ESTIMATES]
    found = [round(figure.score, DIGITS) for figure in figures if figure is not None]
    return found or None


def _curves_of(result: Result, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the points of every scored cell (task × dimension × setting), low degrees first."""
    return [
        {
            "task": task,
            "dimension": index,
            "setting": setting,
            "points": [
                [
                    degree,
                    *(round(estimate_of(drawn, estimate).value, DIGITS) for estimate in ESTIMATES),
                    int(drawn.is_few),
                ]
                for degree, drawn in drawn_degrees(score, result.settings.min_samples).items()
            ],
        }
        for task, task_score in result.tasks.items()
        for index, name in enumerate(names)
        for setting, score in task_score.dimensions.get(name, {}).items()
    ]


def _clean_of(result: Result, task: str) -> float | None:
    clean = result.tasks[task].clean if task in result.tasks else None
    return None if clean is None else _rounded(clean.score)


def _scores_of(result: Result, task: str, setting: str, names: Sequence[str]) -> list[float | None]:
    """Return both estimates of the first dimension, then of the second, and so on."""
    dimensions = result.tasks[task].dimensions if task in result.tasks else {}
    scores = [dimensions.get(name, {}).get(setting) for name in names]
    return [
        None if score is None or aggregate is None else _rounded(aggregate.ewma)
        for score in scores
        for aggregate in (estimate_of(score, estimate) if score else None for estimate in ESTIMATES)
    ]


def _with_interval(aggregate: Aggregate) -> list[float | None]:
    low, high = aggregate.ci or (None, None)
    return [_rounded(aggregate.ewma), _rounded(low), _rounded(high)]


def _both(pair: Pair | None) -> list[float | None] | None:
    return None if pair is None else [_rounded(estimate_of(pair, name).ewma) for name in ESTIMATES]


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, DIGITS)
