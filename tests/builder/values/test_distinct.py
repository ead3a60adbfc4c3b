"""A text is new once."""

from builder.values.distinct import Distinct


def test_a_text_is_new_once() -> None:
    """Those given at the start are not new at all."""
    distinct = Distinct(["original"])
    assert [distinct.is_new(text) for text in ("original", "case", "case", "other")] == [
        False,
        True,
        False,
        True,
    ]


def test_a_pair_of_texts_is_one_text() -> None:
    """What is compared may be any value that can be hashed."""
    distinct = Distinct()
    assert distinct.is_new(("text", None))
    assert distinct.is_new(("text", "partner"))
    assert not distinct.is_new(("text", None))
