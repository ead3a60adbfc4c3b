"""The threshold study lifts thresholds that are there, puts them back, and counts what was read."""

import sys
from pathlib import Path

import pytest

from data_cards import threshold_study
from data_cards.threshold_study import LIFTED, SIGNALS, Drawn

SHEET = Path(threshold_study.__file__).parent / "readings" / "thresholds-contextual.tsv"


def test_thresholds_are_lifted_and_put_back() -> None:
    """Each is a constant of its module, looser inside than outside."""
    before = [getattr(module, name) for module, name, _ in LIFTED]
    with threshold_study._lifted():
        assert [getattr(module, name) for module, name, _ in LIFTED] == [value for _, _, value in LIFTED]
    assert [getattr(module, name) for module, name, _ in LIFTED] == before
    assert all(value != old for (_, _, value), old in zip(LIFTED, before, strict=True))


def test_swaps_are_drawn_from_the_whole_range() -> None:
    """Low and high values of every signal are among them, and no pair of words stands twice."""
    found = [
        Drawn("s", "good", "a film", 2, f"film{number}", "movie", "near", number / 100, 1 - number / 100, 0.0)
        for number in range(100)
    ]
    drawn = threshold_study._spread(found, 30)
    assert len({(swap.original, swap.replacement) for swap in drawn}) == len(drawn) <= 30
    assert min(swap.word_cosine for swap in drawn) < 0.1
    assert max(swap.word_cosine for swap in drawn) > 0.9


def test_a_sheet_is_counted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of good swaps rises with the cosine of the words, which is why that is the threshold."""
    monkeypatch.setattr(sys, "argv", ["threshold_study", "count", str(SHEET)])
    threshold_study.main()
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == set(SIGNALS)
    shares = [float(line.split()[-1]) for line in lines if line.startswith("word_cosine")]
    assert shares == sorted(shares)
    assert shares[-1] > 0.85
