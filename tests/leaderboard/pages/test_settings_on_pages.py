"""Pages show one setting at a time, say what the score is, and why an entry has no rank."""

import json
import subprocess
from pathlib import Path

import pytest
from made_boards import board_of_results, make_board, with_tags
from made_reports import report_page
from made_results import as_kin, make_result, without_skill
from read_pages import Page, pages_of

from contract.machine.errors import UserError
from contract.schema.results import ModelInfo
from leaderboard.pages.extras import Extras, dates_of, links_of
from leaderboard.pages.site import write_site
from leaderboard.view.stability import read_stability

SCOPE = {"settings": ("rule", "score", "gradient")}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    """Return the pages of a leaderboard with two attacked settings."""
    board = board_of_results(
        [
            make_result("one", strength=0.7, **SCOPE),
            as_kin(make_result("relative", strength=0.6, **SCOPE)),
            make_result("sur", strength=0.65, model=ModelInfo(name="sur", is_surrogate_family=True), **SCOPE),
            without_skill(make_result("constant", strength=0.5, **SCOPE)),
        ]
    )
    folder = tmp_path_factory.mktemp("settings") / "site"
    return pages_of(write_site(with_tags(board), folder).parent)


def test_each_setting_has_a_tab_and_the_headline_is_said_in_a_sentence(pages: dict[str, Page]) -> None:
    """Rule first, then attacked, then each attacked setting; rule has no transferable accuracy."""
    index = pages["index.html"]
    names = [name for name in pages if name.startswith("setting-")]
    assert [name.split("-")[1] for name in names] == ["attacked", "gradient", "score"]
    assert "Half random cases, half attacks" in index.text
    assert all(address + "#table" in index.addresses() for address in names)
    assert 'data-key="transferable"' not in index.source
    assert all('data-key="transferable"' in pages[name].source for name in names)
    assert "n 18,480" not in index.text
    assert f"n {2 * 11 * 7 * 120:,}" in pages[names[0]].text


def test_who_has_no_rank_is_told_why_in_visible_text(pages: dict[str, Page]) -> None:
    """Beside the name, not in a tooltip; what a surrogate scores stands in brackets."""
    text = pages["index.html"].text
    assert "no rank: on clean texts no better than guessing" in text
    assert "no rank: the cases were made with this model" in text
    assert "errs like cnn" in text
    assert "(65.0)" in text
    assert "(60.0)" not in text


def test_kin_and_families_left_out_are_told_in_words(pages: dict[str, Page]) -> None:
    """On the model's own page, with the surrogate, the agreement, and the scores without its family."""
    (page,) = [page for name, page in pages.items() if name.startswith("models/relative")]
    assert "agree with those of cnn (κ 0.71)" in page.text
    assert "attempts against the family sequence its robustness is 43.0, its average 62.0" in page.text
    assert "With one family of surrogates left out" in page.text
    assert "Most hurt label: positive." in page.text


