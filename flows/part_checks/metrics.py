"""The promises of every metric, on a small release that is built for it."""

import contextlib
import json
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.recipe.recipe_file import recipe_of
from builder.run.pipeline import build
from contract.machine.progress import Silence
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.results import ModelInfo, Result
from evaluator.metrics import METRICS, Metric
from evaluator.scoring.score import ScoreOptions, score
from flows.part_checks.check import Check, demand

N_ROWS = 48
_RECIPE: dict[str, Any] = {
    "name": "checked",
    "version": "1",
    "tasks": [{"name": "checked", "source": "file:rows.jsonl", "samples": N_ROWS // 2}],
    "dimensions": [{"name": "typo-general", "degrees": [0.1, 0.2]}],
    "cases": {"rule": 2},
    "filters": ["degree"],
}
_SENTENCES = {
    "good": "a warm and funny film that everybody in the family should see, number {}",
    "bad": "a dull and lifeless film that nobody in the family should see, number {}",
}


def _scored(metric: Metric) -> list[Result]:
    """Return the results of three models: always right, always the first label, and right now and then."""
    with tempfile.TemporaryDirectory(prefix="hardfrost-") as name, _registered(metric):
        folder = Path(name)
        labels = ["bad", "good"]
        lines = [
            json.dumps(
                {
                    "text": _SENTENCES[labels[row % 2]].format(row),
                    "label": labels[row % 2],
                    "bad": 1 - row % 2,
                    "good": row % 2,
                }
            )
            for row in range(N_ROWS)
        ]
        (folder / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
        build(recipe_of(_recipe(metric), folder), folder / "release", Silence())
        release = Release.open(folder / "release")
        rows = ReleaseRows.read(release, ("id", "label"))
        truths = rows.table["label"].to_pylist()
        if rows.lists is not None:
            truths = rows.lists.codes.reshape(-1, 2)[:, 1].tolist()
        answers = [
            truths,
            [0 for _ in truths],
            [label if place % 3 else 1 - label for place, label in enumerate(truths)],
        ]
        return [_result(folder, rows.table["id"].to_pylist(), answer) for answer in answers]


def _recipe(metric: Metric) -> dict[str, Any]:
    """Return the recipe of a release that the metric is about."""
    if metric.kinds is None:
        return _RECIPE
    # Both labels of a text stand in a column of their own.
    task = {"kind": "multilabel", "read": {"columns": {"labels": ["bad", "good"]}}}
    return {**_RECIPE, "tasks": [{**_RECIPE["tasks"][0], **task}]}


def _result(folder: Path, ids: list[str], answers: list[int]) -> Result:
    path = folder / "predictions.jsonl"
    given = [
        {"id": row, "prediction": answer, "probabilities": [0.9, 0.1] if answer == 0 else [0.1, 0.9]}
        for row, answer in zip(ids, answers, strict=True)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in given), encoding="utf-8")
    return score(folder / "release", path, ModelInfo(name="checked"), options=ScoreOptions(resamples=20))


def _registered(metric: Metric) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext() if metric.name in METRICS else METRICS.lent(metric)


def _figures(metric: Metric, value: Any) -> Iterator[float]:
    """Yield every figure of a metric, wherever in a result it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            is_own = key.replace("@", "/").partition("/")[0] in {metric.key, metric.name}
            if is_own and isinstance(inner, int | float):
                yield float(inner)
            yield from _figures(metric, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _figures(metric, inner)


def gives_figures(metric: Metric) -> None:
    """Demand finite figures, of fractions between 0 and 1, and results that can be read again."""
    figures: list[float] = []
    for result in _scored(metric):
        again = Result.model_validate(result.to_json())
        demand(again == result, "a result with its figures cannot be read again")
        figures += _figures(metric, result.to_json())
    demand(figures, "no result has a figure of it")
    demand(all(map(math.isfinite, figures)), "gave a figure that is not finite")
    if metric.is_fraction:
        demand(all(0 <= figure <= 1 for figure in figures), "gave a fraction that is not between 0 and 1")


def gives_the_same_figures(metric: Metric) -> None:
    """Demand that the same answers have the same figures."""
    first, second = ([result.to_json() for result in _scored(metric)] for _ in range(2))
    demand(first == second, "the same answers gave other figures the second time")


CHECKS: tuple[Check[Metric], ...] = (
    Check("results have finite figures of it, and can be read again", gives_figures),
    Check("the same answers have the same figures", gives_the_same_figures),
)
