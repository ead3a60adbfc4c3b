"""StressTest's three statements end a text of a pair, before its full stop."""

import pytest

from builder.methods.stresstest import STRESSTEST, write_series
from tests.builder.methods.rewritten import series, to_rewrite


def test_the_three_statements_of_the_paper_stand_before_the_full_stop() -> None:
    """As AdvGLUE's Table 6 has them."""
    assert series(write_series, to_rewrite("The bridge is old.")) == [
        "The bridge is old and true is true.",
        "The bridge is old and false is not true.",
        "The bridge is old" + " and true is true" * 5 + ".",
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("the bridge is old", "the bridge is old and true is true"),
        ("the bridge is old .", "the bridge is old and true is true ."),
        ("The bridge is old! ", "The bridge is old and true is true! "),
    ],
)
def test_spaces_and_marks_at_the_end_stay(text: str, first: str) -> None:
    """Whatever they are."""
    assert series(write_series, to_rewrite(text))[0] == first


@pytest.mark.parametrize("text", ["Is the bridge old?", 'He said: "It is old."', "...", ""])
def test_questions_quotations_and_empty_texts_are_left_alone(text: str) -> None:
    """No statement goes on with them."""
    assert series(write_series, to_rewrite(text)) == []


def test_a_text_alone_is_left_alone() -> None:
    """The paper has tasks of inference."""
    assert series(write_series, to_rewrite("The bridge is old.", is_of_pair=False)) == []


def test_a_statement_with_a_word_typical_of_a_class_is_left_out() -> None:
    """It would speak for that class."""
    text = to_rewrite("The bridge is old.", avoid=frozenset({"false"}))
    assert all("false" not in changed for changed in series(write_series, text))
    assert len(series(write_series, text)) == 2


def test_it_belongs_to_distraction_and_says_where_it_departs() -> None:
    """The table of methods shows both."""
    assert STRESSTEST.dimension == "distraction"
    assert STRESSTEST.departures
