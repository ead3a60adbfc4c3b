"""The site in a real Chromium: what visitors do, and what must never happen."""

from pathlib import Path

import pytest
from browser import Browser, browsing, find_programs
from made_results import DIMENSIONS, make_result, without_skill

from contract.leaderboards import Leaderboard, LeaderboardDimension
from contract.results import ModelInfo
from leaderboard.collecting import FoundResult, FoundResults, collect_found
from leaderboard.site import write_boards, write_site
from leaderboard.tables import table_of
from leaderboard.versions import Board

PROGRAMS = find_programs()
pytestmark = pytest.mark.skipif(
    PROGRAMS is None,
    reason="THE SITE WAS NOT TRIED IN A BROWSER: apt-get install -y chromium chromium-driver",
)
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "../../x",
    "abc\u202egpj",
    "x" * 10_000,
]
STRENGTHS = {"strong": 0.72, "close": 0.716, "middle": 0.6, "weak": 0.5}
SHOWN_NAMES = "#board tbody tr .name > a"


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    """Return two tasks and settings with a tie, a partial entry, a surrogate and strangers."""
    scope = {"tasks": ("mr", "sst"), "settings": ("rule", "score")}
    results = [make_result(name, strength=strength, **scope) for name, strength in STRENGTHS.items()]
    results.append(make_result("part", is_partial=True, dimensions=DIMENSIONS[:4], **scope))
    surrogate = ModelInfo(name="relative", is_surrogate_family=True)
    results.append(make_result("relative", strength=0.65, model=surrogate, **scope))
    results.append(without_skill(make_result("constant", strength=0.8, **scope)))
    results += [
        make_result(
            f"h{index}", strength=0.3, model=ModelInfo(name=name, organisation=name, notes=name), **scope
        )
        for index, name in enumerate(HOSTILE)
    ]
    found = [FoundResult(path=f"{index}.json", result=result) for index, result in enumerate(results)]
    collected = collect_found(FoundResults(results=tuple(found), ignored=()))
    tags = tuple(
        LeaderboardDimension(name=name, tag="malicious" if name.endswith("malicious") else "general")
        for name in DIMENSIONS
    )
    return collected.model_copy(update={"dimensions": tags})


