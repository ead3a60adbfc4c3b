"""The label guard lets through what keeps the label, and names what does not."""

import pytest

from builder.label_guard.guards import Guard, is_replaceable

NEGATIVE, POSITIVE = 0, 1
ASSOCIATIONS = {
    "dull": NEGATIVE,
    "tedious": NEGATIVE,
    "awful": NEGATIVE,
    "touching": POSITIVE,
    "moving": POSITIVE,
    "delightful": POSITIVE,
    "car": NEGATIVE,
}
GUARD = Guard(ASSOCIATIONS)


@pytest.mark.parametrize(
    ("original", "candidate", "label", "expected"),
    [
        ("moving", "touching", POSITIVE, None),
        ("film", "movie", POSITIVE, None),
        ("film", "movie", None, None),
        ("terrific", "awful", POSITIVE, "other-class"),
        ("terrific", "horrible", POSITIVE, "polarity"),
        ("good", "grave", POSITIVE, "polarity"),
        ("lacks", "needs", NEGATIVE, "grammar"),
        ("film", "nothing", NEGATIVE, "grammar"),
        ("hot", "cold", NEGATIVE, "antonym"),
        # Another form is typical of the other class.
        ("auto", "cars", POSITIVE, "other-class"),
        # A word typical of a class is replaced by such a word only.
        ("dull", "touching", None, "class-lost"),
        # A word of unknown valence is not replaced by one that contradicts the label.
        ("plain", "ugly", POSITIVE, "polarity"),
        ("good", "excellent", POSITIVE, None),
        ("okay", "superb", POSITIVE, "polarity"),
    ],
)
def test_a_close_word_is_judged(
    original: str, candidate: str, label: int | None, expected: str | None
) -> None:
    """Words that are known to mean the same still keep class and polarity."""
    assert GUARD.refusal(original, candidate, label=label, is_close=True) == expected


def test_a_word_that_only_fits_must_not_replace_one_with_a_class_or_a_polarity() -> None:
    """Where it is not known whether two words mean the same, a word typical of a class stays."""
    assert GUARD.refusal("moving", "crimson", label=POSITIVE, is_close=False) == "class-lost"
    assert GUARD.refusal("moving", "crimson", label=POSITIVE, is_close=True) is None
    assert GUARD.refusal("excellent", "crimson", label=POSITIVE, is_close=False) == "polarity"
    assert GUARD.refusal("table", "excellent", label=POSITIVE, is_close=False) == "polarity"


def test_labels_that_are_not_good_and_bad_have_no_tone() -> None:
    """In a task on topics, a good word does not contradict a label."""
    guard = Guard({"goal": 0, "market": 1})
    assert guard.refusal("plain", "ugly", label=0, is_close=True) is None


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("film", "NN", True),
        ("gripping", "JJ", True),
        ("spielberg", "NNP", False),
        ("not", "RB", False),
        ("without", "IN", False),
        ("lacks", "VBZ", False),
        ("fails", "VBZ", False),
        ("few", "JJ", False),
        ("too", "RB", False),
        ("third", "JJ", False),
        ("has", "VBZ", False),
        ("90", "CD", False),
        ("x-ray", "NN", False),
    ],
)
def test_only_content_is_replaceable(word: str, tag: str, *, expected: bool) -> None:
    """Negations, amounts, numbers, names and grammar stay."""
    assert is_replaceable(word, tag) is expected
