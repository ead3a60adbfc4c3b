"""SCPN's templates are reached by our transformations."""

from builder.methods.scpn import write_series
from tests.builder.methods.rewritten import series, to_rewrite


def test_a_statement_is_written_in_the_form_of_templates() -> None:
    """Every rewrite differs from the text, and none stands twice."""
    written = series(write_series, to_rewrite("The committee wrote the report."))
    assert "It was the committee that wrote the report." in written
    assert len(set(written)) == len(written)
    assert "The committee wrote the report." not in written


def test_a_question_stays_a_question() -> None:
    """What is asked for stands elsewhere, or is asked for in another way."""
    written = series(write_series, to_rewrite("How can I learn to swim?"))
    assert written
    assert all(text.endswith("?") for text in written)


def test_a_rewrite_with_a_word_of_another_class_is_left_out() -> None:
    """The label guard."""
    text = "The committee wrote the report."
    assert any("did" in written for written in series(write_series, to_rewrite(text)))
    guarded = to_rewrite(text, avoid=frozenset({"did"}))
    assert not any("did" in written for written in series(write_series, guarded, {"did": 1}))
    assert any("did" in written for written in series(write_series, guarded, {"did": 0}))
