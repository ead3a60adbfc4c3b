"""The page that compares models in a real Chromium: its conclusions, and models that it does not compare."""

from pathlib import Path

from browser import Browser
from made_boards import HOSTILE, board_of_results
from made_results import make_result

from contract.schema.leaderboards import Leaderboard
from contract.schema.results import ModelInfo
from leaderboard.pages.site import write_site
from leaderboard.view.tables import table_of


def test_ticked_models_are_compared_in_pairs(browser: Browser, site_dir: Path) -> None:
    """The conclusions agree with the ranks: the close model ties, the weak one does not."""
    browser.open(site_dir / "index.html")
    for name in ("strong", "close", "weak"):
        browser.run(
            "Array.from(document.querySelectorAll('#board tbody tr'))"
            ".find(row => row.querySelector('bdi').textContent === arguments[0])"
            ".querySelector('.choose').click()",
            name,
        )
    browser.click("#compare")
    browser.wait("!document.getElementById('comparison').hidden")
    conclusions = browser.texts("#pairs .conclusion")
    assert conclusions == ["a tie: chance could explain it", "strong is ahead", "close is ahead"]
    assert len(browser.texts("#figures thead th")) == 4
    assert browser.run("return document.querySelectorAll('#radar .outline').length") == 3
    assert browser.run("return document.querySelectorAll('#curves .chart .marker').length") == 3 * 7
    browser.click("#chosen li:last-child button")
    browser.wait("document.querySelectorAll('#pairs tbody tr').length === 1")
    assert browser.run("return location.hash").count(",") == 1


WHY = "no rank: the cases were made with this model, so its scores in brackets are no results"


def test_models_without_a_rank_are_not_compared(browser: Browser, site_dir: Path, board: Leaderboard) -> None:
    """Surrogates, constant answers and partial entries are marked wherever they are named."""
    pages = {row.model.name: row.model.page for row in table_of(board).rows}
    names = ("strong", "relative", "constant", "part")
    browser.open(site_dir / "compare.html", "#models=" + ",".join(pages[name] for name in names))
    browser.wait("!document.getElementById('comparison').hidden")
    conclusions = browser.texts("#pairs .conclusion")
    assert conclusions[:3] == [
        f"not comparable: relative has {WHY}",
        "not comparable: constant has no rank: on clean texts no better than guessing",
        "not comparable: part has no rank: some predictions of the benchmark are left out",
    ]
    assert all(conclusion.startswith("not comparable: ") for conclusion in conclusions)
    assert len(conclusions) == 6
    marks = ["surrogate", "no skill", "partial"]
    for place in ("#chosen .badge", "#figures thead .badge", "#curves .key .badge"):
        assert browser.texts(place) == marks
    options = browser.run("return Array.from(document.getElementById('add').options, e => e.text)")
    assert {f"{name} · {mark}" for name, mark in zip(names[1:], marks, strict=True)} <= set(options)


def test_revisions_of_a_model_are_told_apart(browser: Browser, tmp_path: Path) -> None:
    """By organisation and revision, in the list, on the chips and in the conclusion."""
    results = [
        make_result(
            "same", strength=strength, model=ModelInfo(name="same", organisation="ours", revision=revision)
        )
        for revision, strength in (("1", 0.7), ("2", 0.5))
    ]
    board = board_of_results(results)
    page = write_site(board, tmp_path / "site")
    models = ",".join(row.model.page for row in table_of(board).rows)
    browser.open(page.parent / "compare.html", f"#models={models}")
    browser.wait("!document.getElementById('comparison').hidden")
    names = ["same (ours 1)", "same (ours 2)"]
    assert browser.texts("#chosen bdi") == names
    assert browser.run("return Array.from(document.getElementById('add').options, e => e.text)")[1:] == names
    assert browser.texts("#pairs .conclusion") == ["same (ours 1) is ahead"]


def test_hostile_names_are_compared_as_text(browser: Browser, site_dir: Path, board: Leaderboard) -> None:
    """No element, no dialog, no request comes of a name."""
    pages = [row.model.page for row in table_of(board).rows]
    hostile = [
        page
        for page, entry in zip(pages, board.entries, strict=True)
        if entry.result.model.name in HOSTILE[:4]
    ]
    browser.open(site_dir / "compare.html", f"#models={','.join(hostile)},<img>,__proto__")
    browser.wait("!document.getElementById('comparison').hidden")
    assert browser.run("return document.querySelectorAll('main img, main script').length") == 0
    assert HOSTILE[0] in "".join(browser.texts("#figures thead"))
