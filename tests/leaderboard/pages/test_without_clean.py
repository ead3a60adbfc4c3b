"""Results without clean predictions stand on a leaderboard like any other, without a clean figure."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from made_reports import report_page
from read_pages import pages_of
from synthetic import write_answers

from builder.release.importing.advglue import import_advglue
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.results import ModelInfo
from evaluator.scoring.score import ScoreOptions, score
from leaderboard.board.collecting import collect
from leaderboard.pages.site import write_site
from leaderboard.view.downloads import figures_of


def test_a_release_without_originals_has_a_leaderboard(
    advglue_document: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """AdvGLUE's plain file: nobody has a score or a rank, accuracy on cases stands, no page says `None`."""
    _write_plain(advglue_document, tmp_path / "dev.json")
    import_advglue(tmp_path / "dev.json", tmp_path / "release")
    for name, label in (("always-0", 0), ("always-1", 1)):
        answers = {task: [label] * len(rows) for task, rows in advglue_document.items()}
        (tmp_path / "p.json").write_text(json.dumps(answers), encoding="utf-8")
        result = score(
            tmp_path / "release",
            tmp_path / "p.json",
            ModelInfo(name=name, organisation="o", revision="1"),
            options=ScoreOptions(resamples=20),
        )
        result.write(tmp_path / "results" / f"o__{name}" / "1" / "result.json")
    leaderboard = collect(tmp_path / "results", release_dir=tmp_path / "release")
    assert [entry.status for entry in leaderboard.entries] == ["partial", "partial"]
    assert [entry.rank for entry in leaderboard.entries] == [None, None]
    assert "clean" not in figures_of(leaderboard)["dimension"].to_pylist()
    write_site(leaderboard, tmp_path / "site", release_dir=tmp_path / "release")
    pages = pages_of(tmp_path / "site")
    model = next(page.source for path, page in pages.items() if path.startswith("models/"))
    assert "without clean predictions" in model
    assert "no rank, only the accuracy on cases" in model
    assert "This entry is partial" not in model
    assert "advglue/average" in model
    assert not [path for path, page in pages.items() if ">None<" in page.source]


@pytest.mark.parametrize("has_originals", [False, True])
def test_reports_show_what_is_wrong_where_no_clean_answer_is_known(
    advglue_document: dict[str, list[dict[str, Any]]], tmp_path: Path, *, has_originals: bool
) -> None:
    """AdvGLUE's plain file has no clean rows, and its submissions have no clean answers to any file."""
    if has_originals:
        (tmp_path / "dev.json").write_text(json.dumps(advglue_document), encoding="utf-8")
    else:
        _write_plain(advglue_document, tmp_path / "dev.json")
    release = tmp_path / "release"
    import_advglue(tmp_path / "dev.json", release)
    results, files = [], []
    for name, label in (("always-0", 0), ("always-1", 1)):
        files.append(tmp_path / f"{name}.json")
        answers = {task: [label] * len(rows) for task, rows in advglue_document.items()}
        files[-1].write_text(json.dumps(answers), encoding="utf-8")
        results.append(score(release, files[-1], ModelInfo(name=name), options=ScoreOptions(resamples=0)))
    page = report_page(tmp_path, results[:1], release_dir=release, files=files[:1])
    assert page.complaints == []
    assert "no clean predictions: wrong, lowest degrees first" in page.text
    assert "right when clean, wrong" not in page.text
    assert "turns a right answer wrong" not in page.text
    assert ("no clean prediction</span>" in page.source) == has_originals
    assert 'class="right"' not in page.source
    both = report_page(tmp_path, results, release_dir=release, files=files)
    assert both.complaints == []
    assert "no clean predictions: wrong for some models" in both.text


def test_a_comparison_says_who_was_not_asked_about_clean_texts(
    advglue_document: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """One model with clean answers and one without: lost cases of the first, and no answer made up."""
    (tmp_path / "dev.json").write_text(json.dumps(advglue_document), encoding="utf-8")
    release = tmp_path / "release"
    import_advglue(tmp_path / "dev.json", release)
    rows = ReleaseRows.read(Release.open(release), ("id", "label", "dimension")).table.to_pylist()
    fooled = {
        row["id"]: row["label"] if row["dimension"] == "clean" else 1 - row["label"] % 2 for row in rows
    }
    files = [write_answers(tmp_path / "fooled.jsonl", fooled), tmp_path / "zero.json"]
    answers = {task: [0] * len(rows) for task, rows in advglue_document.items()}
    files[1].write_text(json.dumps(answers), encoding="utf-8")
    options = ScoreOptions(resamples=0)
    results = [score(release, file, ModelInfo(name=file.stem), options=options) for file in files]
    page = report_page(tmp_path, results, release_dir=release, files=files)
    assert page.complaints == []
    assert "right when clean, wrong for some models at the lowest degrees" in page.text
    assert "zero no clean prediction" in re.sub(r"\s+", " ", page.text)
    assert "fooled no clean prediction" not in re.sub(r"\s+", " ", page.text)


def _write_plain(document: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Write AdvGLUE's plain file: rows without their originals."""
    for row in (row for rows in document.values() for row in rows):
        for key in [key for key in row if key.startswith("original_")]:
            del row[key]
    path.write_text(json.dumps(document), encoding="utf-8")
