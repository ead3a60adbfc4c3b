"""Worst-hit cases: which are shown, how their edits are marked, and what the models answered."""

import json
import re
from pathlib import Path

import pytest
from made_releases import make_release
from made_reports import STEADY, WEAK, report_page, result_on, section_of, write_predictions
from made_results import make_result

from contract.machine.errors import ExitCode, UserError
from contract.release.release import MANIFEST
from contract.schema.edits import Edit
from leaderboard.view.examples import Segment, mark_edits
from leaderboard.view.worst_hit import KEPT_AROUND, condensed


def test_lost_cases_are_shown_with_their_edits_and_the_answers(tmp_path: Path) -> None:
    """The mildest one that a sample was lost to, and what was answered before and after."""
    release_dir = make_release(tmp_path / "release")
    predictions = write_predictions(tmp_path / "weak.jsonl", WEAK)
    page = report_page(
        tmp_path, [result_on(release_dir, "weak", predictions)], release_dir=release_dir, files=[predictions]
    )
    assert page.complaints == []
    section = section_of(page, "typo")
    assert section.count('<article class="card hit">') == 1
    assert "Degree 0.05" in section
    assert "Degree 0.1" not in section
    assert "a <del>q</del><ins>w</ins>uiet, tender &lt;b&gt;film&lt;/b&gt; 🎬 &amp; a joy" in section
    answers = re.findall(r'class="(right|wrong)">.*?<bdi>(\w+)</bdi> <small>([^<]+)</small>', section)
    assert answers == [("right", "positive", "90 %"), ("wrong", "negative", "90 %")]
    assert "turns a right answer wrong" in section_of(page, "novel")


def test_a_comparison_shows_the_cases_that_part_the_models(tmp_path: Path) -> None:
    """The order of the files does not matter: each belongs to the result that was scored from it."""
    release_dir = make_release(tmp_path / "release")
    files = [write_predictions(tmp_path / f"{n}.jsonl", a) for n, a in (("weak", WEAK), ("steady", STEADY))]
    results = [result_on(release_dir, path.stem, path) for path in files]
    page = report_page(tmp_path, results, release_dir=release_dir, files=files[::-1])
    section = section_of(page, "typo")
    assert section.count('<article class="card hit">') == 1
    said = re.findall(r"<bdi>(\w+)</bdi></span> <span class=\"(right|wrong)\"", section)
    assert said == [("weak", "right"), ("steady", "right"), ("weak", "wrong"), ("steady", "right")]


def test_predictions_must_be_those_that_were_scored(tmp_path: Path) -> None:
    """Answers of another model beside a model's scores would mislead."""
    release_dir = make_release(tmp_path / "release")
    file = write_predictions(tmp_path / "weak.jsonl", WEAK)
    with pytest.raises(UserError, match=r"weak\.jsonl: sha256 .* give the same file"):
        report_page(tmp_path, [result_on(release_dir, "one")], release_dir=release_dir, files=[file])
    with pytest.raises(UserError, match=r"none\.jsonl: there is no such file"):
        report_page(
            tmp_path,
            [result_on(release_dir, "one")],
            release_dir=release_dir,
            files=[tmp_path / "none.jsonl"],
        )
    with pytest.raises(UserError, match="--predictions needs --release") as caught:
        report_page(tmp_path, [make_result("one")], files=[file])
    assert caught.value.exit_code is ExitCode.WRONG_USE


def test_withheld_labels_are_not_guessed(tmp_path: Path) -> None:
    """Without labels it is unknown which cases are wrong."""
    release_dir = make_release(tmp_path / "release")
    manifest = json.loads((release_dir / MANIFEST).read_text())
    (release_dir / MANIFEST).write_text(json.dumps(manifest | {"labels": "withheld"}))
    file = write_predictions(tmp_path / "weak.jsonl", WEAK)
    page = report_page(tmp_path, [result_on(release_dir, "one", file)], release_dir=release_dir, files=[file])
    assert "labels of this release are withheld" in page.text
    assert '<article class="card hit">' not in page.source


def test_offsets_of_edits_are_code_points() -> None:
    """An emoji is one character, however many units a browser counts for it."""
    assert mark_edits("🎬 good", [Edit(2, 3, "g", "q")]) == (
        Segment(kind="same", text="🎬 "),
        Segment(kind="removed", text="g"),
        Segment(kind="added", text="q"),
        Segment(kind="same", text="ood"),
    )


def test_long_texts_are_cut_to_what_stands_near_an_edit() -> None:
    """Nothing of an edit is lost, and short texts stay whole."""
    long = "x" * 5_000
    before, edit, between, after = condensed(
        [
            Segment(kind="same", text=long),
            Segment(kind="added", text="e"),
            Segment(kind="same", text=long),
            Segment(kind="same", text=long),
        ]
    )
    assert before.text == f" … {'x' * KEPT_AROUND}"
    assert edit.text == "e"
    assert between.text == f"{'x' * KEPT_AROUND} … {'x' * KEPT_AROUND}"
    assert after.text == f"{'x' * KEPT_AROUND} … "
    assert condensed([Segment(kind="same", text="short")])[0].text == "short"
