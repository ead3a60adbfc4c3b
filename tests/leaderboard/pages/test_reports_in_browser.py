"""Reports in a real Chromium: quiet, asking for nothing, readable on a phone, in the dark and on paper."""

from pathlib import Path

import pytest
from browser import Browser
from made_releases import make_release
from made_reports import STEADY, STRENGTHS, WEAK, report_page, result_on, write_predictions
from made_results import DIMENSIONS, make_result

from contract.schema.results import ModelInfo

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(1)</script>'


@pytest.fixture(scope="module")
def one_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the report of one model with a hostile name, in all dimensions and two settings."""
    folder = tmp_path_factory.mktemp("one")
    report_page(folder, [make_result("one", model=ModelInfo(name=HOSTILE), settings=("rule", "score"))])
    return folder / "report.html"


@pytest.fixture(scope="module")
def many_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a comparison of seven models, one of them partial."""
    folder = tmp_path_factory.mktemp("many")
    results = [make_result(name, strength=strength) for name, strength in STRENGTHS.items()]
    results.append(make_result("part", is_partial=True, dimensions=DIMENSIONS[:4]))
    results += [make_result(f"a rather long name {place}", strength=0.4 + place / 50) for place in range(3)]
    report_page(folder, results)
    return folder / "report.html"


@pytest.fixture(scope="module")
def cases_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a comparison that shows cases."""
    folder = tmp_path_factory.mktemp("cases")
    release_dir = make_release(folder / "release")
    files = [write_predictions(folder / f"{n}.jsonl", a) for n, a in (("weak", WEAK), ("steady", STEADY))]
    results = [result_on(release_dir, path.stem, path) for path in files]
    report_page(folder, results, release_dir=release_dir, files=files)
    return folder / "report.html"


def test_a_report_is_styled_and_quiet(
    browser: Browser, one_path: Path, many_path: Path, cases_path: Path
) -> None:
    """The policy allows its own style; the console is empty, nothing is requested, a name adds no element."""
    for path in (one_path, many_path, cases_path):
        browser.open(path)
        browser.requests()
        assert browser.run("return getComputedStyle(document.querySelector('.card')).borderRadius") == "10px"
        assert browser.run("return document.querySelectorAll('img, script').length") == 0
        assert browser.requests() == []
    assert browser.complaints() == []


def test_no_report_is_wider_than_a_phone(
    browser: Browser, one_path: Path, many_path: Path, cases_path: Path
) -> None:
    """Wide tables scroll inside their frame, the page does not."""
    width = 360
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=2, mobile=True
    )
    for path in (one_path, many_path, cases_path):
        browser.open(path)
        assert browser.run("return document.documentElement.scrollWidth") <= width, path


def test_pointing_at_a_degree_shows_its_figures(browser: Browser, one_path: Path) -> None:
    """The line above the chart answers while the pointer is there."""
    browser.open(one_path)
    stop = "document.querySelectorAll('.answering')[0].querySelectorAll('.stop')[2]"
    assert browser.run(f"return getComputedStyle({stop}.querySelector('text')).opacity") == "0"
    place = browser.run(
        f"document.documentElement.style.scrollBehavior = 'auto'; {stop}.scrollIntoView({{block: 'center'}});"
        f"const box = {stop}.querySelector('rect').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]"
    )
    browser.emulate("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
    browser.wait(f"getComputedStyle({stop}.querySelector('text')).opacity === '1'")
    assert browser.run(f"return {stop}.textContent").startswith("degree 0.2:  worst ")


def test_one_switch_turns_all_charts_from_worst_to_average(browser: Browser, many_path: Path) -> None:
    """Without any script."""
    browser.open(many_path)
    charts = "Array.from(document.querySelectorAll('.chart, .radar')).filter(e => e.getClientRects().length)"
    before = browser.run(f"return {charts}.map(e => e.getAttribute('aria-label'))")
    assert len(before) == 1 + len(DIMENSIONS)
    assert all("worst" in label for label in before)
    browser.click("label[for=show-average]")
    after = browser.run(f"return {charts}.map(e => e.getAttribute('aria-label'))")
    assert len(after) == len(before)
    assert not set(before) & set(after)


def test_removed_characters_are_shown_when_asked_for(browser: Browser, cases_path: Path) -> None:
    """Until then a thin bar stands where they were."""
    # A click must not have to wait for a page that scrolls gently.
    still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.emulate("Emulation.setEmulatedMedia", features=still)
    browser.open(cases_path)
    size = "return document.querySelector('.hit del').getBoundingClientRect().width"
    assert browser.run(size) < 4
    bar = "const style = getComputedStyle(document.querySelector('.hit del'), '::before');"
    # A bar on text of no size would have no height.
    assert browser.run(f"{bar} return style.borderLeftWidth") == "2px"
    assert browser.run(f"{bar} return parseFloat(style.fontSize)") > 8
    browser.click("#removed")
    assert browser.run(size) > 5


def test_on_paper_a_report_fits_and_hides_its_tools(
    browser: Browser, one_path: Path, many_path: Path
) -> None:
    """Nothing sticks out of a page's width, and what was folded is unfolded."""
    width = 700
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False
    )
    browser.emulate("Emulation.setEmulatedMedia", media="print")
    for path in (one_path, many_path):
        browser.open(path)
        assert browser.texts(".contents, .tools") == []
        assert browser.run("return document.documentElement.scrollWidth") <= width, path
        assert browser.run("return document.querySelector('.advice ul').getBoundingClientRect().height") > 20


def test_a_report_follows_the_readers_choice_of_light_and_dark(browser: Browser, one_path: Path) -> None:
    """Colours turn with the system."""
    browser.open(one_path)
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = browser.run(colour)
    browser.emulate(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    assert browser.run(colour) != light
