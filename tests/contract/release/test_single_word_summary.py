"""How often attacks succeed by one changed word, counted from edits."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import hardfrost
from contract.release.single_word_summary import n_changed_words, single_word_counts
from contract.schema.edits import Edit
from contract.schema.records import Record

ORIGINAL = "a fine film , well made"


def attempt(sample: str, *edits: Edit, fooled: bool | None, source: str = "cnn") -> Record:
    """Return an attempt; its text does not matter here."""
    return Record(
        id=f"{sample}-{len(edits)}",
        sample_id=sample,
        text="changed",
        original_text=ORIGINAL,
        label=1,
        task="mr",
        dimension="synonym",
        setting="score",
        degree=0.1,
        realised_degree=0.1,
        source=source,
        field="text",
        edits=tuple(("text", edit) for edit in edits),
        source_fooled=fooled,
    )


FINE, FILM = Edit(2, 6, "fine", "good"), Edit(7, 11, "film", "movie")
IN_FINE = Edit(3, 4, "i", "1")


def test_words_are_counted_on_the_original_however_many_edits_touch_them() -> None:
    """Two edits in one word are one word; an edit over a space is two."""
    assert n_changed_words(attempt("a", FINE, fooled=True)) == 1
    assert n_changed_words(attempt("a", IN_FINE, Edit(4, 5, "n", "m"), fooled=True)) == 1
    assert n_changed_words(attempt("a", FINE, FILM, fooled=True)) == 2
    assert n_changed_words(attempt("a", Edit(5, 8, "e f", "ef"), fooled=True)) == 2


def test_a_sample_counts_once_and_by_its_easiest_success() -> None:
    """By hand: three samples against one source, one against another."""
    counts = single_word_counts(
        [
            attempt("a", FINE, fooled=True),
            attempt("a", FINE, FILM, fooled=True),
            attempt("b", FINE, fooled=False),
            attempt("b", FINE, FILM, fooled=True),
            attempt("c", FINE, fooled=False),
            attempt("a", FINE, fooled=False, source="minilm"),
            attempt("a", FINE, fooled=None),
        ]
    )
    assert list(counts) == [("mr", "synonym", "score", "cnn"), ("mr", "synonym", "score", "minilm")]
    on_cnn, on_minilm = counts.values()
    assert on_cnn.success_rate == pytest.approx(2 / 3)
    assert on_cnn.success_rate_of_one == pytest.approx(1 / 3)
    assert on_cnn.share_of_one == pytest.approx(1 / 3)
    assert on_minilm.success_rate == 0
    assert on_minilm.share_of_one is None


def test_the_command_shows_every_attack_of_a_release(tiny: Path) -> None:
    """ASR1 is never above ASR."""
    printed = CliRunner().invoke(hardfrost.cli, ["info", str(tiny), "--single-word", "--json"])
    assert printed.exit_code == 0, printed.output
    import json

    rows = json.loads(printed.stdout)
    assert {row["setting"] for row in rows} <= {"score", "gradient"}
    assert rows
    assert all(row["success_rate_of_one_word"] <= row["success_rate"] for row in rows)
    shown = CliRunner().invoke(hardfrost.cli, ["info", str(tiny), "--single-word"])
    assert "ASR1" in shown.stdout
