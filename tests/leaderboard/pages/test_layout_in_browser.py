"""How the site stands in a real Chromium: on phones and paper, scrolled, served, without scripts."""

import functools
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import Browser
from made_results import DIMENSIONS

from contract.schema.leaderboards import Leaderboard

SHOWN_NAMES = "#board tbody tr .name > a"
SMALLEST_TARGET = 24
LEAST_CONTRAST = 3
# An A4 page on its side without the margins of 12 mm, in pixels of a ninety-sixth of an inch.
PAPER_WIDTH = int((297 - 2 * 12) / 25.4 * 96)


@pytest.fixture
def server(site_dir: Path) -> Iterator[str]:
    """Serve the site below a sub-path, and return the address of its folder."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    # The site's own folder is a part of the path, and so is the one above it.
    root = site_dir.parents[1]
    handler = functools.partial(Quiet, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}/{site_dir.relative_to(root).as_posix()}/"
        served.shutdown()
        thread.join()


def test_a_server_and_a_sub_path_change_nothing(window: Browser, server: str, site_dir: Path) -> None:
    """Scripts, styles, data and links are found, and nothing outside the folder is asked for."""
    window.complaints()
    window.requests()
    window.go(f"{server}index.html#task=0")
    window.wait("document.querySelector('#board tbody .rank').textContent === '–'")
    window.click("#board tbody .name > a")
    window.wait("location.pathname.includes('/models/') && document.querySelector('.radar')")
    window.click("a[href*='compare.html#models=']")
    window.wait("document.querySelectorAll('#chosen li').length === 1")
    dimension = next((site_dir / "dimensions").iterdir()).name
    window.go(f"{server}dimensions/{dimension}")
    window.click(".crumbs a")
    window.wait("document.querySelectorAll('.sorter').length")
    assert window.complaints() == []
    asked = [address for address in window.requests() if not address.startswith(("data:", "about:"))]
    assert len(asked) > 5
    assert [address for address in asked if not address.startswith(server)] == []


@pytest.mark.parametrize(("width", "stays"), [(1000, [".rank", ".name"]), (390, [".name"])])
def test_the_first_columns_stay_while_the_table_is_scrolled(
    browser: Browser, site_dir: Path, width: int, stays: list[str]
) -> None:
    """Head and body alike; the figures move."""
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False
    )
    browser.open(site_dir / "index.html")
    browser.wait("!document.documentElement.classList.contains('reading')")
    # On a phone the rank moves away first, and the name takes its place.
    browser.run("document.querySelector('#table .scroll').scrollLeft = 100")
    left = "return Array.from(document.querySelectorAll(arguments[0]), e => e.getBoundingClientRect().left)"
    kept = [f"#board {part} {column}" for part in ("thead", "tbody") for column in stays]
    before = [browser.run(left, selector) for selector in kept]
    figures = browser.run(left, "#board tbody td.head")
    browser.run("document.querySelector('#table .scroll').scrollLeft = 300")
    assert browser.run("return document.querySelector('#table .scroll').scrollLeft") == 300
    assert [browser.run(left, selector) for selector in kept] == before
    assert browser.run(left, "#board tbody td.head") == [place - 200 for place in figures]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_heads_can_be_hit_and_seen(browser: Browser, site_dir: Path, scheme: str) -> None:
    """Buttons that sort are large enough for a finger, and none covers its neighbour."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.emulate("Emulation.setEmulatedMedia", features=features)
    browser.open(site_dir / "index.html")
    sizes = browser.run(
        "return Array.from(document.querySelectorAll('.sorter'), e => e.getBoundingClientRect())"
        ".map(box => [box.width, box.height])"
    )
    assert len(sizes) == 8 + len(DIMENSIONS)
    assert min(side for size in sizes for side in size) >= SMALLEST_TARGET
    crowded = browser.run(
        "return Array.from(document.querySelectorAll('#board thead th'))"
        ".filter(e => Array.from(e.children).some(part => {"
        "  const box = part.getBoundingClientRect(), room = e.getBoundingClientRect();"
        "  return box.left < room.left || box.right > room.right;"
        "})).map(e => e.textContent)"
    )
    assert crowded == []
    colours = browser.run(
        "return Array.from(document.querySelectorAll('.sorter'), e => {"
        "  const arrow = getComputedStyle(e, '::after');"
        "  return [arrow.color, getComputedStyle(e.closest('th')).backgroundColor, arrow.opacity];"
        "})"
    )
    for arrow, ground, opacity in colours:
        assert opacity == "1"
        assert _contrast(arrow, ground) >= LEAST_CONTRAST
    assert len(browser.texts("#board thead th.dim > a")) == len(DIMENSIONS)


def test_a_dimension_page_shows_its_intervals(browser: Browser, site_dir: Path, board: Leaderboard) -> None:
    """There is no box to tick, so they stand there from the start."""
    browser.open(next((site_dir / "dimensions").iterdir()))
    shown = browser.texts(".board .ci")
    # A partial entry has no interval for a mean over its parts.
    n_whole = sum(entry.status != "partial" for entry in board.entries)
    assert len(shown) == 2 * 2 * n_whole
    assert all(re.fullmatch(r"[0-9.]+–[0-9.]+", text) for text in shown)


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
    """Eleven dimensions stand on an A4 page on its side, inside its margins, without the tools."""
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=PAPER_WIDTH, height=740, deviceScaleFactor=1, mobile=False
    )
    browser.emulate("Emulation.setEmulatedMedia", media="print")
    browser.open(site_dir / "index.html")
    assert browser.run("return document.documentElement.scrollWidth") <= PAPER_WIDTH
    right = "return document.getElementById('board').getBoundingClientRect().right"
    assert browser.run(right) <= PAPER_WIDTH
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


def test_without_scripts_everything_can_be_read(
    plain_window: Browser, site_dir: Path, board: Leaderboard
) -> None:
    """The table, the estimates and the model pages need no script; tools that do are not shown."""
    plain_window.open(site_dir / "index.html")
    assert len(plain_window.texts(SHOWN_NAMES)) == len(board.entries)
    assert plain_window.texts("#search, #compare") == []
    plain_window.click("label[for=average]")
    assert plain_window.texts("#board .est .w") == []
    plain_window.open(next((site_dir / "models").glob("strong-*.html")))
    assert plain_window.run("return document.querySelectorAll('.chart polyline').length") == 2 * 2 * 2 * len(
        DIMENSIONS
    )


def _contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as a browser writes them."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"[0-9]+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
