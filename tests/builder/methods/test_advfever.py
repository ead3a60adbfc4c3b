"""AdvFever's rules are applied one at a time, and what comes out is checked."""

from builder.methods.advfever import write_series
from tests.builder.methods.rewritten import series, to_rewrite


def test_a_claim_is_turned_by_every_rule_that_fits() -> None:
    """One rule for each rewrite."""
    written = series(write_series, to_rewrite("Anna Berg is a singer."))
    assert "There exists a singer that goes by the name of Anna Berg." in written
    assert "There is a singer called Anna Berg." in written
    assert len(set(written)) == len(written)


def test_a_frame_is_for_texts_that_no_other_rule_fits() -> None:
    """It fits any statement, and says the least in other words."""
    assert not any("true" in text for text in series(write_series, to_rewrite("Anna Berg is a singer.")))
    framed = series(write_series, to_rewrite("They were loud."))
    assert framed == ["It is true that they were loud."]


def test_a_question_is_left_alone() -> None:
    """It claims nothing."""
    assert series(write_series, to_rewrite("Is Anna Berg a singer?")) == []


def test_a_rewrite_with_a_word_of_another_class_is_left_out() -> None:
    """The label guard."""
    guarded = to_rewrite("Anna Berg is a singer.", avoid=frozenset({"exists"}))
    assert not any("exists" in text for text in series(write_series, guarded, {"exists": 1}))
