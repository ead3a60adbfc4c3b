"""A page in a real Chromium: worked through by keys alone, kept, saved, collected and applied."""

import json
from pathlib import Path

import pytest
from axe import AXE_PATH
from browser import Browser
from click.testing import CliRunner
from crowd import LABELS, careful
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait
from test_pages import hostile_plan

from builder.commands.annotate import annotate
from builder.curation.drawing import draw_plan
from builder.curation.known_texts import DrawOptions
from builder.curation.pages import write_pages
from builder.curation.plan import Plan, read_plan
from contract.release.release import Release
from contract.schema.records import records_of

FIND_PROBLEMS = (
    "const done = arguments[arguments.length - 1];"
    "axe.run(document, {preload: false, resultTypes: ['violations']})"
    ".then(found => done(found.violations.map(one => one.id + ': ' + one.nodes[0].html)))"
)


def press(browser: Browser, *keys: str) -> None:
    """Press keys, wherever the page has put the focus."""
    ActionChains(browser.driver).send_keys(*keys).perform()


def heading(browser: Browser) -> str:
    """Return what the screen is called."""
    return browser.texts("main h2")[0]


def small_plan(judged: Release) -> Plan:
    """Return a plan that can be worked through in a test."""
    options = DrawOptions(
        seed=2, per_cell=2, n_controls=2, n_known=2, n_training=2, n_qualification=3, n_annotators=5
    )
    return draw_plan(judged, options)


def answer(browser: Browser, plan: Plan) -> None:
    """Answer the text on the screen rightly, by keys."""
    shown = browser.texts("main .text")[0]
    label = "positive" if "lovely" in shown else "negative"
    press(browser, str(LABELS.index(label) + 1), Keys.ENTER)
    browser.wait("document.querySelector('main .original')")
    original = browser.texts("main .original")[0]
    keeps = ("lovely" in shown) == ("lovely" in original)
    press(browser, "y" if keeps else "n", Keys.ENTER)


def work_through(browser: Browser, plan: Plan, until: str) -> None:
    """Go on, by keys alone, until a screen's heading begins with some words."""
    for _ in range(100):
        now = heading(browser)
        if now.startswith(until):
            return
        if now.startswith(("Training", "Qualification,", "Text ")):
            answer(browser, plan)
        else:
            press(browser, Keys.ENTER)
    raise AssertionError(f"never came to {until}")


def test_a_page_filled_in_a_browser_comes_back_as_a_version_with_its_annotation(
    browser: Browser, judged_path: Path, tmp_path: Path
) -> None:
    """Plan, page, one person in the browser and four others, collect, apply: by the commands."""
    runner = CliRunner()
    plan_path, pages = tmp_path / "plan.json", tmp_path / "pages"
    small = ["--per-cell", "2", "--controls", "2", "--known", "2", "--training", "2", "--qualification", "3"]
    done = runner.invoke(annotate, ["plan", str(judged_path), "-o", str(plan_path), *small])
    assert done.exit_code == 0, done.output
    assert runner.invoke(annotate, ["page", str(plan_path), "-o", str(pages)]).exit_code == 0
    plan = read_plan(plan_path)
    browser.open(pages / "annotator-1.html")
    work_through(browser, plan, "Your qualification")
    assert "3 of 3 right (100 %)" in browser.texts("main .note")[0]
    work_through(browser, plan, "Text 4 of")
    # Closed and opened again, it goes on where it was.
    browser.open(pages / "annotator-1.html")
    assert heading(browser).startswith("Text 4 of")
    assert browser.texts("#progress-words") == ["3 of 10 texts answered."]
    work_through(browser, plan, "All done")
    press(browser, Keys.ENTER)
    saved = tmp_path / "annotator-1.json"
    WebDriverWait(browser.driver, 20).until(lambda _: saved.is_file())
    files = [saved]
    for number in range(2, 6):
        files.append(tmp_path / f"other-{number}.json")
        careful(plan, f"annotator-{number}", seed=number, wrong=0.0).write(files[-1])
    outcome_path = tmp_path / "outcome.json"
    done = runner.invoke(
        annotate, ["collect", str(plan_path), *map(str, files), "-o", str(outcome_path), "--json"]
    )
    assert done.exit_code == 0, done.output
    outcome = json.loads(outcome_path.read_text())
    first = outcome["annotators"][0]
    assert (first["name"], first["accuracy"], first["qualification"]) == ("annotator-1", 1.0, 1.0)
    assert first["n_answers"] == first["n_asked"] == 13
    assert first["unreliable"] == []
    done = runner.invoke(
        annotate, ["apply", str(judged_path), str(outcome_path), "-o", str(tmp_path / "next")]
    )
    assert done.exit_code == 0, done.output
    release = Release.open(tmp_path / "next")
    assert release.manifest.version == "1.1"
    annotations = [
        record.annotation
        for split in release.manifest.splits
        if split.is_adversarial
        for record in records_of(release.table(split))
        if record.annotation is not None
    ]
    assert len(annotations) == 6
    assert all(one["n"] == 5 and one["valid"] for one in annotations)


