"""The page that scores, in a real Chromium: a file is given, its problems or its scores are shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe import AXE_PATH
from browser import Browser
from made_boards import board_of_results
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.schema.results import ModelInfo, Result
from evaluator.scoring.score import ScoreOptions, score
from leaderboard.pages.site import write_site

HOSTILE = "<img src=x onerror=alert(1)>\u202e\u2028</script><script>alert(1)</script>"
LABELS = ("negative", "positive")
TAB = "\ue004"
# Every n-th answer is wrong.
MODELS = {"strong": 40, "middle": 10, "weak": 3}


def _answers(release_path: Path, every: int) -> dict[str, str]:
    return {
        name: answer if index % every else LABELS[answer == LABELS[0]]
        for index, (name, answer) in enumerate(right_answers(release_path).items(), start=1)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a release and the site of three models that were scored on it."""
    folder = tmp_path_factory.mktemp("submit")
    cases = tuple(
        Case(sample=sample, dimension=dimension, setting=setting, degree=degree, case=case)
        for dimension in ("typo-general", "typo-malicious")
        for setting in ("rule", "score")
        for degree in (0.05, 0.1, 0.6)
        # At the highest degree fewer than a tenth of the samples have a case.
        for sample in range(12 if degree < 0.6 else 1)
        for case in range(2)
    )
    task = SyntheticTask(name="mr", labels=LABELS, clean=tuple(i % 2 for i in range(12)), cases=cases)
    write_release(folder / "release", [task], min_samples=3)
    results = [_scored(folder, name, every) for name, every in MODELS.items()]
    board = board_of_results(results, release_dir=folder / "release")
    write_site(board, folder / "site", release_dir=folder / "release")
    return folder


def _scored(folder: Path, name: str, every: int) -> Result:
    file = write_answers(folder / f"{name}.jsonl", _answers(folder / "release", every))
    return score(folder / "release", file, ModelInfo(name=name), options=ScoreOptions(resamples=0))


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Browser]:
    """Open the page."""
    browser.open(folder / "site" / "submit.html")
    yield browser
    assert browser.run("return document.querySelectorAll('main img, main script, main iframe').length") == 0


def test_the_page_names_the_metrics_that_it_does_not_compute(page: Browser) -> None:
    """Those of the results on the site."""
    (text,) = page.texts("#not-computed")
    assert text.startswith("Not computed on this page, but by hardfrost score: ")
    assert "Success" in text
    assert "Average" not in text


def _give(page: Browser, path: Path) -> None:
    page.type("#file", str(path))
    page.wait("document.querySelector('#results h2')")


def test_a_good_file_shows_the_figures_of_the_evaluator(page: Browser, folder: Path) -> None:
    """Tiles, degrees across with EWMA last, a table and curves a setting, and the place among others."""
    result = _scored(folder, "mine", 6)
    _give(page, folder / "mine.jsonl")
    assert page.texts("#status") == ["mine.jsonl: 212 predictions for synthetic@1.0.0, no problems"]
    overall = result.overall
    assert overall is not None
    tiles = dict(zip(page.texts("#results dt"), page.texts("#results dd"), strict=True))
    assert tiles["Rank by points"] == "3\nof 4 with yours"
    assert tiles["Robustness"] == f"{100 * overall.worst.ewma:.1f}"
    assert tiles["Average"] == f"{100 * overall.average.ewma:.1f}"
    accuracy = f"accuracy {100 * (overall.clean_accuracy or 0):.1f}"
    assert tiles["Clean"] == f"{100 * (overall.clean or 0):.1f}\n{accuracy}"
    for setting, pair in overall.settings.items():
        both = f"{100 * pair.worst.ewma:.1f}\naverage {100 * pair.average.ewma:.1f}"
        assert tiles[f"Setting {setting}"] == both
    scored = result.tasks["mr"].dimensions["typo-malicious"]["score"]
    at_degrees = [scored.degrees[key] for key in ("0.05", "0.1", "0.6")]
    pairs = [(value.worst or 0.0, value.average or 0.0) for value in at_degrees]
    assert scored.average is not None
    assert scored.worst is not None
    pairs.append((scored.worst.ewma, scored.average.ewma))
    heads = ["Dimension", "0.05", "0.1", "0.6", "EWMA"]
    assert page.texts(".degree-board thead th") == [*heads, *heads]
    assert page.texts("#results h4") == ["Setting rule", "Setting score"]
    # The last row of the first table is of the setting rule.
    cells = page.texts(".degree-board tbody tr:last-child .est")
    shown = [cell.split("\n") for cell in cells[len(pairs) :]]
    assert shown == [[f"{100 * worst:.1f}", f"{100 * average:.1f}"] for worst, average in pairs]
    assert len(page.texts(".degree-board .unused")) == 4
    assert page.run("return document.querySelectorAll('#results .chart polyline').length") == 2 * 4
    assert page.texts("#standings .name")[1:] == ["strong", "middle", "Your file", "weak"]
    assert "bootstrap draws in the result" in page.texts("#results")[0]


