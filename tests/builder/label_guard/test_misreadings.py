"""What a reader would take for another word is not proposed."""

import unicodedata

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
        ("not", "knot", 1, "loses-negation"),
        ("no", "know", None, "loses-negation"),
        ("don't", "dont", 1, None),
        ("500", "5500", None, "reads-as-other-number"),
        ("500", "50", None, "reads-as-other-number"),
        ("500", "600", None, "reads-as-other-number"),
        ("$1,500.", "$1,5OO.", None, None),
        ("500", "５０0", None, None),
        ("500", "5０9", None, "reads-as-other-number"),
        ("A1O", "A10", None, "reads-as-other-number"),
        ("Io", "10", None, "reads-as-other-number"),
        ("great", "gr8", None, None),
        ("to", "2", None, None),
        ("two", "2", None, None),
        ("two", "too", None, "reads-as-other-number"),
        ("two", "3", None, "reads-as-other-number"),
        ("eight", "eighty", None, "reads-as-other-number"),
        ("eight", "ate", None, "reads-as-other-number"),
        ("for", "four", None, "reads-as-other-number"),
        ("seven", "sevn", None, None),
        ("Iran", "Ian", None, "reads-as-other-name"),
        ("iran,", "ian,", None, "reads-as-other-name"),
        ("Jane's", "Jan's", None, "reads-as-other-name"),
        ("Carl", "Karl", None, "reads-as-other-name"),
        ("Carl", "Carll", None, None),
        ("kind", "mind", None, None),
        ("employer", "employee", None, "reads-as-opposite"),
        ("unhappy", "happy", None, "reads-as-opposite"),
        ("moral", "amoral", None, "reads-as-opposite"),
        ("hopeless", "hopeles", None, None),
    ],
)
def test_a_misreading_is_told(original: str, changed: str, label: int | None, expected: str | None) -> None:
    """Negations, numbers, names, opposites and words of another class, whatever stands around them."""
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


NUMBERS_AND_NAMES = (
    "From 4 to 10 of the 500 employers in Iran met Jane for $2,500.50 at 10pm, not before eight."
)


@pytest.mark.parametrize("dimension", CHARACTER_LEVEL, ids=lambda each: each.name)
def test_numbers_names_and_negations_survive_every_operation(dimension: Dimension) -> None:
    """Five hundred is not fifty-five hundred, Jane is not Jan, and what is denied stays denied."""
    text = NUMBERS_AND_NAMES
    words = words_of(text)
    (proposals,) = dimension.propose([WordsOfText(text, words, None)], Resources())
    made = {
        word.text: {apply_edits(word.text, item.edits) for item in operations.items}
        for word, operations in zip(words, proposals, strict=True)
    }
    assert made["employers"]
    for word in ("4", "10", "500", "$2,500.50", "10pm,"):
        values = [int(character) for character in word if character.isdigit()]
        for changed in made[word]:
            # Whatever is a digit has its value; a look-alike that is none stands for its own.
            assert len(changed) == len(word)
            kept = [unicodedata.digit(character, None) for character in changed]
            originals = [int(character) if character.isdigit() else None for character in word]
            assert all(new in {old, None} for new, old in zip(kept, originals, strict=True)), changed
        assert values
    assert "2" not in made["to"]
    assert {"Jan", "Ian", "Jayne", "June", "knot", "employees", "eighty.", "ate."}.isdisjoint(
        set().union(*made.values())
    )


@pytest.mark.parametrize(
    "word",
    ["bat", "fund-bat", "Hart's", "dean’s", '"gooe,"', "cant't", "there's", "o'bad", "straße", "İan's"],
)
def test_the_quick_look_refuses_what_a_whole_reading_refuses(word: str) -> None:
    """Every letter left out or exchanged, and letters, marks and spaces put in, wherever they stand."""
    edits = [
        Edit(place, end, word[place:end], new)
        for place in range(len(word) + 1)
        for end in (place, place + 1)
        for new in ("", "d", "N", "'", "t", "ß", "-", " ")
        if end <= len(word) and word[place:end] != new
    ]
    operations = Operations([operation("any", edit) for edit in edits], [1.0] * len(edits))
    legible = Proofreader(ASSOCIATIONS).legible(word, operations, 1)
    read = [misreading_of(word, apply_edits(word, item.edits), 1, ASSOCIATIONS) for item in operations.items]
    assert [item for item, reason in zip(operations.items, read, strict=True) if reason is None] == list(
        legible.items
    )
    assert legible.refused == {reason: read.count(reason) for reason in read if reason is not None}
