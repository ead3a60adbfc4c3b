"""A metric that is registered, and nothing else, is computed, shown, written, documented and rechecked."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from synthetic import right_answers, write_answers, write_small_release

import hardfrost
from contract.schema.results import Result
from docs.generators.reference import _parts as documented_parts
from evaluator.metrics import METRICS
from evaluator.metrics.inputs import Cell, CellOutcomes, CleanOutcomes, DegreeScores, ReleaseOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Numbers, Ratio
from leaderboard.board.collecting import collect
from leaderboard.pages.site import write_site


def _best_at(cell: CellOutcomes) -> Ratio:
    has_case = cell.n_cases > 0
    return Ratio(numerator=(cell.n_right > 0).astype(float), denominator=has_case.astype(float))


BEST_AT = Metric(
    name="best-at",
    summary="share of samples classified right on some case at this degree",
    heading="Best",
    degree=_best_at,
)


def _clean(outcomes: CleanOutcomes) -> Ratio:
    return Ratio(numerator=np.full(6, 1.75), denominator=outcomes.has_clean.astype(float))


def _curve(cell: CellOutcomes) -> dict[int, Ratio]:
    ones = np.ones(len(cell.n_cases))
    return {k: Ratio(numerator=ones * 0.375 / k, denominator=ones) for k in (1, 3)}


def _over_degrees(by_degree: DegreeScores) -> Numbers:
    return np.full(by_degree.scores.shape[1], 0.4375)


def _over_cells(scores: Mapping[Cell, Numbers]) -> Numbers:
    return np.full(len(next(iter(scores.values()))), 0.5625)


def _release(outcomes: ReleaseOutcomes) -> dict[str, Numbers]:
    return {f"{len(outcomes.tasks)} tasks": np.array([0.6875])}


# A metric of each other scope, and its figure as tables show it.
CLEAN = Metric(name="x-clean", summary="s", heading="Xc", unit="number", is_fraction=False, clean=_clean)
OTHERS = {
    "clean": (CLEAN, "1.750"),
    "curve": (Metric(name="x-curve", summary="s", heading="Xk", curve=_curve), "37.5"),
    "over_degrees": (Metric(name="x-degrees", summary="s", heading="Xd", over_degrees=_over_degrees), "43.8"),
    "over_cells": (Metric(name="x-cells", summary="s", heading="Xo", over_cells=_over_cells), "56.2"),
    "release": (Metric(name="x-release", summary="s", heading="Xr", release=_release), "68.8"),
}  # fmt: skip


class Paths:
    """A release, predictions that err on one case, and what the commands make of them."""

    def __init__(self, folder: Path) -> None:
        self.release = write_small_release(folder / "release")
        answers = right_answers(self.release)
        for case in ("mr-00001.typo-general.rule.10.0", "mr-00003.typo-general.rule.10.0"):
            answers[case] = "negative"
        answers["mr-00001.typo-general.rule.10.1"] = "negative"
        self.predictions = write_answers(folder / "p.jsonl", answers)
        self.results = folder / "results"
        self.result = self.results / "me__mine" / "1.0" / "result.json"
        self.folder = folder

    def submit(self) -> None:
        """Score the predictions into a submission."""
        names = ["--model-name", "mine", "--organisation", "me", "--revision", "1.0"]
        self.run("submit", self.release, self.predictions, *names, "--results", self.results)

    def run(self, *arguments: str | Path) -> str:
        """Return what a command prints."""
        answer = CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])
        assert answer.exit_code == 0, answer.output
        return answer.stdout

    def terminal(self) -> str:
        """Return what `score` prints."""
        output = self.folder / "r.json"
        return self.run("score", self.release, self.predictions, "--model-name", "m", "-o", output)

    def report(self) -> str:
        """Return the report's HTML."""
        self.run("report", self.result, "-o", self.folder / "report.html")
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def comparison(self, *others: Path) -> str:
        """Return the HTML of the report that compares the result with others."""
        self.run("report", self.result, *others, "-o", self.folder / "comparison.html")
        return (self.folder / "comparison.html").read_text(encoding="utf-8")

    def older_result(self) -> Path:
        """Return the result of the same predictions by what is registered now, under another name."""
        output = self.folder / "older.json"
        self.run("score", self.release, self.predictions, "--model-name", "older", "-o", output)
        return output

    def site(self) -> Path:
        """Return the folder of the site."""
        board = collect(self.results, release_dir=self.release)
        write_site(board, self.folder / "site", release_dir=self.release)
        return self.folder / "site"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """Return a release and predictions."""
    return Paths(tmp_path)


def _register(monkeypatch: pytest.MonkeyPatch, metric: Metric) -> None:
    monkeypatch.setitem(METRICS._parts, metric.name, metric)


def _row_of(page: str, name: str) -> str:
    """Return the cells of the first row with this name."""
    return page.partition(f">{name}</th>")[2].partition("</tr>")[0]


def _without_spaces(text: str) -> str:
    return " ".join(text.split())