def test_a_constant_answer_has_no_rank(page: Browser, folder: Path) -> None:
    """Its score is 0, and it is shown without a place among others."""
    file = write_answers(folder / "same.jsonl", dict.fromkeys(right_answers(folder / "release"), LABELS[1]))
    _give(page, file)
    tiles = dict(zip(page.texts("#results dt"), page.texts("#results dd"), strict=True))
    assert tiles["Rank"] == "–\nno skill"
    assert tiles["Clean"] == "0.0\naccuracy 50.0"
    assert (tiles["Robustness"], tiles["Average"]) == ("0.0", "0.0")
    assert "Rank by points" not in tiles
    assert page.texts("#standings") == []
    (note,) = page.texts("#results .note")
    assert note.startswith("On clean texts this file is no better than guessing")


def test_ids_that_are_nearly_right_are_told_with_the_nearest(page: Browser, folder: Path) -> None:
    """And nothing is scored."""
    answers = _answers(folder / "release", 5)
    answers["mr-00003.typo-malicous.rule.05.1"] = answers.pop("mr-00003.typo-malicious.rule.05.1")
    _give(page, write_answers(folder / "near.csv", answers))
    problems = page.texts(".problems li")
    assert len(problems) == 2
    assert problems[0].startswith("near.csv 1 of 50 rows of mr/typo-malicious/rule are missing")
    assert problems[1] == (
        "near.csv:213 unknown id 'mr-00003.typo-malicous.rule.05.1'; did you mean"
        " 'mr-00003.typo-malicious.rule.05.1'? Every id must come from the release's splits."
    )
    assert page.texts(".tiles, .chart") == []


def test_a_broken_file_is_told_line_by_line(page: Browser, folder: Path) -> None:
    """A line cut short, then bytes that are no text at all."""
    file = folder / "broken.jsonl"
    file.write_bytes(b'{"id": "mr-00000.clean", "prediction"\n' + bytes(range(256)))
    _give(page, file)
    problems = page.texts(".problems li")
    assert problems[1].startswith("broken.jsonl:1 not JSON (Expecting ':' delimiter")
    assert any("not UTF-8 at byte" in problem for problem in problems)
    assert page.texts("#status") == [f"broken.jsonl: {len(problems)} problems, nothing was scored"]


def test_a_file_without_clean_rows_is_refused_and_one_without_a_dimension_is_partial(
    page: Browser, folder: Path
) -> None:
    """The next file takes the place of the last."""
    answers = _answers(folder / "release", 5)
    unclean = {name: answer for name, answer in answers.items() if "clean" not in name}
    _give(page, write_answers(folder / "unclean.jsonl", unclean))
    (problem,) = page.texts(".problems li")
    assert problem.endswith("'mr-00000.clean', 'mr-00001.clean', 'mr-00002.clean'; clean rows are mandatory")
    part = {name: answer for name, answer in answers.items() if "general" not in name}
    _give(page, write_answers(folder / "part.jsonl", part))
    page.wait("document.querySelector('#results .note')")
    assert page.texts(".problems, #standings") == []
    assert page.texts("#results .note")[0].startswith(
        "Left out: mr/typo-general/rule, mr/typo-general/score."
    )
    assert len(page.texts(".degree-board tbody tr")) == 2


