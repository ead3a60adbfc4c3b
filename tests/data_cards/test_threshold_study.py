"""The threshold study draws with thresholds of its own, looser than those of builds, and counts answers."""

import sys
from functools import partial
from pathlib import Path

import pytest

from builder.dimensions import contextual, synonym
from builder.models.resources import Resources
from builder.operations.dimension import Propose, WordsOfText
from builder.word_swaps.listed import LISTED
from contract.schema.edits import words_of
from data_cards import threshold_study
from data_cards.threshold_study import SIGNALS, Drawn

SHEET = Path(threshold_study.__file__).parent / "readings" / "thresholds-contextual.tsv"


def test_each_threshold_of_the_study_is_looser_than_that_of_builds() -> None:
    """Swaps on both sides of every threshold can be drawn."""
    ours, theirs = threshold_study.LOOSE_CONTEXTUAL, contextual.THRESHOLDS
    for name in ("less_likely", "small_less_likely", "pointing_less_likely"):
        assert getattr(ours, name) > getattr(theirs, name)
    for name in ("accepted", "accepted_if_bound", "accepted_if_unrelated"):
        assert getattr(ours, name) < getattr(theirs, name)
    for origin, least in synonym.THRESHOLDS.least.items():
        assert threshold_study.LOOSE_SYNONYM.least[origin] < least


@pytest.mark.parametrize(
    ("name", "strict_propose"),
    [
        ("synonym", partial(synonym.propose, thresholds=synonym.Thresholds(least={LISTED: 1.1}))),
        ("contextual", contextual.propose),
    ],
)
def test_looser_thresholds_propose_more_swaps(name: str, strict_propose: Propose) -> None:
    """The thresholds that are passed reach the functions that choose swaps."""
    text = "he drank a bottle of liquor in the saloon and slept until noon ."
    texts = [WordsOfText(text, words_of(text), 1)]
    strict, loose = strict_propose(texts, Resources()), threshold_study.PROPOSE[name](texts, Resources())
    n_strict, n_loose = (sum(map(len, proposals[0])) for proposals in (strict, loose))
    assert n_loose > n_strict


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
