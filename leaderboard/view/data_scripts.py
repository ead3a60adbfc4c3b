"""Figures as scripts that a page loads when it needs them; this also works without a server."""

import json
from collections.abc import Sequence
from typing import Any

from contract.schema.leaderboards import Entry, Leaderboard
from contract.schema.results import Aggregate, Pair, Result
from leaderboard.text.formatting import clean_accuracy, coverage_of
from leaderboard.view.charts import degree_of
from leaderboard.view.tables import Row, Table

# With six digits, means of rounded figures equal the rounded means that the page shows.
DIGITS = 6


def script(key: str, value: Any) -> str:
    """Return a script that passes one value to the page; it is ASCII and cannot end a script element."""
    text = json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return f"hardfrostData({json.dumps(key)},{text});\n".replace("<", "\\u003c")


def table_script(leaderboard: Leaderboard, table: Table) -> str:
    """Return every model's score by task, setting and dimension, for the filters of the table."""
    results = [entry.result for entry in leaderboard.entries]
    names = [info.name for info in leaderboard.dimensions]
    scopes = sorted(set().union(*coverage_of(results).values()))
    tasks = list(dict.fromkeys(task for result in results for task in result.tasks))
    rows = {
        row.model.page: {
            "clean": [_clean_of(result, task) for task in tasks],
            "scores": [_scores_of(result, task, setting, names) for task, setting in scopes],
        }
        for row, result in zip(table.rows, results, strict=True)
    }
    return script("table", {"tasks": tasks, "scopes": scopes, "rows": rows})


def model_script(entry: Entry, row: Row, leaderboard: Leaderboard) -> str:
    """Return the figures of one model for the page that compares models."""
    result, overall = entry.result, entry.result.overall
    value = {
        "name": row.model.distinct,
        "marks": row.model.marks,
        "rank": row.rank,
        "clean": _rounded(clean_accuracy(result)),
        "average": _with_interval(overall.average) if overall else None,
        "worst": _with_interval(overall.worst) if overall else None,
        "general": _both(overall.general) if overall else None,
        "malicious": _both(overall.malicious) if overall else None,
        "dimensions": [
            None if cell.average is None or cell.worst is None else [cell.average.score, cell.worst.score]
            for cell in row.dimensions
        ],
        "curves": _curves_of(result, [info.name for info in leaderboard.dimensions]),
        "replicates": [round(draw, DIGITS) for draw in result.replicates.average]
        if result.replicates
        else None,
    }
    return script(f"model:{row.model.page}", value)


def _curves_of(result: Result, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the points of every cell (task × dimension × setting), low degrees first."""
    return [
        {
            "task": task,
            "dimension": index,
            "setting": setting,
            "points": sorted(
                [degree, round(value.average, DIGITS), round(value.worst, DIGITS)]
                for key, value in score.degrees.items()
                if (degree := degree_of(key)) is not None
            ),
        }
        for task, task_score in result.tasks.items()
        for index, name in enumerate(names)
        for setting, score in task_score.dimensions.get(name, {}).items()
    ]


def _clean_of(result: Result, task: str) -> float | None:
    clean = result.tasks[task].clean if task in result.tasks else None
    return None if clean is None else _rounded(clean.accuracy)


def _scores_of(result: Result, task: str, setting: str, names: Sequence[str]) -> list[float | None]:
    """Return average and worst of the first dimension, then of the second, and so on."""
    dimensions = result.tasks[task].dimensions if task in result.tasks else {}
    scores = [dimensions.get(name, {}).get(setting) for name in names]
    return [
        None if score is None or aggregate is None else _rounded(aggregate.ewma)
        for score in scores
        for aggregate in ((score.average, score.worst) if score else (None, None))
    ]


def _with_interval(aggregate: Aggregate) -> list[float | None]:
    low, high = aggregate.ci or (None, None)
    return [_rounded(aggregate.ewma), _rounded(low), _rounded(high)]


def _both(pair: Pair | None) -> list[float | None] | None:
    return None if pair is None else [_rounded(pair.average.ewma), _rounded(pair.worst.ewma)]


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, DIGITS)