@pytest.fixture(scope="module")
def site_dir(board: Leaderboard, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the site once."""
    return write_site(board, tmp_path_factory.mktemp("browser") / "site").parent


def test_a_click_on_a_head_sorts_and_another_turns_the_order(browser: Browser, site_dir: Path) -> None:
    """Missing figures stay at the end either way."""
    browser.open(site_dir / "index.html")
    assert browser.texts(SHOWN_NAMES)[:2] == ["strong", "close"]
    browser.click("th[data-key=clean] .sorter")
    browser.click("th[data-key=clean] .sorter")
    assert browser.run("return document.querySelector('th[data-key=clean]').ariaSort") == "ascending"
    browser.click("th[data-key=average] .sorter")
    browser.click("th[data-key=average] .sorter")
    names = browser.texts(SHOWN_NAMES)
    assert names.index("weak") < names.index("middle") < names.index("strong")
    assert names[-1] == "part"


def test_what_has_no_skill_never_leads_an_order_of_scores(browser: Browser, site_dir: Path) -> None:
    """Its score is the highest of all, but no attack fools a constant answer."""
    browser.open(site_dir / "index.html")
    for key in ("average", "worst", "general"):
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
    assert browser.texts("#board .ci")[0] == "69.9–74.1"
    assert "–" in browser.run(shown)
    assert browser.run("return location.hash") == "#intervals=1"


def test_an_address_restores_what_was_seen(browser: Browser, site_dir: Path) -> None:
    """A link to a view is the view."""
    browser.open(site_dir / "index.html")
    browser.type("#search", "o")
    browser.click("label[for=worst]")
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
    view = "#sort=model.ascending&search=o&estimate=worst&intervals=1&tag=general&setting=rule&hide=clean"
    browser.open(site_dir / "index.html", view)
    browser.wait("document.querySelector('#board tbody .rank').textContent === '–'")
    before = browser.texts("#board")
    browser.click("nav a[href$='#reading']")
    browser.wait("scrollY > 0 && location.hash.includes('=')")
    assert browser.texts("#board") == before
    assert browser.run("return document.getElementById('search').value") == "o"
    assert browser.run("return location.hash") == view
    browser.open(site_dir / "index.html")
    browser.click("nav a[href$='#reading']")
    browser.wait("location.hash === '#reading'")


def test_nonsense_in_the_address_changes_nothing(browser: Browser, site_dir: Path) -> None:
    """Strangers also write links."""
    browser.open(site_dir / "index.html")
    before = browser.texts("#board")
    browser.open(site_dir / "index.html", "#sort=<b>.x&estimate=9&task=99&setting=no&tag=x&hide=no")
    assert browser.texts("#board") == before


def test_a_setting_shows_the_figures_of_that_setting(
    browser: Browser, site_dir: Path, board: Leaderboard
) -> None:
    """Means over tasks, as the results have them; going back restores the page's own figures."""
    browser.open(site_dir / "index.html")
    before = browser.texts("#board")
    browser.run("document.getElementById('setting').value = 'score'")
    browser.run("document.getElementById('setting').dispatchEvent(new Event('change'))")
    browser.wait("document.querySelector('#board tbody .rank').textContent === '–'")
    index = [entry.result.model.name for entry in board.entries].index("middle")
    result = board.entries[index].result
    page = table_of(board).rows[index].model.page
    column = table_of(board).columns[2].page
    scores = [task.dimensions[DIMENSIONS[2]]["score"].average for task in result.tasks.values()]
    expected = sum(score.ewma for score in scores if score) / 2
    cell = "document.querySelector(`tr[data-page='${arguments[0]}']`).cells"
    place = (
        "Array.from(document.querySelectorAll('#board th')).findIndex(e => e.dataset.key === arguments[1])"
    )
    shown = browser.run(f"return {cell}[{place}].querySelector('.a').textContent", page, column)
    assert shown == f"{100 * expected:.1f}"
    browser.run("document.getElementById('setting').value = ''")
    browser.run("document.getElementById('setting').dispatchEvent(new Event('change'))")
    assert browser.texts("#board") == before


def test_an_address_narrows_to_one_task_and_setting(browser: Browser, site_dir: Path) -> None:
    """Ranks are not claimed for a part, and a partial entry has no mean over what it left out."""
    browser.open(site_dir / "index.html", "#task=0&setting=rule&sort=average.descending")
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


def test_ticked_models_are_compared_in_pairs(browser: Browser, site_dir: Path) -> None:
    """The verdict is that of the ranks: the close one ties, the weak one does not."""
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
    verdicts = browser.texts("#pairs .verdict")
    assert verdicts == ["a tie: chance could explain it", "strong is ahead", "close is ahead"]
    assert len(browser.texts("#figures thead th")) == 4
    assert browser.run("return document.querySelectorAll('#radar .outline').length") == 3
    assert browser.run("return document.querySelectorAll('#curves .chart .marker').length") == 3 * 7
    browser.click("#chosen li:last-child button")
    browser.wait("document.querySelectorAll('#pairs tbody tr').length === 1")
    assert browser.run("return location.hash").count(",") == 1


def test_no_verdict_is_passed_on_what_does_not_compare(
    browser: Browser, site_dir: Path, board: Leaderboard
) -> None:
    """Surrogates, constant answers and partial entries are marked wherever they are named."""
    pages = {row.model.name: row.model.page for row in table_of(board).rows}
    names = ("strong", "relative", "constant", "part")
    browser.open(site_dir / "compare.html", "#models=" + ",".join(pages[name] for name in names))
    browser.wait("!document.getElementById('comparison').hidden")
    verdicts = browser.texts("#pairs .verdict")
    assert verdicts[:3] == [
        "not comparable: relative is related to a classifier that the cases were made with",
        "not comparable: constant is no better on clean texts than a constant answer",
        "not comparable: part is partial and has no overall score",
    ]
    assert all(verdict.startswith("not comparable: ") for verdict in verdicts)
    assert len(verdicts) == 6
    marks = ["surrogate", "no skill", "partial"]
    for place in ("#chosen .badge", "#figures thead .badge", "#curves .key .badge"):
        assert browser.texts(place) == marks
    options = browser.run("return Array.from(document.getElementById('add').options, e => e.text)")
    assert {f"{name} · {mark}" for name, mark in zip(names[1:], marks, strict=True)} <= set(options)


def test_revisions_of_a_model_are_told_apart(browser: Browser, tmp_path: Path) -> None:
    """By organisation and revision, in the list, on the chips and in the verdict."""
    results = [
        make_result(
            "same", strength=strength, model=ModelInfo(name="same", organisation="ours", revision=revision)
        )
        for revision, strength in (("1", 0.7), ("2", 0.5))
    ]
    found = [FoundResult(path=f"{index}.json", result=result) for index, result in enumerate(results)]
    board = collect_found(FoundResults(results=tuple(found), ignored=()))
    page = write_site(board, tmp_path / "site")
    models = ",".join(row.model.page for row in table_of(board).rows)
    browser.open(page.parent / "compare.html", f"#models={models}")
    browser.wait("!document.getElementById('comparison').hidden")
    names = ["same (ours 1)", "same (ours 2)"]
    assert browser.texts("#chosen bdi") == names
    assert browser.run("return Array.from(document.getElementById('add').options, e => e.text)")[1:] == names
    assert browser.texts("#pairs .verdict") == ["same (ours 1) is ahead"]


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


def test_no_page_is_wider_than_a_phone(browser: Browser, site_dir: Path) -> None:
    """Wide tables scroll inside their frame, the page does not."""
    width = 360
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=2, mobile=True
    )
    for path in sorted(site_dir.rglob("*.html")):
        browser.open(path)
        assert browser.run("return document.documentElement.scrollWidth") <= width, path.name