def test_a_label_cannot_be_changed_once_the_original_is_seen(
    browser: Browser, judged: Release, tmp_path: Path
) -> None:
    """Until then the original is nowhere on the screen; and an empty answer is asked for again."""
    plan = small_plan(judged)
    (path, *_) = write_pages(plan, tmp_path)
    browser.open(path)
    press(browser, Keys.ENTER)
    assert browser.texts("main .original") == []
    press(browser, Keys.ENTER)
    assert browser.texts("[role=alert]") == ["Please choose an answer first."]
    press(browser, "1", Keys.ENTER)
    browser.wait("document.querySelector('main .original')")
    assert browser.run("return document.querySelectorAll('input[name=label]').length") == 0
    press(browser, Keys.ENTER)
    assert browser.texts("[role=alert]") == ["Please choose an answer first."]


def test_whoever_does_not_qualify_trains_again_and_then_stops(
    browser: Browser, judged: Release, tmp_path: Path
) -> None:
    """The work does not open to guesses."""
    plan = small_plan(judged)
    (path, *_) = write_pages(plan, tmp_path)
    browser.open(path)
    headings = []
    for _ in range(60):
        headings.append(heading(browser))
        if headings[-1].startswith("All done"):
            break
        browser.run(
            "for (const name of ['label', 'keeps']) {"
            " const all = [...document.querySelectorAll(`input[name=${name}]`)];"
            " if (all.length) all[name === 'label' ? 1 : 0].checked = true }"
        )
        press(browser, Keys.ENTER)
    assert headings[-1].startswith("All done")
    assert sum(one == "Your qualification" for one in headings) == 2
    assert not any(one.startswith("Text ") for one in headings)


@pytest.mark.skipif(
    not AXE_PATH.is_file(),
    reason="ACCESSIBILITY WAS NOT TESTED: needs npm, then python tests/leaderboard/axe.py",
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_problem_on_any_screen(
    browser: Browser, judged: Release, tmp_path: Path, scheme: str
) -> None:
    """Light and dark, from the instructions to the end."""
    browser.emulate(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    plan = small_plan(judged)
    (path, *_) = write_pages(plan, tmp_path)
    browser.open(path)
    browser.emulate("Runtime.evaluate", expression=AXE_PATH.read_text(encoding="utf-8"))
    checked = []
    while not checked or not checked[-1].startswith("All done"):
        now = heading(browser)
        is_new = not any(now.split(",")[0].split()[0] == one.split(",")[0].split()[0] for one in checked)
        if is_new:
            assert browser.run_until_called(FIND_PROBLEMS) == [], now
        checked.append(now)
        if now.startswith(("Training", "Qualification,", "Text ")):
            label = "positive" if "lovely" in browser.texts("main .text")[0] else "negative"
            press(browser, str(LABELS.index(label) + 1), Keys.ENTER)
            browser.wait("document.querySelector('main .original')")
            if is_new:
                assert browser.run_until_called(FIND_PROBLEMS) == [], f"{now}, with the original"
            texts = ["lovely" in text for text in browser.texts("main .text")]
            press(browser, "y" if texts[0] == texts[1] else "n", Keys.ENTER)
        elif not now.startswith("All done"):
            press(browser, Keys.ENTER)


def test_hostile_texts_stay_texts_and_fit_a_phone(browser: Browser, plan: Plan, tmp_path: Path) -> None:
    """No element of theirs, no wider than the screen, and what cannot be seen has a look of its own."""
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=2, mobile=True
    )
    (path, *_) = write_pages(hostile_plan(plan), tmp_path)
    browser.open(path)
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    press(browser, Keys.ENTER)
    assert browser.run("return document.querySelectorAll('img, main script').length") == 0
    assert "⟨U+202E⟩" in browser.texts("main .text .mark")
    assert "</script><script>alert(1)</script>" in browser.texts("main .text")[0]
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    press(browser, "1", Keys.ENTER)
    browser.wait("document.querySelector('main .original')")
    assert browser.run("return document.documentElement.scrollWidth") <= 360


def test_damaged_memory_of_the_browser_is_begun_again(
    browser: Browser, judged: Release, tmp_path: Path
) -> None:
    """A page that cannot read what it kept shows its beginning."""
    plan = small_plan(judged)
    (path, *_) = write_pages(plan, tmp_path)
    browser.open(path)
    key = f"hardfrost-annotate:{plan.sha256}:annotator-1"
    for value in ("{", "null", '{"answers": {}}', '{"answers": {}, "tasks": 3}'):
        browser.run("localStorage.setItem(arguments[0], arguments[1])", key, value)
        browser.open(path)
        assert heading(browser) == "Task 1 of 1: mr"
