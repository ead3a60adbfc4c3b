"""What every dimension must do whose degrees are probabilities, checked for each one in the registry."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.dimensions import DIMENSIONS
from builder.filters.degree import check_degree
from builder.filters.filter import FilterContext
from builder.filters.legibility import check_legibility
from builder.language.words.negations import negations_of
from builder.operations.dimension import ProbabilityDimension
from builder.searches import SEARCHES
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.samples import Sample
from contract.machine.errors import UserError
from contract.schema.edits import apply_edits, touched_words, words_of
from contract.schema.manifest import TextField
from contract.schema.records import Record, records_of, table_of

PARTS = [part for part in DIMENSIONS.values() if isinstance(part, ProbabilityDimension)]
TEXTS = (
    "The company said on Friday that profits were 3.5 percent higher, and its shares rose in New York.",
    "How can anybody learn to play the guitar without paying for a teacher?",
    "A woman in a red jacket isn't standing near the well-known building; she is waiting for children.",
    "THE GOVERNMENT WILL NEVER PUBLISH THE REPORT, SAYS www.example.com ABOUT PEOPLE'S QUESTIONS",
)
ODD_TEXTS = (
    "",
    " \t\n",
    "... !? --",
    "a",
    "7",
    "\u0301",
    "film",
    "isn't",
    "👩‍👩‍👧 👍🏽 :-) 🎬film🎬 is what we have seen together",
    "e\u0301te\u0301 cafe\u0301 o\u0308 i\u0307\u0323ndeed these words are here",
    "ציון סרט נפלא מאוד \u200fwonderful\u200e מאוד",
    "中文 電影 ٣ ⅷ ﬁlm ǅ ß İ ı",
    "line one\nline two\r\n\r\n\u00a0films\u2003moved\x1ftold\u2028him",
    "don't-you-dare/or/else (films), \"moved\" 'told' films: it's what's his’s",
    "x" * 60,
    "\u202eabc\u202c d.e.f \u200bg a b c d e f g",
)
PIECES = (
    "film",
    "people",
    "said",
    "ציון",
    "e\u0301te\u0301",
    "👩‍👧",
    "a",
    "中文",
    "٣",
    "don't",
    "not",
    "x" * 40,
)
ANY_TEXT = st.one_of(
    st.text(max_size=50),
    st.text(alphabet=st.characters(categories=["L", "N", "M", "So", "Cf"]), max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
)


@pytest.fixture(params=PARTS, ids=lambda part: part.name)
def dimension(request: pytest.FixtureRequest) -> ProbabilityDimension:
    """Return each dimension of this kind in turn."""
    part: ProbabilityDimension = request.param
    return part


def samples_of(texts: Sequence[str]) -> list[Sample]:
    """Return texts as samples of a task."""
    return [
        Sample(id=f"t-{number:05d}", text=text, text_pair=None, label=number % 2)
        for number, text in enumerate(texts)
    ]


def request_of(
    dimension: ProbabilityDimension, samples: Sequence[Sample], perturbed: TextField = "text"
) -> SearchRequest:
    """Return the request for cases of some samples at all degrees."""
    return SearchRequest(
        task="t",
        perturbed=perturbed,
        samples=samples,
        dimension=dimension,
        degrees=dimension.degrees,
        n_cases=2,
        seed=1,
    )


def check(dimension: ProbabilityDimension, samples: Sequence[Sample]) -> SearchResult:
    """Assert what every case promises, and that whatever is missing is counted."""
    findings = search(request_of(dimension, samples))
    for record in findings.records:
        check_case(dimension, record)
    assert list(records_of(table_of(findings.records))) == findings.records
    for degree, tally in findings.counts.items():
        cases = [record for record in findings.records if record.degree == degree]
        assert tally.n_samples == len(samples)
        assert tally.n_candidates == len(cases) + sum(tally.n_dropped.values())
        assert len({(record.sample_id, record.text) for record in cases}) == len(cases)
    context = FilterContext(dimension=dimension, thresholds={}, degrees=dimension.degrees)
    assert set(check_degree(context, findings.records)) <= {None}
    assert len(check_legibility(context, findings.records)) == len(findings.records)
    return findings


def check_case(dimension: ProbabilityDimension, record: Record) -> None:
    """Assert that a case attacks at most p of the words, by edits that are all there is between the texts."""
    original, case = record.unperturbed_text, record.perturbed_text
    words = words_of(original)
    edits = [edit for _, edit in record.edits]
    assert case != original
    assert edits == sorted(edits)
    assert apply_edits(original, edits) == case
    attacked = touched_words(words, edits)
    assert 0 < len(attacked) <= Fraction(repr(record.degree)) * len(words)
    assert record.realised_degree == record.word_modification_rate == len(attacked) / len(words)
    method = (record.method or "").removesuffix("+not-restorable")
    assert method in (dimension.methods or (dimension.name,))
    # A coin never falls on a negation.
    assert not any(negations_of(words[index].text) for index in attacked)
    # Nor does an attack make one.
    assert negations_of(original) == negations_of(case) or not dimension.keeps_words
    if dimension.keeps_words:
        assert all(len(touched_words(words, [edit])) == 1 for edit in edits)


def test_ordinary_texts_have_cases_at_every_degree(dimension: ProbabilityDimension) -> None:
    """News, questions and captions alike; and more words are attacked at a higher degree."""
    findings = check(dimension, samples_of(TEXTS))
    shares = []
    for degree in dimension.degrees:
        records = [record for record in findings.records if record.degree == degree]
        assert {record.sample_id for record in records} == {f"t-{number:05d}" for number in range(4)}
        shares.append(sum(record.realised_degree or 0 for record in records))
    assert shares == sorted(shares)


@pytest.mark.parametrize("text", ODD_TEXTS, ids=ascii)
def test_odd_texts_are_attacked_soundly_or_not_at_all(dimension: ProbabilityDimension, text: str) -> None:
    """Nothing at all, one word, other scripts, joined and combining characters."""
    check(dimension, samples_of([text]))


@settings(deadline=None, max_examples=15)
@given(text=ANY_TEXT)
@pytest.mark.parametrize("dimension", PARTS, ids=lambda part: part.name)
def test_any_text_is_attacked_soundly_or_not_at_all(dimension: ProbabilityDimension, text: str) -> None:
    """Whatever the text: no crash, and no case that breaks a promise."""
    check(dimension, samples_of([text]))


def test_cases_depend_on_the_seed_and_not_on_other_samples(dimension: ProbabilityDimension) -> None:
    """In another order, or alone, samples have the cases they had together; another seed has others."""
    samples = samples_of([*TEXTS, *ODD_TEXTS[-8:]])
    together = search(request_of(dimension, samples))
    shuffled = random.Random(0).sample(samples, len(samples))
    again = search(request_of(dimension, shuffled))
    key = {record.id: record for record in together.records}
    assert {record.id: record for record in again.records} == key
    other = search(replace(request_of(dimension, samples), seed=2))
    assert {record.text for record in other.records} != {record.text for record in together.records}


def test_only_the_named_field_of_a_pair_is_attacked(dimension: ProbabilityDimension) -> None:
    """The other text stays as it is, and the case is that of the same text alone."""
    singles = samples_of(TEXTS)
    pairs = [replace(sample, text="Is it so?", text_pair=sample.text) for sample in singles]
    found = search(request_of(dimension, pairs, "text_pair"))
    assert {record.text for record in found.records} == {"Is it so?"}
    expected = {record.id: record.text for record in search(request_of(dimension, singles)).records}
    assert {record.id: record.text_pair for record in found.records} == expected


@pytest.mark.parametrize("setting", ["score", "gradient"])
def test_settings_that_attack_a_source_refuse_coins(dimension: ProbabilityDimension, setting: str) -> None:
    """Nothing could be searched, and the message says so."""
    with pytest.raises(UserError, match="use the setting rule"):
        SEARCHES[setting].run(request_of(dimension, samples_of(TEXTS)))
    assert not SEARCHES[setting].can_make(dimension)


def test_a_text_carries_a_degree_when_one_word_is_not_too_much(dimension: ProbabilityDimension) -> None:
    """Of three words, a fifth is less than one."""
    counts = search(request_of(dimension, samples_of(["people said government"]))).counts
    assert counts[0.2].n_carrying == 0
    assert counts[0.8].n_carrying == 1


def test_groups_keep_these_dimensions_out_of_the_headline(dimension: ProbabilityDimension) -> None:
    """Ten of Zéroe, and one of disguises."""
    assert dimension.group in {"zeroe", "invisible"}
    assert [part.group for part in PARTS].count("zeroe") == 10
