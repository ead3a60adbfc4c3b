"""What a reader would take for another word is not proposed."""

import pytest

from builder.dimensions import DIMENSIONS
from builder.label_guard.misreadings import Proofreader, misreading_of
from builder.models.resources import Resources
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.operation import Operations, operation
from builder.values.randomness import Draw
from contract.schema.edits import Edit, apply_edits, words_of

ASSOCIATIONS = {"bad": 0, "bard": 0, "fool": 0, "good": 1, "fun": 1}
CHARACTER_LEVEL = [
    part for part in DIMENSIONS.values() if isinstance(part, Dimension) and part.level == "char"
]


@pytest.mark.parametrize(
    ("original", "changed", "label", "expected"),
    [
        ("bat", "bad", 1, "reads-as-other-class"),
        ('"bat,"', '"Bad,"', 1, "reads-as-other-class"),
        ("bat", "bad", 0, None),
        ("bat", "bad", None, None),
        ("bad", "Bad", 1, None),
        ("now", "not", 1, "reads-as-negation"),
        ("now", "not", None, "reads-as-negation"),
        ("not", "nott", 1, None),
        ("cat", "act", 1, None),
    ],
)
def test_a_misreading_is_told(original: str, changed: str, label: int | None, expected: str | None) -> None:
    """Negations and words of another class, whatever stands around them; never what was there before."""
    assert misreading_of(original, changed, label, ASSOCIATIONS) == expected


def test_only_the_operations_that_mislead_are_taken_away() -> None:
    """The others stay as likely as they were."""
    letters = "dxyz"
    items = [operation("replace", Edit(2, 3, "t", letter)) for letter in letters]
    kept = Proofreader(ASSOCIATIONS).legible("bat", Operations(items, [5.0, 1.0, 0.0, 3.0]), label=1)
    assert [item.edits[0].replacement for item in kept.items] == ["x", "y", "z"]
    draw = Draw(1, "test")
    drawn = [kept.draw(draw).edits[0].replacement for _ in range(400)]
    assert drawn.count("y") == 0
    assert 60 < drawn.count("x") < 140


def test_words_that_cannot_mislead_keep_the_same_operations() -> None:
    """No copy is made of what nearly every word has."""
    operations = Operations([operation("replace", Edit(0, 1, "c", "x"))], [1.0])
    assert Proofreader(ASSOCIATIONS).legible("cat", operations, label=1) is operations


@pytest.mark.parametrize("dimension", CHARACTER_LEVEL, ids=lambda each: each.name)
@pytest.mark.parametrize("label", [0, 1])
def test_no_dimension_proposes_a_misreading(dimension: Dimension, label: int) -> None:
    """The score search and the rule search see only operations that are legible by themselves."""
    text = "Bat, bald now full fund. Food gold bar know sun"
    proposals = dimension.propose(
        [WordsOfText(text, words_of(text), label)], Resources(associations=ASSOCIATIONS)
    )
    for word, operations in zip(words_of(text), proposals[0], strict=True):
        for item in operations.items:
            changed = apply_edits(word.text, item.edits)
            assert misreading_of(word.text, changed, label, ASSOCIATIONS) is None
