"""The fold takes back each disguise, and leaves ordinary text alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.folding import FOLDS, fold, restoring_folds

ORDINARY = (
    "The film isn't bad at all, says A. Critic (who saw 3,000 others) -- www.example.com!",
    "Vitamin C a day: 4th of July, mp3, covid19, 90s, B2B.",
    "café naïve Zürich e.g. i.e. x + y",
    "👩‍👩‍👧 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f ✈️",
    "نمی\u200cخواهم क्\u200dष",
    "ציון סרט נפלא",
)
DISGUISED = {
    "f.i.l.m": "respacing",
    "f i l m": "respacing",
    "f_i_l_m": "respacing",
    "f\u200bi\u2060l\u00adm": "unseen",
    "f\U000e0061ilm": "unseen",
    "ｆｉｌｍ": "plain-letters",
    "𝐟𝐢𝐥𝐦": "plain-letters",
    "f\u0336i\u0335lm": "marks",
    "\u202emlif\u202c": "direction",
    "f1lm": "unleeting",
}


@pytest.mark.parametrize("text", ORDINARY, ids=ascii)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Accents, emoji, flags, joiners of Persian and Hindi, and numbers beside letters are no disguise."""
    assert fold(text) == text


@pytest.mark.parametrize("case", DISGUISED, ids=ascii)
def test_each_disguise_is_taken_back_by_one_step(case: str) -> None:
    """A step that could be left out would have no reason to be there."""
    assert fold(f"(the {case})!") == "(the film)!"
    assert restoring_folds("film", case) == [DISGUISED[case]]


def test_two_single_letters_are_no_spaced_out_word() -> None:
    """As in "vitamin c a day"."""
    assert fold("vitamin c a day") == "vitamin c a day"


def test_overrides_inside_overrides_are_turned_twice() -> None:
    """The inner one first, as it is drawn."""
    assert fold("\u202ec\u202eab\u202c\u202c") == "bac"


@given(st.text(max_size=60))
def test_any_text_can_be_folded_and_no_step_adds_to_it_for_ever(text: str) -> None:
    """No crash, and a text that no step changes is its own fold."""
    folded = fold(text)
    if all(step.apply(text) == text for step in FOLDS.values()):
        assert folded == text


def test_what_no_step_takes_back_is_named_by_none() -> None:
    """Another word is another word."""
    assert restoring_folds("film", "movie") == []
