"""Look-alikes change the text but hardly the sight of it, and cost what they say."""

import string
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from builder.dimensions.glyph import (
    GLYPH_GENERAL,
    GLYPH_MALICIOUS,
    LIGATURES,
    general_operations_of,
    look_alikes,
    malicious_operations_of,
)
from builder.measures import MEASURES
from builder.models.resources import Resources
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.edits import Edit, apply_edits, words_of

FLAVOURS = [GLYPH_MALICIOUS, GLYPH_GENERAL]
SENTENCE = "The modern film isn't at all well made, but 100 fine warm moments flow in it and I know why."
# Words as they come: letters that have look-alikes, others, marks that combine, joiners, emoji, punctuation.
WORDS = st.text(
    alphabet=st.one_of(
        st.sampled_from(string.ascii_letters + string.digits + "'’-"),
        st.sampled_from("éÉßøżıſ\u0301\u0323\u200dжабЩωΩ語ก👩‍👧"),
        st.characters(exclude_categories=["Cs", "Zs", "Cc"]),
    ),
    min_size=1,
    max_size=20,
)


def made(operations: Operations, name: str) -> set[str]:
    """Return the replacements of one kind."""
    return {edit.replacement for item in operations.items if item.name == name for edit in item.edits}


def cases_of(dimension: Dimension, text: str, n_cases: int = 3) -> SearchResult:
    """Return what the rule search finds for one text at every degree."""
    sample = Sample(id="t-0", text=text, text_pair=None, label=0)
    return search(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=[sample],
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=n_cases,
            seed=1,
        )
    )


def test_people_type_accents_digits_digraphs_ligatures_and_apostrophes() -> None:
    """By hand: what a general reader meets in a few words."""
    assert made(general_operations_of("on"), "accent") == set("òóôöõøñńň")
    assert made(general_operations_of("Oil"), "digit") == set("01I")
    assert made(general_operations_of("government"), "digraph") == {"m", "rn"}
    assert made(general_operations_of("offices"), "ligature") == {"ﬀ", "ﬁ", "ﬃ"}
    assert made(general_operations_of("don't"), "apostrophe") == set("’`´")
    assert made(general_operations_of("café"), "accent") >= {"e", "á"}


def test_a_digraph_is_one_operation_that_costs_two_edits() -> None:
    """And it stands where it was read."""
    [item] = [item for item in general_operations_of("pattern").items if item.name == "digraph"]
    assert item.edits == (Edit(5, 7, "rn", "m"),)
    assert item.cost == 2


@pytest.mark.parametrize("word", ["modern", "Modern,", "stem", "corners", "burns", "turns", "am", "was"])
def test_no_digraph_where_it_spells_another_word_or_the_word_is_short(word: str) -> None:
    """A modem is not modern."""
    for operations in (general_operations_of(word), malicious_operations_of(word)):
        assert made(operations, "digraph") == set()


def test_a_quotation_mark_is_no_apostrophe() -> None:
    """Only what stands between letters is."""
    assert made(general_operations_of("'tis'"), "apostrophe") == set()


def test_malicious_has_more_scripts_and_general_only_latin() -> None:
    """A person types Latin letters, digits and what fonts set."""
    scripts = {
        unicodedata.name(each).split()[0] for each in made(malicious_operations_of("space"), "look-alike")
    }
    assert {"LATIN", "CYRILLIC"} <= scripts
    typed = {
        character
        for item in general_operations_of(string.ascii_letters).items
        for edit in item.edits
        for character in edit.replacement
    }
    assert {unicodedata.name(character).split()[0] for character in typed} == {"LATIN", "DIGIT"}


def test_the_more_alike_is_drawn_the_more_often() -> None:
    """Every character as often as another, its look-alikes by likeness."""
    draw = Draw("likeness")
    operations = malicious_operations_of("ae")
    drawn = Counter(operations.draw(draw).edits[0] for _ in range(20_000))
    at = [sum(n for edit, n in drawn.items() if edit.start == place) for place in (0, 1)]
    assert at[0] / sum(at) == pytest.approx(0.5, abs=0.02)
    counts = [drawn[Edit(0, 1, "a", other)] for other, _ in look_alikes()["a"]]
    assert counts[0] > 2 * counts[-1]


@given(WORDS)
def test_an_operation_costs_its_edit_distance_and_outlives_normalisation(word: str) -> None:
    """Alone in its word, every operation moves it by its cost, for any reader of NFC."""
    for item in (*malicious_operations_of(word).items, *general_operations_of(word).items):
        changed = apply_edits(word, item.edits)
        assert Levenshtein.distance(word, changed) == item.cost > 0
        assert unicodedata.normalize("NFC", changed) != unicodedata.normalize("NFC", word)
        for edit in item.edits:
            assert unicodedata.normalize("NFC", edit.replacement) == edit.replacement
            assert len(edit.original) == len(edit.replacement) == 1 or item.name in {"digraph", "ligature"}


@given(WORDS)
def test_no_letter_is_split_from_its_marks(word: str) -> None:
    """What combines with the next code point is left alone."""
    for item in (*malicious_operations_of(word).items, *general_operations_of(word).items):
        for edit in item.edits:
            after = word[edit.end : edit.end + 1]
            assert not after or not unicodedata.category(after).startswith("M")
            assert "\u200d" not in (after, word[edit.start - 1 : edit.start])


@pytest.mark.parametrize("dimension", FLAVOURS, ids=lambda dimension: dimension.name)
def test_every_budget_is_met_to_the_unit(dimension: Dimension) -> None:
    """At every degree, with nothing refused."""
    findings = cases_of(dimension, SENTENCE)
    measure = MEASURES[dimension.measure]
    units = measure.units(SENTENCE, words_of(SENTENCE))
    assert {record.degree for record in findings.records} == set(dimension.degrees)
    for record in findings.records:
        edits = [edit for _, edit in record.edits]
        assert apply_edits(SENTENCE, edits) == record.text
        assert record.realised_degree == measure.budget(record.degree or 0, units) / units
    assert all(not tally.n_dropped for tally in findings.counts.values())


@settings(deadline=None)
@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_any_text_gives_cases_that_its_edits_reproduce(text: str) -> None:
    """Arbitrary Unicode included."""
    for dimension in FLAVOURS:
        for record in cases_of(dimension, text, n_cases=1).records:
            assert apply_edits(text, [edit for _, edit in record.edits]) == record.text != text


@pytest.mark.parametrize("dimension", FLAVOURS, ids=lambda dimension: dimension.name)
def test_text_without_look_alikes_carries_no_degree(dimension: Dimension) -> None:
    """It is counted as such, never as a failure."""
    findings = cases_of(dimension, "映画は 面白い 。")
    assert findings.records == []
    assert all(tally.n_carrying == 0 for tally in findings.counts.values())


def test_each_word_of_each_text_has_its_operations() -> None:
    """Batches keep their order."""
    texts = [WordsOfText(text, words_of(text)) for text in ("film", "", "not at all")]
    for dimension in FLAVOURS:
        assert [len(of_text) for of_text in dimension.propose(texts, Resources())] == [1, 0, 3]


def test_ligatures_are_what_compatibility_takes_apart() -> None:
    """So a typed ligature stands for exactly its letters."""
    assert all(unicodedata.normalize("NFKC", other) == original for original, other in LIGATURES.items())