def test_how_to_read_it_explains_every_figure_and_shows_stability(tmp_path: Path) -> None:
    """The document of `hardfrost stability`, if it is of this release."""
    path = tmp_path / "stability.json"
    ranks = [{"model": "one<", "score": 0.5, "rank": 1}]
    benchmark = {"name": "tiny", "version": "1.0", "manifest_sha256": "ab" * 32}
    raw = {
        "schema": "hardfrost/stability/1",
        "benchmark": benchmark,
        "ranks": ranks,
        "without": [
            {"what": "family", "name": "sequence", "tau": 0.91, "ranks": ranks},
            {"what": "task", "name": "mr", "tau": None, "ranks": ranks},
        ],
        "power": {
            "difference": 0.02,
            "n_samples": 300,
            "smallest_difference": 0.031,
            "n_samples_needed": 1400,
            "n_pairs": 6,
            "n_pairs_apart": 4,
        },
        "agreement": [
            {
                "task": "mr",
                "dimension": "typo",
                "setting": "rule",
                "n_cases": 8,
                "n_everybody": 1,
                "n_nobody": 2,
            }
        ],
    }
    path.write_text(json.dumps(raw))
    extras = Extras(stability=read_stability(path))
    site = write_site(make_board(), tmp_path / "site", extras=extras).parent
    page = Page(site / "reading.html")
    for heading in ("Settings", "Worst", "Degrees", "Ranks and both ranges", "Skill", "Surrogates and kin"):
        assert f"<h3>{heading}</h3>" in page.source
    for text in ("one family of surrogates", "0.91", "one<", "1,400", "3.1", "4 of 6", "12.5 %", "25.0 %"):
        assert text in page.text
    assert page.complaints == []
    path.write_text(json.dumps(raw | {"benchmark": benchmark | {"manifest_sha256": "00" * 32}}))
    other = write_site(make_board(), tmp_path / "other", extras=Extras(stability=read_stability(path))).parent
    assert "How stable" not in Page(other / "reading.html").text
    path.write_text(json.dumps(raw | {"without": [{"what": "task"}]}))
    with pytest.raises(UserError, match=r"without\[0\].name"):
        read_stability(path)
    path.write_text("{}")
    with pytest.raises(UserError, match="hardfrost/stability/1"):
        read_stability(path)


@pytest.mark.parametrize(
    "text", ["paper", "=https://x.org", "a=http://x.org", "a=javascript:alert(1)", "a=https://"]
)
def test_only_https_links_are_taken(text: str) -> None:
    """Whoever writes a site types them by hand."""
    with pytest.raises(UserError, match="https://"):
        links_of([text])


def test_links_and_dates_are_shown(tmp_path: Path) -> None:
    """The date is that of the last commit of the result's file, not of its copy."""
    results = tmp_path / "results"
    make_result("one").write(results / "0.json")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", "add"],
    ):
        subprocess.run(
            ["git", *command],  # noqa: S607
            cwd=results,
            check=True,
            env={
                "GIT_COMMITTER_DATE": "2026-02-03T23:30:00-0500",
                "PATH": "/usr/bin:/bin",
                "HOME": str(tmp_path),
            },
        )
    assert dates_of(results) == {"0.json": "2026-02-04"}
    extras = Extras(links=links_of(["data <set>=https://example.org/d"]), dates=dates_of(results))
    site = write_site(board_of_results([make_result("one")]), tmp_path / "site", extras=extras).parent
    page = Page(site / "index.html")
    assert "2026-02-04" in page.text
    assert "https://example.org/d" in page.addresses()
    assert "data <set>" in page.text
    with pytest.raises(UserError, match="leave out --results"):
        dates_of(tmp_path / "site")


def test_sizes_are_drawn_once_three_are_known(tmp_path: Path) -> None:
    """Only of models that have a rank."""

    def page_of(n_known: int) -> Page:
        results = [
            make_result(
                f"m{n}", model=ModelInfo(name=f"m{n}", n_parameters=10 ** (3 + n) if n < n_known else None)
            )
            for n in range(4)
        ]
        return Page(write_site(board_of_results(results), tmp_path / str(n_known)))

    assert 'id="sizes"' not in page_of(2).source
    page = page_of(3)
    assert "m0: 1,000 parameters" in page.text
    assert "The size of 1 more is not known" in page.text


def test_a_comparison_never_praises_a_model_without_skill(tmp_path: Path) -> None:
    """Neither in words nor by a mark, whatever it scores."""
    constant = without_skill(make_result("majority", strength=0.9))
    page = report_page(
        tmp_path, [constant, make_result("cnn", strength=0.6), make_result("nb", strength=0.5)]
    )
    assert "majority is ahead" not in page.text
    assert "majority scores higher" not in page.text
    assert "cnn is ahead of nb" in page.text
    assert "majority has no skill" in page.text
    assert '<span class="figure best" title="87.9–92.1">90.0' not in page.source
    assert '<span class="figure best" title="57.9–62.1">60.0' in page.source
