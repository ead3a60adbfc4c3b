"""axe-core finds no problem on any kind of page, light or dark."""

from pathlib import Path

import pytest
from axe import AXE_PATH
from browser import Browser
from made_releases import make_release
from made_reports import STEADY, WEAK, report_page, result_on, write_predictions
from made_results import as_kin, make_result

from contract.release.release import Release
from contract.schema.leaderboards import LeaderboardDimension
from contract.schema.results import BenchmarkInfo, ModelInfo, Result
from leaderboard.board.collecting import collect
from leaderboard.pages.site import write_boards
from leaderboard.pages.versions import boards_of

pytestmark = pytest.mark.skipif(
    not AXE_PATH.is_file(),
    reason="ACCESSIBILITY WAS NOT TESTED: needs npm, then python tests/leaderboard/axe.py",
)
SCHEMES = ("light", "dark")
ASK = (
    "const done = arguments[arguments.length - 1];"
    "axe.run(document, {preload: false, resultTypes: ['violations']})"
    ".then(found => done(found.violations.map(one => ({"
    "  id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 3).map(node => node.html.slice(0, 160)"
    "  + ' | ' + node.failureSummary.slice(0, 300))}))), error => done([{id: String(error),"
    "  impact: 'critical', nodes: []}]))"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Return one page of every kind with its fragment: a site with examples, and both kinds of report."""
    folder = tmp_path_factory.mktemp("accessible")
    release_dir = make_release(folder / "release")
    card = "# Card\n\n| task | rows |\n| --- | ---: |\n| mr | 3 |\n\n```console\n$ hardfrost verify\n```\n"
    (release_dir / "README.md").write_text(card, encoding="utf-8")
    for number, result in enumerate(_results(release_dir)):
        result.write(folder / "results" / f"{number}.json")
    # The invented results have more parts than the release: with it they would be refused.
    tags = (
        LeaderboardDimension(name="typo-malicious", tag="malicious"),
        LeaderboardDimension(name="novel", tag="general"),
    )
    board = collect(folder / "results").model_copy(update={"dimensions": tags})
    older = board.benchmark.model_copy(update={"version": "0.9"})
    boards = [board, board.model_copy(update={"benchmark": older})]
    site = write_boards(
        boards_of(boards[:1], [release_dir]) + boards_of(boards[1:], []), folder / "site"
    ).parent
    models = sorted((site / "models").glob("*.html"))
    kin = next(path for path in models if path.name.startswith("kin"))
    typo = next(path for path in (site / "dimensions").iterdir() if path.name.startswith("typo"))
    pages = {path.stem: (path, "") for path in site.glob("*.html")}
    pages |= {
        "index-average": (site / "index.html", "#estimate=average&intervals=1&search=o&task=1"),
        "compare-two": (site / "compare.html", f"#models={models[0].stem},{models[1].stem}"),
        "model": (kin, ""),
        "dimension": (typo, ""),
    }
    for name, answers in {"one": [WEAK], "several": [WEAK, STEADY]}.items():
        (folder / name).mkdir()
        files = [write_predictions(folder / name / f"{n}.jsonl", answer) for n, answer in enumerate(answers)]
        scored = [result_on(release_dir, path.stem, path) for path in files]
        report_page(folder / name, scored, release_dir=release_dir, files=files)
        pages[f"report-{name}"] = (folder / name / "report.html", "")
    return pages


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_no_problem_on_any_page(
    browser: Browser, pages: dict[str, tuple[Path, str]], scheme: str
) -> None:
    """Names, roles, contrast and order, as far as axe-core can test them."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.emulate("Emulation.setEmulatedMedia", features=features)
    found = {}
    for name, (path, fragment) in pages.items():
        browser.open(path, fragment)
        browser.run(AXE_PATH.read_text(encoding="utf-8"))
        found[name] = browser.run_until_called(ASK)
    assert {"index", "compare", "submit", "card", "model", "dimension", "report-one"} <= set(pages)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_axe_would_find_something(browser: Browser, tmp_path: Path) -> None:
    """The test above can fail."""
    path = tmp_path / "bad.html"
    path.write_text(
        "<!doctype html><title>x</title><input><p style='color:#eee'>too pale to read", encoding="utf-8"
    )
    browser.open(path)
    browser.run(AXE_PATH.read_text(encoding="utf-8"))
    found = {one["id"] for one in browser.run_until_called(ASK)}
    assert {"label", "html-has-lang", "color-contrast"} <= found


def _results(release_dir: Path) -> list[Result]:
    """Return results on a release that reach every shade and every kind of entry."""
    release = Release.open(release_dir)
    benchmark = BenchmarkInfo(name="robust-reviews", version="1.0.0", manifest_sha256=release.manifest_sha256)
    same = {
        "dimensions": ("typo-malicious", "novel"),
        "benchmark": benchmark,
        "settings": ("rule", "score"),
        "tasks": ("mr", "other"),
    }
    results = [
        make_result(
            f"model {n}",
            strength=0.1 + n / 10,
            model=ModelInfo(name=f"model {n}", revision="r", organisation="o"),
            **same,
        )
        for n in range(9)
    ]
    results.append(make_result("part", is_partial=True, **same))
    kin = ModelInfo(
        name="kin", url="https://example.org", notes="n", is_surrogate_family=True, surrogate="cnn"
    )
    relative = as_kin(make_result("kin", model=kin, **same))
    return [*results, relative]