def test_whatever_a_file_holds_is_only_text(page: Browser, folder: Path) -> None:
    """Its name too: no element, no dialog, no request comes of it."""
    answers: dict[str, str] = dict.fromkeys([HOSTILE, "__proto__", "constructor"], HOSTILE)
    file = write_answers(folder / "<img src=x onerror=alert(1)>\u202e.jsonl", answers, benchmark=HOSTILE)
    _give(page, file)
    text = page.texts("#results")[0]
    assert "unknown id '<img src=x onerror=alert(1)>\\u202e\\u2028</script>" in text
    assert "unknown id '__proto__'" in text
    assert "<img src=x onerror=alert(1)>\\u202e.jsonl:1" in text
    assert "\u202e" not in text


def test_a_file_can_be_dropped_and_chosen_by_keyboard(page: Browser, folder: Path) -> None:
    """The field takes focus with Tab though only its label is seen; a drop that misses leaves no page."""
    text = (folder / "strong.jsonl").read_text()
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'dropped.jsonl'));"
        "const drop = (target) => target.dispatchEvent("
        "  new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));"
        "window.wasHandled = !drop(document.body); drop(document.querySelector('#drop label'))",
        text,
    )
    page.wait("document.querySelector('#results h2')")
    assert page.run("return window.wasHandled") is True
    assert page.texts("#status") == ["dropped.jsonl: 212 predictions for synthetic@1.0.0, no problems"]
    assert page.run("return document.activeElement.textContent").startswith("dropped.jsonl")
    page.type(".crumbs a", TAB)
    assert page.run("return document.activeElement.id") == "file"
    assert page.run("return getComputedStyle(document.getElementById('drop')).outlineStyle") == "solid"


def test_what_is_no_predictions_file_is_refused_in_words(page: Browser, folder: Path) -> None:
    """Other formats, several files, none; a file too large is not even read."""
    (folder / "p.parquet").write_bytes(b"PAR1")
    _give(page, folder / "p.parquet")
    assert (
        "does not read Parquet; `hardfrost check` and `hardfrost score` do" in page.texts(".problems li")[0]
    )
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([''], 'a.csv'));"
        "data.items.add(new File([''], 'b.csv'));"
        "document.getElementById('drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data}))"
    )
    page.wait("document.getElementById('status').textContent === 'Give one file at a time.'")
    page.run(
        "hardfrost.scoring.bytesOf('p.csv', {size: 300 * 1024 * 1024})"
        ".catch(error => { window.refusal = error.message })"
    )
    page.wait("window.refusal")
    assert page.run("return window.refusal").startswith("this page does not read more than 256 MB")


def test_scores_fit_on_a_phone(page: Browser, folder: Path) -> None:
    """Wide tables scroll inside their frame, the page does not."""
    width = 360
    page.emulate(
        "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=2, mobile=True
    )
    for name in ("strong.jsonl", "near.csv"):
        write_answers(folder / "near.csv", {"x" * 200: "y"})
        page.open(folder / "site" / "submit.html")
        _give(page, folder / name)
        assert page.run("return document.documentElement.scrollWidth") <= width, name


@pytest.mark.skipif(not AXE_PATH.is_file(), reason="ACCESSIBILITY WAS NOT TESTED: needs axe-core from npm")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_shown_of_a_file_is_accessible(page: Browser, folder: Path, scheme: str) -> None:
    """Scores and problems, as far as axe-core can test it."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.emulate("Emulation.setEmulatedMedia", features=features)
    write_answers(folder / "near.csv", {"mr-00000.claen": "y"})
    page.run(AXE_PATH.read_text(encoding="utf-8"))
    for name in ("middle.jsonl", "near.csv"):
        _give(page, folder / name)
        page.wait(f"document.getElementById('status').textContent.startsWith('{name}')")
        faults = page.run_until_called(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {preload: false}).then(found => done(found.violations.map("
            "  one => one.id + ': ' + one.nodes[0].html.slice(0, 200))))"
        )
        assert faults == [], name


def test_without_scripts_the_command_line_is_left(plain_window: Browser, folder: Path) -> None:
    """Nothing pretends to take a file."""
    plain_window.open(folder / "site" / "submit.html")
    assert plain_window.texts("#drop") == []
    assert plain_window.texts("noscript .note") == [
        "Scoring here needs JavaScript. The command line does not."
    ]
    assert plain_window.texts("pre")[1] == "hardfrost check release predictions.jsonl"
