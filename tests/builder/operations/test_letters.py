"""Which code points may be touched."""

import pytest

from builder.dimensions import DIMENSIONS
from builder.models.resources import Resources
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.letters import LONGEST_READ, is_editable
from contract.schema.edits import words_of

CHARACTER_LEVEL = [
    part for part in DIMENSIONS.values() if isinstance(part, Dimension) and part.level == "char"
]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("ab1", [True, True, True]), ("a\u0301b", [False, False, True]), ("a-b", [True, False, True])],
)
def test_letters_and_digits_that_stand_alone_are_editable(word: str, expected: list[bool]) -> None:
    """Marks are not split from their letters, and punctuation stays."""
    assert [is_editable(word, index) for index in range(len(word))] == expected


@pytest.mark.parametrize("dimension", CHARACTER_LEVEL, ids=lambda each: each.name)
@pytest.mark.parametrize("word", ["letters" * 2000, "Ha" * 5000 + "!", "a-" * 3000])
def test_of_an_endless_word_only_the_start_is_touched(dimension: Dimension, word: str) -> None:
    """However long a word is, its operations are few enough to draw from."""
    ((operations,),) = dimension.propose([WordsOfText(word, words_of(word), 0)], Resources())
    assert len(operations) < 50 * LONGEST_READ
    assert all(edit.end <= LONGEST_READ + 1 for item in operations.items for edit in item.edits)
