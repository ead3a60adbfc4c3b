"""How often attacks succeed by one changed word, counted from edits."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import hardfrost
from contract.machine.terminal import new_console
from contract.release.single_word_summary import n_changed_words, single_word_counts, single_word_table
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


def test_the_table_has_a_line_for_each_attack() -> None:
    """With an empty cell where no attempt fools."""
    attempts = [attempt("a", FINE, fooled=True), attempt("a", FINE, fooled=False, source="minilm")]
    console = new_console(width=100)
    with console.capture() as shown:
        console.print(single_word_table(single_word_counts(attempts)))
    lines = [line.split() for line in shown.get().splitlines() if " score " in line]
    assert lines == [
        ["mr", "synonym", "score", "cnn", "1", "1.000", "1.000", "1.000"],
        ["mr", "synonym", "score", "minilm", "1", "0.000", "0.000"],
    ]


def test_a_release_without_attacks_says_so(tiny: Path) -> None:
    """In a sentence, as every command does."""
    printed = CliRunner().invoke(hardfrost.cli, ["info", str(tiny), "--single-word"])
    assert printed.exit_code == 1
    assert "no split of it was made by an attack" in str(printed.exception)
