"""The site in a real Chromium: what visitors do, and what must never happen."""

from pathlib import Path

from browser import Browser
from made_boards import DISAGREEING, HOSTILE, board_of_scores
from made_results import DIMENSIONS

from contract.schema.leaderboards import Leaderboard
from leaderboard.pages.site import write_boards, write_site
from leaderboard.pages.versions import Board
from leaderboard.view.tables import table_of

SHOWN_NAMES = "#board tbody tr .name > a"


def test_a_click_on_a_head_sorts_and_another_turns_the_order(browser: Browser, site_dir: Path) -> None:
    """Missing figures stay at the end either way."""
    browser.open(site_dir / "index.html")
    assert browser.texts(SHOWN_NAMES)[:2] == ["strong", "close"]
    browser.click("th[data-key=clean] .sorter")
    browser.click("th[data-key=clean] .sorter")
    assert browser.run("return document.querySelector('th[data-key=clean]').ariaSort") == "ascending"
    browser.click("th[data-key=score] .sorter")
    browser.click("th[data-key=score] .sorter")
    names = browser.texts(SHOWN_NAMES)
    assert names.index("weak") < names.index("middle") < names.index("strong")
    assert names[-1] == "part"


def test_where_worst_and_average_disagree_the_worst_decides(browser: Browser, tmp_path: Path) -> None:
    """The order at first, that of the columns of the setting, and what a comparison concludes."""
    write_site(board_of_scores(DISAGREEING), tmp_path / "site")
    browser.open(tmp_path / "site" / "index.html")
    assert browser.texts(SHOWN_NAMES) == list(DISAGREEING)
    assert browser.run("return document.querySelector('[aria-sort]').dataset.key") == "score"
    assert browser.run("return document.querySelector('input[name=estimate]:checked').value") == "worst"
    browser.click("th[data-key=average] .sorter")
    assert browser.texts(SHOWN_NAMES) == list(DISAGREEING)[::-1]
    browser.click("th[data-key=score] .sorter")
    assert browser.texts(SHOWN_NAMES) == list(DISAGREEING)
    browser.click("label[for=both]")
    order = "return Array.from(document.querySelector('#board td.whole').children, e => e.className[2])"
    assert browser.run(order) == ["w", "a"]
    browser.run("document.querySelectorAll('.choose').forEach(box => box.click())")
    browser.click("#compare")
    browser.wait("!document.getElementById('comparison').hidden")
    assert browser.texts("#pairs .conclusion") == ["steady is ahead", "steady is ahead", "middle is ahead"]
    assert browser.texts("#figures tr[data-kind=score] b") == ["50.0", "40.0", "30.0"]


def test_what_has_no_skill_never_leads_an_order_of_scores(browser: Browser, site_dir: Path) -> None:
    """Its score is the highest of all, but no attack fools a constant answer."""
    browser.open(site_dir / "index.html")
    for key in ("score", "average", "general"):
        for _ in range(2):
            assert browser.texts(SHOWN_NAMES)[-2:] == ["constant", "part"]
            browser.click(f"th[data-key={key}] .sorter")
    browser.click("th[data-key=model] .sorter")
    assert browser.texts(SHOWN_NAMES).index("constant") < browser.texts(SHOWN_NAMES).index("middle")


def test_searching_narrows_the_table_and_says_how_far(browser: Browser, site_dir: Path) -> None:
    """The count is announced to those who cannot see the table."""
    browser.open(site_dir / "index.html")
    browser.type("#search", "STRO")
    assert browser.texts(SHOWN_NAMES) == ["strong"]
    assert browser.texts("#found") == ["1 of 12 models"]


def test_intervals_are_shown_when_asked_for(browser: Browser, site_dir: Path) -> None:
    """They are in the page from the start, for the overall scores and for every dimension."""
    browser.open(site_dir / "index.html")
    shown = "return getComputedStyle(document.querySelector('#board .e'), '::after').content"
    assert browser.run(shown) == "none"
    assert browser.texts("#board .ci") == []
    browser.click("#intervals")
    assert browser.texts("#board .ci")[0] == "51.9–56.1"
    assert "–" in browser.run(shown)
    assert browser.run("return location.hash") == "#intervals=1"


def test_an_address_restores_what_was_seen(browser: Browser, site_dir: Path) -> None:
    """A link to a view is the view."""
    browser.open(site_dir / "index.html")
    browser.type("#search", "o")
    browser.click("label[for=average]")
    browser.click("#columns summary")
    browser.click("#columns input[value=clean]")
    browser.click("th[data-key=model] .sorter")
    before = browser.texts("#board")
    fragment = browser.run("return location.hash")
    browser.open(site_dir / "index.html", fragment)
    assert browser.texts("#board") == before
    assert "Clean" not in browser.texts("#board thead")[0]


def test_a_link_to_a_place_on_the_page_keeps_the_view(browser: Browser, site_dir: Path) -> None:
    """Order, search, columns and filters stay as they are, and the address still holds them."""
    view = "#sort=model.ascending&search=o&estimate=average&intervals=1&tag=general&task=0&hide=clean"
    browser.open(site_dir / "index.html", view)
    browser.wait("document.querySelector('#board tbody .rank').textContent === '–'")
    before = browser.texts("#board")
    browser.click("nav a[href$='#table']")
    browser.wait("scrollY > 0 && location.hash.includes('=')")
    assert browser.texts("#board") == before
    assert browser.run("return document.getElementById('search').value") == "o"
    assert browser.run("return location.hash") == view
    browser.open(site_dir / "index.html")
    browser.click("nav a[href$='#table']")
    browser.wait("location.hash === '#table'")