def test_an_added_metric_is_everywhere(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the result with its interval, on the terminal, in reports, model page, downloads and reference."""
    older = paths.older_result()
    _register(monkeypatch, BEST_AT)
    paths.submit()
    result = Result.read(paths.result)
    degree = result.tasks["mr"].dimensions["typo-general"]["rule"].degrees["0.1"]
    assert degree.metrics == {"best_at": pytest.approx(5 / 6)}
    low, high = degree.metrics_ci["best_at"]
    assert low < 5 / 6 < high
    assert BEST_AT.info in result.metrics

    printed = _without_spaces(paths.terminal())
    assert "in a column, from above: worst, average and best" in printed
    # One label loses half of its answers on average, and one sample of six has no right case.
    assert "70.7" in printed
    assert "83.3" in printed

    site = paths.site()
    (model_page,) = site.glob("models/*.html")
    for page in (paths.report(), model_page.read_text(encoding="utf-8")):
        assert f'title="{BEST_AT.summary.capitalize()}.">Best</th>' in page
        assert f"<td>83.3 ({100 * low:.1f}–{100 * high:.1f})</td>" in page
    compared = paths.comparison(older)
    table = compared[compared.index(f'title="{BEST_AT.summary.capitalize()}.">Best</th>') :]
    row = _row_of(table, "degree 0.1")
    # The older result does not have it.
    assert f'title="{100 * low:.1f}–{100 * high:.1f}">83.3</span></td><td><span class="none">–</span>' in row
    with (site / "figures.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["degree"] == "0.1"]
    assert {row["best_at"] for row in rows} == {f"{degree.metrics['best_at']}", "1"}
    assert {row["best_at_low"] for row in rows} == {f"{low}", "1"}
    assert '"heading": "Best", "key": "best_at"' in (site / "submit.html").read_text(encoding="utf-8")
    assert f"| `best-at` | {BEST_AT.summary} |" in list(documented_parts("metrics"))
    assert BEST_AT.summary in paths.run("list", "metrics")


@pytest.mark.parametrize("scope", OTHERS)
def test_a_metric_of_any_scope_is_shown(paths: Paths, monkeypatch: pytest.MonkeyPatch, scope: str) -> None:
    """On the terminal, in reports, in the downloads and on the model's page."""
    metric, text = OTHERS[scope]
    assert metric.scopes == (scope,)
    older = paths.older_result()
    _register(monkeypatch, metric)
    paths.submit()
    site = paths.site()
    (model_page,) = site.glob("models/*.html")
    shown = {
        "terminal": paths.terminal(),
        "report": paths.report(),
        "comparison": paths.comparison(older),
        "model page": model_page.read_text(encoding="utf-8"),
        "downloads": (site / "figures.csv").read_text(encoding="utf-8"),
    }
    if scope == "release":
        # The names of such figures are their own; the pages give the plain number.
        assert "1 tasks: 68.8" in shown["terminal"]
        assert "Measured: 1 tasks" in shown["report"]
        assert "Measured: 1 tasks" in shown["model page"]
        row = _row_of(shown["comparison"], "Measured: 1 tasks")
        assert ">0.6875</span></td><td>" in row
        assert row.endswith('<span class="none">–</span></td>')
        return
    for name in ("terminal", "report", "comparison", "model page"):
        assert metric.heading in shown[name], name
        assert text in shown[name], name
    if scope == "curve":
        # The second number of cases, which stands nowhere else.
        assert "<td>12.5 (12.5–12.5)</td>" in shown["model page"]
        table = shown["comparison"].partition(f">{metric.heading}</th>")[2]
        assert '>12.5</span></td><td><span class="none">–</span></td>' in _row_of(table, "3 cases")
    assert metric.key in shown["downloads"].partition("\n")[0]


def test_an_added_metric_refuses_no_older_submission(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a result has is compared, also of the new metric; what it does not have is not missed."""
    paths.submit()
    for metric in (BEST_AT, *(metric for metric, _ in OTHERS.values())):
        _register(monkeypatch, metric)
    recheck = ["recheck", paths.results, "--release", paths.release]
    assert paths.run(*recheck) == "me__mine/1.0: as scored anew\n"
    paths.run("submit", paths.release, paths.predictions, "--model-name", "mine", "--organisation", "me",
              "--revision", "1.0", "--results", paths.results, "--replace")  # fmt: skip
    assert paths.run(*recheck) == "me__mine/1.0: as scored anew\n"
    raw = json.loads(paths.result.read_text(encoding="utf-8"))
    degree = raw["tasks"]["mr"]["dimensions"]["typo-general"]["rule"]["degrees"]["0.1"]
    degree["metrics"]["best_at"] = 0.99
    raw["metrics"][-1]["heading"] = "Best of all"
    paths.result.write_text(json.dumps(raw), encoding="utf-8")
    answer = CliRunner().invoke(hardfrost.cli, list(map(str, recheck)))
    assert answer.exit_code == 1
    assert "typo-general.rule.degrees.0.1.metrics.best_at: claims 0.99, scoring gives 0.83" in answer.output
    assert "metrics: describes x-release otherwise than scoring does" in answer.output
