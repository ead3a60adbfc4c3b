"""Words written in another way keep their meaning, and names, labels and fixed expressions stay."""

import pytest

from builder.operations.dimension import WordsOfText
from builder.word_swaps.tagged_texts import tagged_texts
from builder.word_swaps.variants import are_same_entity, variant_swaps
from contract.schema.edits import words_of


def written(text: str) -> set[str]:
    """Return the texts with one word or expression written in another way."""
    (tagged,) = tagged_texts([WordsOfText(text, words_of(text), None)])
    return {swap.result for swap in variant_swaps(tagged)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is not a film that I like.", "It isn't a film that I like."),
        ("It is not a film .", "It is n't a film ."),
        ("He doesn't like it.", "He does not like it."),
        ("he did n't like it .", "he did not like it ."),
        ("She has been here.", "She's been here."),
        ("it 's been a year .", "it has been a year ."),
        ("He bought 12 apples at the market.", "He bought twelve apples at the market."),
        ("They saw twelve horses.", "They saw 12 horses."),
        ("The third film is long.", "The 3rd film is long."),
        ("About 5% of the people left.", "About 5 percent of the people left."),
        ("Sales rose 5 percent in May.", "Sales rose 5% in May."),
        ("It cost $3 million in all.", "It cost 3 million dollars in all."),
        ("The bank said Monday that it would close.", "The bank said on Monday that it would close."),
        ("They met on Monday in Paris.", "They met Monday in Paris."),
        ("He arrived on March 3 in Rome.", "He arrived on March 3rd in Rome."),
        ("He came on Nov. 3 to London.", "He came on November 3 to London."),
        ("It is 5 km from here.", "It is 5 kilometers from here."),
        ("The U.S. Senate met today.", "The US Senate met today."),
        ("We saw Dr. Brown there.", "We saw Dr Brown there."),
        ("The colour of the wall is grey.", "The color of the wall is grey."),
        ("A well-known actor is here.", "A well known actor is here."),
        ("bread and butter are cheap .", "bread & butter are cheap ."),
        ("The film's plot is thin.", "The plot of the film is thin."),
        ("The president of France met them.", "France's president met them."),
    ],
)
def test_the_same_is_written_otherwise(text: str, expected: str) -> None:
    """Contractions, numbers, money, days, abbreviations, spellings and possessives, in both directions."""
    assert expected in written(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't you like it?",
        "I will not only go.",
        "he did not , in fact , laugh .",
        "As good as it is now.",
        "Chapter 3 is long.",
        "In 1999 they met.",
        "The third world is poor.",
        "A $3 million deal was signed.",
        "It opened on Black Friday.",
        "U.S. Steel closed.",
        "He saw John's car.",
        "IT IS NOT A FILM",
    ],
)
def test_what_would_mean_or_read_otherwise_stays(text: str) -> None:
    """Questions, emphasis, labels, years, names of days and companies, texts in capitals."""
    assert not written(text)


def test_a_name_keeps_its_spelling() -> None:
    """Grey is a colour, and somebody's name."""
    assert not any("Gray" in text for text in written("Mr. Grey is here."))
    assert not any("Harbor" in text for text in written("We went to Sydney Harbour by bus."))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("12", "twelve", True),
        ("3rd", "third", True),
        ("2,000", "two thousand", True),
        ("12", "twenty", False),
        ("3", "third", False),
        ("U.S.", "United States", True),
        ("U.S.", "United Kingdom", False),
        ("Nov.", "November", True),
    ],
)
def test_the_same_number_or_name_is_known_in_two_writings(one: str, other: str, *, expected: bool) -> None:
    """So that the filter of entities lets them pass."""
    assert are_same_entity(one, other) is expected
