"""Random cases have exactly the budget of their degree, or are refused and counted."""

import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from builder.dimensions.typo import TYPO_GENERAL, TYPO_MALICIOUS, operations_of
from builder.searches.machinery.editable_texts import carries, next_degrees
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.samples import Sample
from contract.schema.edits import apply_edits, touched_words, words_of

SENTENCE = "if you sometimes like to go to the movies to have fun , wasabi is a good place to start ."
DEGREES = TYPO_MALICIOUS.degrees
# Any text: words of any script, emoji, combining marks, right-to-left letters, and very long ones.
ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["film", "gut", "ציון", "e\u0301te\u0301", "👩‍👩‍👧", "a", "中文", "٣", "don't", "x" * 40]
        ),
        max_size=30,
    ).map(" ".join),
)


def find(text: str, dimension: str = "malicious", n_cases: int = 5) -> SearchResult:
    """Search the cases of one text."""
    chosen = TYPO_MALICIOUS if dimension == "malicious" else TYPO_GENERAL
    sample = Sample(id="t-00000", text=text, text_pair=None, label=1)
    return search(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=[sample],
            dimension=chosen,
            degrees=DEGREES,
            n_cases=n_cases,
            seed=1,
        )
    )


def check(text: str, dimension: str) -> None:
    """Assert what every case promises, and that every other one is counted."""
    result = find(text, dimension, n_cases=2)
    words = words_of(text)
    for record in result.records:
        edits = [edit for _, edit in record.edits]
        assert apply_edits(text, edits) == record.text != text
        assert record.degree is not None
        exact = Fraction(repr(record.degree))
        if dimension == "malicious":
            assert Levenshtein.distance(text, record.text) == math.ceil(exact * len(text))
        else:
            assert len(touched_words(words, edits)) == math.ceil(exact * len(words)) == len(edits)
    for degree, counts in result.counts.items():
        n_found = sum(record.degree == degree for record in result.records)
        assert counts.n_candidates == n_found + sum(counts.n_dropped.values()) == 2 * counts.n_carrying


@given(ANY_TEXT)
@settings(deadline=None, max_examples=60)
def test_a_malicious_case_of_any_text_has_the_budgeted_distance(text: str) -> None:
    """Measured on code points."""
    check(text, "malicious")


@given(ANY_TEXT)
@settings(deadline=None, max_examples=60)
def test_a_general_case_of_any_text_has_one_operation_in_each_of_the_budgeted_words(text: str) -> None:
    """And in no other."""
    check(text, "general")


def test_ten_thousand_characters_are_no_trouble() -> None:
    """Long comments exist."""
    check(("a long and winding comment about nothing, " * 250)[:10_000], "malicious")
    check(("a long and winding comment about nothing, " * 250)[:10_000], "general")


def test_a_sentence_gets_all_its_cases_at_all_degrees() -> None:
    """Five different ones each, and none refused."""
    result = find(SENTENCE)
    assert all(counts.n_dropped == {} for counts in result.counts.values())
    assert len({record.text for record in result.records}) == len(result.records) == 5 * len(DEGREES)


def test_edits_are_spread_over_words() -> None:
    """A third of a word at most, while the budget allows."""
    for record in find(SENTENCE).records:
        if record.degree is not None and record.degree <= 0.2:
            for word in words_of(SENTENCE):
                edits = [edit for _, edit in record.edits if word.start <= edit.start <= word.end]
                cost = sum(max(len(edit.original), len(edit.replacement)) for edit in edits)
                assert cost <= max(math.ceil(len(word.text) / 3), 1)


def test_cases_depend_on_nothing_but_their_names() -> None:
    """Neither on other samples nor on how many cases are asked for."""
    few, many = find(SENTENCE, n_cases=2).records, find(SENTENCE, n_cases=5).records
    assert set(few) <= set(many)


def test_a_text_carries_a_degree_when_its_budget_is_not_already_the_next() -> None:
    """ceil(dN)/N at most the next degree; at the top, twice the degree."""
    assert next_degrees([0.05, 0.1, 0.2]) == [0.1, 0.2, 0.4]
    assert carries(units=10, amount=1, next_degree=0.1, available=10)
    assert not carries(units=9, amount=1, next_degree=0.1, available=9)
    assert not carries(units=10, amount=3, next_degree=0.4, available=2)
    assert not carries(units=0, amount=0, next_degree=0.1, available=0)


def test_many_cases_are_different_and_begin_with_those_of_few() -> None:
    """All choices are used up before a sample has fewer than it should."""
    text = "a good film"
    for dimension in ("malicious", "general"):
        few, many = find(text, dimension), find(text, dimension, n_cases=100)
        by_case = {(record.degree, record.case): record.text for record in many.records}
        assert all(by_case[record.degree, record.case] == record.text for record in few.records)
        for degree, counts in many.counts.items():
            texts = [record.text for record in many.records if record.degree == degree]
            assert len(set(texts)) == len(texts) == counts.n_candidates - sum(counts.n_dropped.values())
            assert counts.n_candidates == 100 * counts.n_carrying


def test_a_sample_has_every_different_case_there_is() -> None:
    """And the rest is counted as what no longer exists."""
    text = "go to"
    result = find(text, "general", n_cases=100)
    words = words_of(text)
    n_texts = sum(
        len({apply_edits(word.text, item.edits) for item in operations_of(word.text).items}) for word in words
    )
    counts = result.counts[0.5]
    assert counts.n_dropped == {"no-more-cases": 100 - n_texts}
    assert len({record.text for record in result.records if record.degree == 0.5}) == n_texts
