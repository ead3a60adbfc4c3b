"""Timings: for the owner of a build, beside the release and no part of it."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.release.publishing.publish import files_to_publish
from contract.commands.releases import info
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.timings import LOG, Timing, read_timings, write_timings


def test_a_build_says_how_long_each_piece_took(tiny: Path) -> None:
    """Every unit has a line; people get tables, scripts JSON."""
    timings = read_timings(tiny / LOG)
    stages = ["load", "surrogates", "perturb", "perturb", "vote", "vote", "freeze"]
    assert [timing.stage for timing in timings] == stages
    assert all(timing.seconds >= 0 for timing in timings)
    assert all(
        timing.seconds_by_model.keys() == {"word-tfidf"} for timing in timings if timing.stage == "vote"
    )
    assert all(timing.seconds_in_models <= timing.seconds + 0.001 for timing in timings)
    assert sum(timing.cpu_seconds for timing in timings) > 0
    assert sum(timing.n_questions for timing in timings if timing.stage == "vote") == sum(
        timing.n_rows for timing in timings if timing.stage == "perturb"
    )
    shown = CliRunner().invoke(info, [str(tiny), "--timings"]).output
    assert "typo-malicious" in shown
    assert "pieces" in shown
    assert "Models" in shown
    raw = json.loads(CliRunner().invoke(info, [str(tiny), "--timings", "--json"]).output)
    assert [entry["title"] for entry in raw] == [timing.title for timing in timings]


def test_timings_are_neither_published_nor_part_of_what_is_verified(tiny: Path) -> None:
    """A machine's speed is nobody's business."""
    release = Release.open(tiny)
    assert LOG not in {file.name for file in files_to_publish(release, {"README.md": "text"})}
    assert LOG not in (tiny / "manifest.json").read_text(encoding="utf-8")
    assert verify(release, Silence()) == []


def test_a_log_that_is_missing_or_cut_is_refused(tmp_path: Path) -> None:
    """By line."""
    with pytest.raises(UserError, match="they are never published"):
        read_timings(tmp_path / LOG)
    write_timings(tmp_path / LOG, [Timing(stage="vote", title=f"piece {n}", seconds=n) for n in (1, 2)])
    assert [timing.title for timing in read_timings(tmp_path / LOG)] == ["piece 1", "piece 2"]
    text = (tmp_path / LOG).read_text(encoding="utf-8")
    (tmp_path / LOG).write_text(text[:-20], encoding="utf-8")
    with pytest.raises(UserError, match=f"{LOG}:2: not a line of timings"):
        read_timings(tmp_path / LOG)


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e308", "-1", "true", "NaN"])
@pytest.mark.parametrize("field", ["seconds", "n_rows", "model_seconds"])
def test_numbers_that_cannot_be_added_and_shown_are_refused(tmp_path: Path, field: str, number: str) -> None:
    """No sum of them becomes infinite."""
    fields = {"seconds": "1"} | {field: number}
    numbers = ", ".join(f'"{name}": {value}' for name, value in fields.items())
    (tmp_path / LOG).write_text(f'{{"stage": "vote", "title": "x", {numbers}}}\n', encoding="utf-8")
    with pytest.raises(UserError, match=f"{LOG}:1: not a line of timings"):
        read_timings(tmp_path / LOG)


def test_a_pipe_in_the_place_of_a_log_is_not_waited_for(tmp_path: Path) -> None:
    """It is no log."""
    os.mkfifo(tmp_path / LOG)
    with pytest.raises(UserError, match="they are never published"):
        read_timings(tmp_path / LOG)


def test_seconds_by_model_must_be_numbers(tmp_path: Path) -> None:
    """A log that a person changed is refused, not added up."""
    kept = Timing(stage="vote", title="a piece", seconds=2.0, seconds_by_model={"cnn": 1.5, "encoder": 0.25})
    write_timings(tmp_path / LOG, [kept])
    assert read_timings(tmp_path / LOG) == [kept]
    assert kept.seconds_in_models == 1.75
    text = (tmp_path / LOG).read_text(encoding="utf-8")
    (tmp_path / LOG).write_text(text.replace("1.5", '"long"'), encoding="utf-8")
    with pytest.raises(UserError, match=f"{LOG}:1: not a line of timings"):
        read_timings(tmp_path / LOG)
