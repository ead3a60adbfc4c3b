"""Where choices are few, all are listed, each once, and likelier ones mostly earlier."""

from itertools import combinations

from builder.dimensions.typo import TYPO_GENERAL, TYPO_MALICIOUS
from builder.operations.dimension import Dimension
from builder.operations.operation import Operation, Operations, operation
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.machinery.listed_choices import Choices, listed_choices
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.edits import Edit, words_of

TEXT = "one two three four"


def swap(text: str, replacement: str, n_words: int = 1) -> Operation:
    """Return an operation that replaces some words."""
    return operation("swap", Edit(0, len(text), text, replacement), n_words=n_words)


def editable(operations: list[Operations], dimension: Dimension = TYPO_GENERAL) -> EditableText:
    """Return the text with these operations on its words."""
    return EditableText(
        dimension=dimension,
        sample=Sample(id="t-00000", text=TEXT, text_pair=None, label=1),
        original=TEXT,
        words=words_of(TEXT),
        operations=operations,
        degrees=(0.1,),
    )


NONE = Operations([], [])
PLAIN = [
    Operations([swap("one", "a"), swap("one", "b")], [1, 3]),
    Operations([swap("two", "c")], [1]),
    NONE,
    Operations([swap("four", "d"), swap("four", "e"), swap("four", "f")], [1, 1, 1]),
]
WITH_EXPRESSION = [*PLAIN[:1], Operations([swap("two", "c"), swap("two three", "g", 2)], [1, 1]), *PLAIN[2:]]


def texts_of(text: EditableText, amount: int, seed: int = 1) -> list[str]:
    """Return the texts of all choices, in their order."""
    choices = Choices(text, amount)
    return [text.change(placed).text for placed in choices.in_random_order(Draw(seed))]


def test_every_choice_comes_once() -> None:
    """As many as there are ways to choose words and an operation on each."""
    counts = [len(of_word) for of_word in PLAIN]
    for amount, n in {1: 6, 2: 2 + 6 + 3, 3: 6, 4: 0}.items():
        found = texts_of(editable(PLAIN), amount)
        assert len(Choices(editable(PLAIN), amount)) == len(set(found)) == len(found) == n
    assert sum(first * second for first, second in combinations(counts, 2)) == 11


def test_an_expression_counts_as_the_words_it_replaces() -> None:
    """And excludes operations on these."""
    text = editable(WITH_EXPRESSION)
    found = texts_of(text, 2)
    assert "one g four" in found
    assert len(found) == len(set(found)) == len(Choices(text, 2)) == 11 + 1
    assert not any("g" in each and "c" in each for each in texts_of(text, 3))


def test_an_expression_longer_than_the_amount_is_no_choice() -> None:
    """Three words cannot be replaced where one may be; other choices stay."""
    text = editable([Operations([swap("one", "a"), swap("one two three", "g", 3)], [1, 1]), *PLAIN[1:]])
    assert texts_of(text, 1)
    assert not any("g" in found for found in texts_of(text, 1))
    assert "g four" in texts_of(text, 3)


def test_the_likelier_comes_first_as_often_as_it_would_be_drawn() -> None:
    """Three times in four."""
    text = editable([PLAIN[0], NONE, NONE, NONE])
    n_first = sum(texts_of(text, 1, seed)[0].startswith("b") for seed in range(400))
    assert 270 < n_first < 330


def test_what_is_not_chosen_word_by_word_or_is_too_much_is_not_listed() -> None:
    """Malicious edits share words; and nobody lists millions."""
    assert listed_choices(editable(PLAIN), 2) is not None
    assert listed_choices(editable(PLAIN, TYPO_MALICIOUS), 2) is None
    many = Operations([swap("one", str(n)) for n in range(100)], [1.0] * 100)
    assert listed_choices(editable([many, many, NONE, NONE]), 1) is not None
    assert listed_choices(editable([many, many, NONE, NONE]), 2) is None
