"""Reports of several models: which model is ahead, and whether by more than chance."""

import re
from pathlib import Path

import pytest
from made_releases import make_release
from made_reports import STRENGTHS, report_page
from made_results import DIMENSIONS, SETTINGS, make_result

from contract.machine.errors import ExitCode, UserError
from contract.schema.results import BenchmarkInfo, ModelInfo


def test_two_results_are_compared_in_pairs(tmp_path: Path) -> None:
    """The paired draws decide: a close model ties, a weak one is behind."""
    strong, close, weak = (make_result(name, strength=s) for name, s in STRENGTHS.items())
    tied = report_page(tmp_path, [strong, close]).text
    assert "strong and close cannot be told apart in robustness" in tied
    assert "≈ +0.4" in tied
    apart = report_page(tmp_path, [weak, strong])
    assert "strong is ahead of weak in robustness" in apart.text
    assert "strong is ahead of weak by the average over cases" in apart.text
    assert 'class="ahead">▲ +22.0' in apart.source
    assert 'class="behind">▼ −22.0' in apart.source
    assert "related to a surrogate" not in apart.text
    assert ">surrogate</span>" not in apart.source


def test_a_comparison_overlays_curves_and_radars(tmp_path: Path) -> None:
    """A line and an outline for each model, in the order given, in colours and shapes of their own."""
    results = [make_result(name, strength=s) for name, s in STRENGTHS.items()]
    page = report_page(tmp_path, results)
    assert page.source.count('<svg class="chart answering"') == 2 * len(DIMENSIONS)
    assert page.source.count("<polyline") == 2 * len(DIMENSIONS) * 3
    assert page.source.count('<polygon class="area outline c') == 2 * 3
    markers = re.findall(r'<marker id="shape-(\d)".*? d="([^"]+)"', page.source)
    assert [place for place, _ in markers] == ["0", "1", "2"]
    assert len({shape for _, shape in markers}) == 3
    assert page.text.index("strong") < page.text.index("close") < page.text.index("weak")


def test_figures_that_are_clearly_behind_are_marked(tmp_path: Path) -> None:
    """The highest is bold; behind is one whose interval lies wholly below it, and a close one is not."""
    results = [make_result(name, strength=s, dimensions=DIMENSIONS[:1]) for name, s in STRENGTHS.items()]
    source = report_page(tmp_path, results).source
    row = source[source.index('class="name">Robustness</th>') :].partition("</tr>")[0]
    assert re.findall(r'<span class="figure (\w*)"', row) == ["best", "", "behind"]


def test_more_models_than_colours_stay_apart(tmp_path: Path) -> None:
    """The second round of colours has hollow markers; more than that are refused."""
    results = [make_result(f"model {place}", strength=0.3 + place / 30) for place in range(13)]
    page = report_page(tmp_path, results[:12])
    assert page.complaints == []
    looks = re.findall(r'<marker id="shape-\d+".*?class="marker ([^"]+)" d="([^"]+)"', page.source)
    assert len(set(looks)) == 12
    with pytest.raises(UserError, match="13 results are too many") as caught:
        report_page(tmp_path, results)
    assert caught.value.exit_code is ExitCode.WRONG_USE


def test_partial_results_and_surrogates_are_compared_where_they_can_be(tmp_path: Path) -> None:
    """Neither is said to be ahead, and a partial one does not shrink the others' radar."""
    relative = make_result(
        "relative", strength=0.9, model=ModelInfo(name="relative", is_surrogate_family=True)
    )
    part = make_result("part", is_partial=True, dimensions=DIMENSIONS[:4])
    page = report_page(tmp_path, [make_result("one"), relative, part, make_result("two", strength=0.5)])
    assert page.complaints == []
    assert "one is ahead of two in robustness" in page.text
    assert "relative is a surrogate" in page.text
    assert ">surrogate</span>" in page.source
    assert "part has no overall score" in page.text
    radar = page.source[page.source.index('<svg class="radar"') :].partition("</svg>")[0]
    assert radar.count("<line") == len(DIMENSIONS)
    assert radar.count('class="area') == 3


def test_without_draws_no_model_is_ahead(tmp_path: Path) -> None:
    """A difference alone proves nothing."""
    results = [make_result(name, strength=s, with_replicates=False) for name, s in STRENGTHS.items()]
    text = report_page(tmp_path, results).text
    assert "Both results need bootstrap draws to tell whether it is chance" in text
    assert "is ahead" not in text


def test_results_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    """Another benchmark, other settings, another release, the same model twice."""
    one = make_result("one")
    other = BenchmarkInfo(name="other", version="2.0", manifest_sha256="cd" * 32)
    with pytest.raises(UserError, match=r"1\.json: scored on other 2\.0 .* but this report is of robust-rev"):
        report_page(tmp_path, [one, make_result("two", benchmark=other)])
    settings = SETTINGS.model_copy(update={"beta": 0.3})
    with pytest.raises(UserError, match=r"1\.json: scored with other settings \(beta 0\.3 instead of 0\.5\)"):
        report_page(tmp_path, [one, make_result("two", score_settings=settings)])
    with pytest.raises(UserError, match="the same organisation, model and revision"):
        report_page(tmp_path, [one, one])
    with pytest.raises(UserError, match="but this report is of robust-reviews"):
        report_page(tmp_path, [one], release_dir=make_release(tmp_path / "release"))
