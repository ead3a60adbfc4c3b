"""Reports: one self-contained file about a model that shows untrusted text as text."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_releases import make_release
from made_reports import (
    STEADY,
    WEAK,
    changed_result,
    report_page,
    result_on,
    section_of,
    write_predictions,
)
from made_results import DEGREES, DIMENSIONS, make_result, without_skill
from read_pages import Page, pages_of
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import ExitCode, UserError
from contract.schema.results import ModelInfo
from evaluator.commands.tables import print_result
from evaluator.scoring.score import score
from leaderboard.board.collecting import collect
from leaderboard.commands.leaderboard import report
from leaderboard.pages.reports import write_report
from leaderboard.pages.site import write_site
from leaderboard.submissions.rechecking import differences_of

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": '"><img src=x onerror=alert(1)>',
    "style": "</style><style>*{display:none}</style>",
    "right to left": "abc\u202egpj.exe\u0000\u2028",
    "long": "x" * 10_000,
    "template": "{{ 7 * 7 }}{% raw %}",
}


def test_a_report_is_one_file_that_needs_nothing_else(tmp_path: Path) -> None:
    """Well formed, every link leads into the file itself, and the policy names the one style by its hash."""
    for results in ([make_result("one")], [make_result("one"), make_result("two", strength=0.5)]):
        page = report_page(tmp_path, results)
        assert page.complaints == []
        assert not re.search(r"(https?:)?//[a-z]", page.source)
        ids = [attributes.get("id") for _, attributes in page.elements]
        assert len([name for name in ids if name]) == len({name for name in ids if name})
        for address in page.addresses():
            assert address == "data:," or address[1:] in ids, address
        style = re.search("<style>(.*?)</style>", page.source, re.DOTALL)
        assert style
        digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
        policy = next(a["content"] for tag, a in page.elements if tag == "meta" and "http-equiv" in a)
        assert policy == (
            f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:;"
            " base-uri 'none'; form-action 'none'"
        )
        for tag, attributes in page.elements:
            assert tag not in {"script", "iframe", "img", "object"}
            assert not [name for name in attributes if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_untrusted_text_is_shown_as_text(tmp_path: Path, name: str) -> None:
    """A name of any kind adds no element and no unseen character."""
    pages = []
    for text in (name, "name"):
        model = ModelInfo(name=text, organisation=text, revision=text, notes=text, licence=text, url=text)
        results = [
            make_result(
                f"model {place}",
                model=model.model_copy(update={"revision": str(place)}),
                dimensions=(text, "syntax", "typo-general"),
                tasks=(text,),
                settings=(text,),
            )
            for place in range(2)
        ]
        pages.append([report_page(tmp_path, results[:1]), report_page(tmp_path, results)])
    for hostile, harmless in zip(*pages, strict=True):
        assert hostile.complaints == []
        # The order of dimensions is that of their names; what they add must not depend on them.
        assert sorted(tag for tag, _ in hostile.elements) == sorted(tag for tag, _ in harmless.elements)
        assert not re.search("[\u0000-\u0008\u202a-\u202e\u2066-\u2069\u2028\u2029]", hostile.source)


def test_every_dimension_has_its_curves_figures_and_advice(tmp_path: Path) -> None:
    """Average and worst with bands for each setting, the radar, the table, and what helps."""
    result = make_result("one", settings=("rule", "score"))
    page = report_page(tmp_path, [result])
    charts = page.source.split('<svg class="chart answering"')[1:]
    assert len(charts) == 2 * len(DIMENSIONS)
    assert all(chart.count("<polyline") == chart.count('class="band') == 2 for chart in charts)
    assert all(chart.count('<g class="stop">') == len(DEGREES) for chart in charts)
    # One for each setting.
    assert page.source.count('<svg class="radar"') == 2
    assert page.source.count("<summary>What helps</summary>") == len(DIMENSIONS)
    score = result.tasks["mr"].dimensions["synonym"]["score"]
    section = section_of(page, "synonym")
    for value in score.degrees.values():
        assert f"{100 * value.average:.1f}" in section
        assert f"{100 * value.worst:.1f}" in section
    assert "replaced by synonyms in a share of the training texts" in section


def test_the_summary_says_what_stands_out(tmp_path: Path) -> None:
    """In sentences, with the figures of the result."""
    text = report_page(tmp_path, [make_result("one", strength=0.6)]).text
    assert "52 % of its clean score withstands every case" in text
    assert "Clean 80.0, robustness 42.0; on average over cases 60.0." in text
    assert "Robustness is known to within 2.1 points" in text
    assert "malicious perturbations do more harm than general ones" in text


def test_a_partial_result_is_reported_without_an_overall_score(tmp_path: Path) -> None:
    """What was left out is named, never shown as zero."""
    page = report_page(tmp_path, [make_result("part", is_partial=True, dimensions=DIMENSIONS[:2])])
    assert "This result is partial" in page.text
    assert "Left out: mr/syntax/rule." in page.text
    assert page.source.count('<section class="dimension"') == 2
    assert '<svg class="radar"' not in page.source
    assert page.complaints == []


def test_a_dimension_that_was_not_scored_says_why(tmp_path: Path) -> None:
    """Its degrees are shown all the same, and it is no part of the profile."""
    result = changed_result(make_result("one"), "syntax", is_scored=False)
    page = report_page(tmp_path, [result])
    assert "Not scored: no degree has 20 samples" in section_of(page, "syntax")
    assert 'class="unused"' in section_of(page, "syntax")
    assert page.source.count('<svg class="track"') == len(DIMENSIONS) - 1
    assert page.source.count('<svg class="chart answering"') == len(DIMENSIONS) - 1
    compared = report_page(tmp_path, [result, make_result("two")])
    assert compared.complaints == []
    assert "Not scored" not in compared.text


def test_scores_without_degrees_intervals_or_clean_rows_are_reported(tmp_path: Path) -> None:
    """What a result does not have is left out of the page, not invented."""
    bare = changed_result(make_result("bare", with_replicates=False), "syntax", has_degrees=False)
    task = bare.tasks["mr"].model_copy(update={"clean": None})
    overall = bare.overall.model_copy(update={"clean": None}) if bare.overall else None
    bare = bare.model_copy(update={"tasks": {"mr": task}, "overall": overall})
    page = report_page(tmp_path, [bare])
    assert page.complaints == []
    assert page.source.count('<svg class="chart answering"') == len(DIMENSIONS) - 1
    assert 'class="clean" x1="34"' not in page.source
    assert "without clean predictions" in page.text
    assert report_page(tmp_path, [bare, make_result("two")]).complaints == []


def test_unusable_files_are_named_together_and_nothing_is_written(tmp_path: Path) -> None:
    """An older report stays as it was."""
    (tmp_path / "report.html").write_text("old")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "list.json").write_text("[]")
    paths = [tmp_path / name for name in ("deep.json", "list.json", "nothing.json")]
    with pytest.raises(UserError) as caught:
        write_report(paths, tmp_path / "report.html")
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    assert all(path.name in caught.value.message for path in paths)
    with pytest.raises(UserError, match="given twice"):
        write_report([paths[0], paths[0]], tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == "old"


def test_a_release_says_what_dimensions_stand_for(tmp_path: Path) -> None:
    """A new one too: its texts, its order and its tag come from the manifest."""
    release_dir = make_release(tmp_path / "release")
    page = report_page(tmp_path, [result_on(release_dir, "one")], release_dir=release_dir)
    assert "Something new." in section_of(page, "novel")
    assert "Keys missed on purpose." in section_of(page, "typo")
    assert "share of characters edited" in page.text
    assert page.source.index('<section class="dimension" id="typo') < page.source.index(
        '<section class="dimension" id="novel'
    )
    assert "Give --release and --predictions as well" in page.text


def test_a_model_that_guesses_is_said_to_guess(tmp_path: Path) -> None:
    """In its own report, and beside models that have skill."""
    guess = without_skill(make_result("two", strength=0.3))
    assert "No better than guessing on task mr" in report_page(tmp_path, [guess]).text
    page = report_page(tmp_path, [make_result("one"), guess])
    assert "two: no better than guessing on task mr" in page.text


def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    """A report contains no time and no path of the machine that wrote it."""
    results = [make_result("one"), make_result("two", strength=0.5)]
    (tmp_path / "again").mkdir()
    assert report_page(tmp_path, results).source == report_page(tmp_path / "again", results).source
    assert str(tmp_path) not in report_page(tmp_path, results[:1]).source


def test_the_command_prints_the_path_of_the_report(tmp_path: Path) -> None:
    """Files after --predictions may be many, as a shell's star leaves them."""
    release_dir = make_release(tmp_path / "release")
    files = [write_predictions(tmp_path / f"{n}.jsonl", a) for n, a in (("weak", WEAK), ("steady", STEADY))]
    for path in files:
        result_on(release_dir, path.stem, path).write(tmp_path / f"{path.stem}.json")
    results = [str(tmp_path / f"{path.stem}.json") for path in files]
    output = tmp_path / "report.html"
    arguments = [
        *results,
        "--release",
        str(release_dir),
        "--predictions",
        *map(str, files),
        "-o",
        str(output),
    ]
    done = CliRunner().invoke(report, arguments)
    assert (done.exit_code, done.stdout) == (0, f"{output}\n")
    assert Page(output).source.count('<article class="card hit">') == 1
    assert CliRunner().invoke(report, [str(files[0])]).exit_code == ExitCode.WRONG_USE


