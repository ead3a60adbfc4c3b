"""Typos are single slips of the five kinds, and hit what a typist would hit."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from builder.dimensions.typo import MIX, NEIGHBOURS, operations_of
from builder.values.randomness import Draw
from contract.schema.edits import apply_edits


def made(word: str, name: str) -> set[str]:
    """Return what the operations of a kind make of a word."""
    return {apply_edits(word, item.edits) for item in operations_of(word).items if item.name == name}


def test_each_kind_does_what_its_name_says() -> None:
    """By hand, for a short word."""
    assert made("cat", "delete") == {"at", "ct", "ca"}
    assert made("cat", "swap") == {"act", "cta"}
    assert made("cat", "repeat") == {"ccat", "caat", "catt"}
    assert "vat" in made("cat", "replace")
    assert "cvat" in made("cat", "insert")


def test_neighbours_touch_on_the_keyboard_both_ways() -> None:
    """And keep their case."""
    assert set(NEIGHBOURS["g"]) >= set("fhtyvb")
    assert all(key in NEIGHBOURS[other] for key, others in NEIGHBOURS.items() for other in others)
    assert all(
        item.edits[0].replacement.isupper() for item in operations_of("NASA").items if item.name == "replace"
    )


@given(st.text(min_size=1, max_size=30))
def test_an_operation_costs_its_edit_distance_and_changes_the_word(word: str) -> None:
    """Costs are what budgets are made of."""
    for item in operations_of(word).items:
        assert Levenshtein.distance(word, apply_edits(word, item.edits)) == item.cost > 0


@pytest.mark.parametrize("word", ["not", "No", "isn't", "never,", "can't", "didnt"])
def test_negations_are_left_alone(word: str) -> None:
    """A slip in "not" is a slip in the label."""
    assert len(operations_of(word)) == 0


@pytest.mark.parametrize("word", ["500", "$1,400.", "10pm", "3rd", "1990s", "mp3"])
def test_numbers_are_left_whole(word: str) -> None:
    """A slip in 500 is another number."""
    assert len(operations_of(word)) == 0


def test_letters_beside_a_number_may_slip() -> None:
    """As far as a hyphen keeps them apart."""
    made_of_it = {apply_edits("COVID-19", item.edits) for item in operations_of("COVID-19").items}
    assert "CVOID-19" in made_of_it
    assert all(changed.endswith("-19") for changed in made_of_it)


@pytest.mark.parametrize("word", ["👩‍👩‍👧", "--", "e\u0301", "…"])
def test_what_is_no_plain_letter_is_left_alone(word: str) -> None:
    """No letter is split from its marks, no emoji taken apart."""
    assert len(operations_of(word)) == 0


def test_the_mix_is_as_stated() -> None:
    """Five kinds equally often, for a word that allows them all."""
    operations = operations_of("performance")
    draw = Draw("mix")
    counts = Counter(operations.draw(draw).name for _ in range(20_000))
    assert {name: pytest.approx(share, abs=0.02) for name, share in MIX.items()} == {
        name: n / 20_000 for name, n in counts.items()
    }