def test_nonsense_in_the_address_changes_nothing(browser: Browser, site_dir: Path) -> None:
    """Addresses are untrusted."""
    browser.open(site_dir / "index.html")
    before = browser.texts("#board")
    browser.open(site_dir / "index.html", "#sort=<b>.x&estimate=9&task=99&tag=x&hide=no")
    assert browser.texts("#board") == before


def test_a_tab_shows_one_setting_and_a_task_narrows_it(
    browser: Browser, site_dir: Path, board: Leaderboard
) -> None:
    """As the results have them; going back restores the page's own figures."""
    browser.open(site_dir / "index.html")
    browser.click(".tabs a:nth-child(2)")
    browser.wait("location.pathname.includes('setting-attacked')")
    before = browser.texts("#board")
    row = next(row for row in table_of(board).rows if row.model.name == "middle")
    (result,) = [entry.result for entry in board.entries if entry.result.model.name == "middle"]
    column = table_of(board).columns[2].page
    cell = "document.querySelector(`tr[data-page='${arguments[0]}']`).cells"
    place = (
        "Array.from(document.querySelectorAll('#board th')).findIndex(e => e.dataset.key === arguments[1])"
    )
    shown = f"return {cell}[{place}].querySelector('.w').textContent"
    assert result.overall is not None
    overall = result.overall.dimensions[DIMENSIONS[2]]["attacked"]
    assert browser.run(shown, row.model.page, column) == f"{100 * overall.worst.ewma:.1f}"
    browser.run("document.getElementById('task').value = '1'")
    browser.run("document.getElementById('task').dispatchEvent(new Event('change'))")
    browser.wait("document.querySelector('#board tbody .rank').textContent === '–'")
    score = result.tasks["sst"].dimensions[DIMENSIONS[2]]["score"].worst
    assert score is not None
    assert browser.run(shown, row.model.page, column) == f"{100 * score.ewma:.1f}"
    browser.run("document.getElementById('task').value = ''")
    browser.run("document.getElementById('task').dispatchEvent(new Event('change'))")
    assert browser.texts("#board") == before


def test_an_address_narrows_to_one_task(browser: Browser, site_dir: Path) -> None:
    """Ranks are not claimed for a part, and a partial entry has no mean over what it left out."""
    browser.open(site_dir / "index.html", "#task=0&sort=score.descending")
    browser.wait("document.querySelector('#board tbody .rank').textContent === '–'")
    assert browser.texts("#found") == ["ranks hold only for the whole benchmark"]
    assert browser.texts(SHOWN_NAMES)[-1] == "part"


def test_a_tag_hides_the_columns_of_the_other(browser: Browser, site_dir: Path) -> None:
    """Overall columns stay."""
    browser.open(site_dir / "index.html", "#tag=malicious")
    heads = browser.run(
        "return Array.from(document.querySelectorAll('#board th[data-tag]'))"
        ".filter(e => !e.hidden).map(e => e.dataset.tag)"
    )
    assert set(heads) == {"malicious"}
    assert len(heads) == 4


def test_buttons_copy_the_citation_and_the_view(browser: Browser, site_dir: Path) -> None:
    """And say so."""
    browser.open(site_dir / "index.html", "#sort=worst.descending")
    read = "navigator.clipboard.readText().then(arguments[0], error => arguments[0](String(error)))"
    browser.emulate("Browser.grantPermissions", permissions=["clipboardReadWrite"])
    for button, expected in (
        (".cite button", "return document.querySelector('#citation').textContent"),
        ("[data-copy='']", "return location.href"),
    ):
        browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        browser.click(button)
        browser.wait(f"document.querySelector(`{button}`).textContent === 'Copied'")
        assert browser.run_until_called(read) == browser.run(expected)
        browser.wait(f"document.querySelector(`{button}`).textContent !== 'Copied'")


def test_hostile_names_are_text_on_their_own_pages(
    browser: Browser, site_dir: Path, board: Leaderboard
) -> None:
    """They are read as they are written, cut where they are endless, and nothing comes of them."""
    for row, entry in zip(table_of(board).rows, board.entries, strict=True):
        name = entry.result.model.name
        if name not in HOSTILE:
            continue
        browser.open(site_dir / "models" / f"{row.model.page}.html")
        assert browser.run("return document.querySelectorAll('main img, main script').length") == 0
        (shown,) = browser.texts("h1")
        assert shown == name.replace("\u202e", "⟨U+202E⟩") or (len(name) > 2_000 and len(shown) <= 2_000)


def test_a_version_is_one_click_away(browser: Browser, board: Leaderboard, tmp_path: Path) -> None:
    """Without a script, and back again."""
    older = board.model_copy(
        update={
            "benchmark": board.benchmark.model_copy(update={"version": "0.9"}),
            "entries": board.entries[:1],
        }
    )
    page = write_boards([Board(leaderboard=board), Board(leaderboard=older)], tmp_path / "site")
    browser.open(page)
    for version, n_models in (("0.9", 1), ("1.0.0", len(board.entries))):
        browser.click(".versions summary")
        browser.click(".versions a:not([aria-current])")
        browser.wait(f"document.querySelector('h1 .version').textContent === '{version}'")
        assert len(browser.texts(SHOWN_NAMES)) == n_models