def test_a_dimension_without_any_case_is_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the report, the comparison, the site and the terminal; nowhere does an empty table stand."""
    cases = tuple(Case(sample=i, dimension="typo", setting="rule", degree=0.1, case=0) for i in range(3))
    empty = (("typo", "score", 0.1), ("syntax", "rule", 0.1))
    task = SyntheticTask(name="mr", labels=("no", "yes"), clean=(0, 1, 0), cases=cases, empty=empty)
    write_release(tmp_path / "release", [task])
    file = write_answers(tmp_path / "p.jsonl", right_answers(tmp_path / "release"))
    results = [
        score(tmp_path / "release", file, ModelInfo(name=name, revision="1")) for name in ("one", "two")
    ]
    print_result(results[0])
    assert capsys.readouterr().out.count("no case was frozen") == 2
    for page in (report_page(tmp_path, results[:1]), report_page(tmp_path, results)):
        assert page.complaints == []
        assert page.text.count("Not scored: no case was frozen") == 2
        assert page.source.count("<summary>Figures by degree") == 1
    leaderboard = collect(tmp_path / "results", release_dir=tmp_path / "release")
    assert [info.name for info in leaderboard.dimensions] == ["syntax", "typo"]
    write_site(leaderboard, tmp_path / "site", release_dir=tmp_path / "release")
    pages = pages_of(tmp_path / "site")
    assert [path for path, page in pages.items() if page.complaints] == []
    model = next(page for path, page in pages.items() if path.startswith("models/"))
    assert model.text.count("Not scored: no case was frozen") == 2
    # Older results were silent about such dimensions, and are still as scored anew.
    task = results[0].tasks["mr"]
    dimensions = {"typo": {"rule": task.dimensions["typo"]["rule"]}}
    older = results[0].model_copy(
        update={
            "tasks": {"mr": task.model_copy(update={"dimensions": dimensions})},
            "evaluator_version": "0.0.1",
        }
    )
    assert differences_of(older, results[0]) == []


def test_a_report_shows_the_worst_of_rising_numbers_of_cases(tmp_path: Path) -> None:
    """With the samples behind each figure where the result has them; keys that are no numbers stay out."""
    result = make_result("one")
    task = result.tasks["mr"]
    curve = {"10": 0.25, "2": 0.5, "1": 0.75, "x": 0.1, "9" * 5_000: 0.1}
    update = {"worst_at_k": curve, "worst_at_k_samples": {"1": 1_200, "2": 900}}
    score_ = task.dimensions["syntax"]["rule"].model_copy(update=update)
    dimensions = task.dimensions | {"syntax": {"rule": score_}}
    changed = result.model_copy(update={"tasks": {"mr": task.model_copy(update={"dimensions": dimensions})}})
    page = report_page(tmp_path, [changed])
    assert page.complaints == []
    assert page.source.count("Worst of K cases") == 1
    section = section_of(page, "syntax")
    table = section[section.index("Cases tried") :]
    cells = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>', table)
    assert cells == [("1", "75.0", "1,200"), ("2", "50.0", "900"), ("10", "25.0", "–")]
