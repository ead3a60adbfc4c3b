"""Metrics that a result describes have columns on its pages, in words that are never trusted."""

from pathlib import Path

import pyarrow.csv as pacsv
import pytest
from made_reports import report_page
from made_results import make_result
from read_pages import Page

from contract.schema.figures import Scored
from contract.schema.metrics import MetricInfo
from contract.schema.results import Result
from leaderboard.board.collecting import FoundResults, collect_found
from leaderboard.board.entries import FoundResult
from leaderboard.pages.site import write_site
from leaderboard.view.marks import mark_metric, mark_scores

HOSTILE = "<script>alert(1)</script>"


def _described(result: Result, info: MetricInfo, value: float) -> Result:
    """Return the result with a figure of another metric at every degree."""
    raw = result.to_json()
    for settings in raw["tasks"]["mr"]["dimensions"].values():
        for score in settings.values():
            for degree in score["degrees"].values():
                degree["metrics"] = {info.key: value}
    raw["metrics"] = [info.model_dump()]
    return Result.parse(raw, "made")


@pytest.fixture
def results() -> list[Result]:
    """Return a result with such a metric, and an older one without."""
    info = MetricInfo(name="odd", summary=HOSTILE, scopes=("degree",), heading=HOSTILE, unit="number")
    return [_described(make_result("new", strength=0.6), info, 2.125), make_result("old", strength=0.5)]


def test_a_described_metric_has_a_column_where_it_has_figures(results: list[Result], tmp_path: Path) -> None:
    """On the page of the result that has it and not on that of another; as text, whatever it is called."""
    found = [FoundResult(path=f"{place}", result=result) for place, result in enumerate(results)]
    write_site(collect_found(FoundResults(results=tuple(found), ignored=())), tmp_path / "site")
    pages = {path.stem.partition("-")[0]: Page(path) for path in (tmp_path / "site" / "models").iterdir()}
    assert all(page.complaints == [] for page in pages.values())
    assert pages["new"].source.count("<td>2.125</td>") == 11 * 7
    assert HOSTILE in pages["new"].text
    assert HOSTILE not in pages["new"].source
    assert HOSTILE not in pages["old"].text
    figures = pacsv.read_csv(tmp_path / "site" / "figures.csv")
    assert set(figures["odd"].to_pylist()) == {2.125, None}


def test_a_comparison_shows_a_described_metric(results: list[Result], tmp_path: Path) -> None:
    """A row for each degree, with a dash for the model that has no figure."""
    page = report_page(tmp_path, results)
    assert page.complaints == []
    row = '<td><span class="figure ">2.125</span></td><td><span class="none">–</span></td>'
    assert page.source.count(row) == 11 * 7
    assert HOSTILE in page.text
    assert HOSTILE not in page.source


def test_a_comparison_hides_what_is_not_for_pages(results: list[Result], tmp_path: Path) -> None:
    """Neither a metric that asks for it, nor one of which no result has a figure."""
    (info,) = results[0].metrics
    hidden = results[0].model_copy(update={"metrics": (info.model_copy(update={"on_pages": False}),)})
    page = report_page(tmp_path, [hidden, results[1]])
    assert HOSTILE not in page.text
    assert "Relative average" not in page.text
    assert "AUROC" not in page.text


def test_the_lowest_is_best_where_lower_is_better() -> None:
    """And behind is one whose interval lies wholly above."""
    info = MetricInfo(name="odd", summary="s", scopes=("degree",), heading="H", better="lower")
    figures = [Scored(0.5, (0.4, 0.6)), None, Scored(0.2, (0.1, 0.3)), Scored(0.3, (0.2, 0.4))]
    marked = mark_metric(figures, info)
    assert [figure and figure.mark for figure in marked] == ["behind", None, "best", ""]
    assert [figure and figure.mark for figure in mark_scores(figures)] == ["best", None, "behind", ""]


def test_a_report_shows_a_described_metric(results: list[Result], tmp_path: Path) -> None:
    """In its unit, as text."""
    page = report_page(tmp_path, results[:1])
    assert page.complaints == []
    assert page.source.count("<td>2.125</td>") == 11 * 7
    assert HOSTILE in page.text
    assert HOSTILE not in page.source