def test_on_paper_the_whole_table_fits(browser: Browser, site_dir: Path) -> None:
    """Eleven dimensions stand on a landscape page, without the tools."""
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=1050, height=740, deviceScaleFactor=1, mobile=False
    )
    browser.emulate("Emulation.setEmulatedMedia", media="print")
    browser.open(site_dir / "index.html")
    assert browser.run("return document.getElementById('board').offsetWidth") <= 1050
    assert browser.texts("#search, #compare, .choose") == []
    browser.emulate("Emulation.setEmulatedMedia", media="")


def test_dark_follows_the_reader(browser: Browser, site_dir: Path) -> None:
    """Colours turn, and text stays readable on its ground."""
    browser.open(site_dir / "index.html")
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = browser.run(colour)
    browser.emulate(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    assert browser.run(colour) != light


def test_without_scripts_everything_can_be_read(driver: int, site_dir: Path, board: Leaderboard) -> None:
    """The table, the estimates and the model pages need no script; tools that do are not shown."""
    assert PROGRAMS is not None
    with browsing(driver, PROGRAMS[0], with_scripts=False) as plain:
        plain.open(site_dir / "index.html")
        assert len(plain.texts(SHOWN_NAMES)) == len(board.entries)
        assert plain.texts("#search, #compare") == []
        plain.click("label[for=worst]")
        assert plain.texts("#board .est .a") == []
        plain.open(next((site_dir / "models").glob("strong-*.html")))
        assert plain.run("return document.querySelectorAll('.chart polyline').length") == 2 * 2 * 2 * len(
            DIMENSIONS
        )
