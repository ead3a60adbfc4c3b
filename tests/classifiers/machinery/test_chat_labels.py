"""Which label an answer names: what is plain is taken, what is not is never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers.machinery.chat.labels import label_in

SENTIMENT = ["negative", "positive"]
ENTAILMENT = ["entailment", "not_entailment"]
TOPICS = ["World", "Sports", "Business", "Sci/Tech"]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("positive", "positive"),
        ("Positive.", "positive"),
        ("  **NEGATIVE**\n", "negative"),
        ('"positive"', "positive"),
        ("Label: negative", "negative"),
        ('{"label": "positive"}', "positive"),
        ("The sentiment is positive, not negative.", "positive"),
        ("It is not positive but negative.", "negative"),
        ("Positive rather than negative", "positive"),
        ("Some negative words, but all in all... Answer: positive", "positive"),
        ("Negative? No.\nThe answer is: **positive**.", "positive"),
        ("<think>It could be negative.</think>\n\npositive", "positive"),
        ("Labels: negative, positive. Label: positive", "positive"),
        ("neither positive nor negative", None),
        ("positive or negative", None),
        ("Positive/Negative", None),
        ("negative and positive", None),
        ("not positive or negative", None),
        ("It isn’t negative", None),
        ("<think>It could be negative, let me", None),
        ("nonpositive", None),
        ("I cannot help with that.", None),
        ("", None),
        ("\x00\ud800", None),
    ],
)
def test_sentiment(answer: str, label: str | None) -> None:
    """The whole answer, an announced one, the first that is meant; else none."""
    found = label_in(answer, SENTIMENT)
    assert (None if found is None else SENTIMENT[found]) == label


@pytest.mark.parametrize(
    ("answer", "labels", "label"),
    [
        ("not entailment", ENTAILMENT, "not_entailment"),
        ("Not-Entailment.", ENTAILMENT, "not_entailment"),
        ("It is entailment", ENTAILMENT, "entailment"),
        ("The right label is not_entailment, since ...", ENTAILMENT, "not_entailment"),
        ("sci/tech", TOPICS, "Sci/Tech"),
        ("This is Sci/Tech news.", TOPICS, "Sci/Tech"),
        ("World or Sports", TOPICS, None),
        ("B", ["A", "B", "C"], "B"),
        ("(b)", ["A", "B", "C"], "B"),
        ("B) the second", ["A", "B", "C"], "B"),
        ("The answer is C.", ["A", "B", "C"], "C"),
        ("A good film", ["A", "B", "C"], None),
        ("1", ["0", "1"], "1"),
        ("-1", ["0", "1"], None),
        ("0.1", ["0", "1"], None),
        ("A", ["A", "a"], "A"),
        ("a.", ["A", "a"], "a"),
        ("It is an A.", ["A", "a"], None),
    ],
)
def test_other_labels(answer: str, labels: list[str], label: str | None) -> None:
    """Labels inside labels, single characters, numbers, and labels that differ in case alone."""
    found = label_in(answer, labels)
    assert (None if found is None else labels[found]) == label


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(lambda name: name.strip())


@given(st.lists(names, min_size=2, max_size=6, unique_by=str.strip), st.data())
def test_a_label_alone_is_always_understood(labels: list[str], data: st.DataObject) -> None:
    """Whatever the labels are."""
    place = data.draw(st.integers(0, len(labels) - 1))
    assert label_in(f" {labels[place]}\n", labels) == place


@given(st.text(), st.lists(st.text(), min_size=2, max_size=6))
def test_whatever_is_answered_is_a_label_or_none(answer: str, labels: list[str]) -> None:
    """Never an error, never a place that is none."""
    found = label_in(answer, labels)
    assert found is None or 0 <= found < len(labels)


def test_a_runaway_answer_is_read_in_no_time() -> None:
    """Also one made to keep expressions busy."""
    for part in ("not ", "label ", " " * 100, "positive or ", "<think>", "label: "):
        label_in(part * 100_000, SENTIMENT)
