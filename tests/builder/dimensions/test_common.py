"""What every dimension at character or word level must do, checked for each one in the registry."""

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from builder.dimensions import DIMENSIONS
from builder.measures import MEASURES
from builder.models.resources import Resources
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.samples import Sample
from contract.schema.edits import Edit, Word, apply_edits, touched_words, words_of
from contract.schema.manifest import TextField
from contract.schema.records import Record, records_of, table_of

WORD_DIMENSIONS = [part for part in DIMENSIONS.values() if isinstance(part, Dimension)]
REVIEWS = (
    "if you sometimes like to go to the movies to have fun , wasabi is a good place to start .",
    "It's a charming, often affecting journey; the actors don't waste one of their 90 minutes!",
    "the second half drags badly , the jokes are tired and nobody seems to have enjoyed making it .",
    "THE BEST FILM OF 2002, says A. Critic (who hasn't seen the others) -- www.example.com",
)
ODD_TEXTS = (
    "",
    " \t\n",
    "... !? --",
    "a",
    "!",
    "7",
    "\u0301",
    "film",
    "Splendid",
    "isn't",
    "👩‍👩‍👧 👍🏽 :-) 🎬film🎬",
    "e\u0301te\u0301 o\u0308 i\u0307\u0323ndeed",
    "ציון סרט נפלא מאוד \u200fwonderful\u200e מאוד",
    "中文 電影 ٣ ⅷ ﬁlm ǅ ß İ ı",
    "line one\nline two\r\n\r\n\u00a0films\u2003moved\x1ftold\u2028him",
    "don't-you-dare/or/else (films), \"moved\" 'told' films: it's what's his’s",
    "x" * 60,
)
# Words of any script, emoji, marks that combine, letters from right to left, and English to be changed.
PIECES = (
    "film",
    "movies",
    "was",
    "told",
    "ציון",
    "e\u0301te\u0301",
    "👩‍👧",
    "a",
    "中文",
    "٣",
    "don't",
    "x" * 40,
)
ANY_TEXT = st.one_of(
    st.text(max_size=50),
    st.text(alphabet=st.characters(categories=["L", "N", "M", "So", "Cf"]), max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
)


@pytest.fixture(params=WORD_DIMENSIONS, ids=lambda part: part.name)
def dimension(request: pytest.FixtureRequest) -> Dimension:
    """Return each dimension of this kind in turn."""
    part: Dimension = request.param
    return part


def samples_of(texts: Sequence[str]) -> list[Sample]:
    """Return texts as samples of a task."""
    return [
        Sample(id=f"t-{number:05d}", text=text, text_pair=None, label=number % 2)
        for number, text in enumerate(texts)
    ]


def find(
    dimension: Dimension, samples: Sequence[Sample], *, perturbed: TextField = "text", n_cases: int = 2
) -> SearchResult:
    """Search the cases of some samples at all degrees."""
    return search(
        SearchRequest(
            task="t",
            perturbed=perturbed,
            samples=samples,
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=n_cases,
            seed=1,
        )
    )


def check(dimension: Dimension, findings: SearchResult, n_samples: int) -> None:
    """Assert what every case promises, and that whatever is missing is counted."""
    for record in findings.records:
        check_case(dimension, record)
    # Rows survive being written, so that no text holds what a file cannot.
    assert list(records_of(table_of(findings.records))) == findings.records
    assert len({record.id for record in findings.records}) == len(findings.records)
    assert tuple(findings.counts) == dimension.degrees
    for degree, tally in findings.counts.items():
        cases = [record for record in findings.records if record.degree == degree]
        assert tally.n_samples == n_samples
        assert tally.n_candidates == len(cases) + sum(tally.n_dropped.values())
        assert len({(record.sample_id, record.perturbed_text) for record in cases}) == len(cases)


def check_case(dimension: Dimension, record: Record) -> None:
    """Assert that a case has the budget of its degree, from edits that are all there is between the texts."""
    original, case = record.unperturbed_text, record.perturbed_text
    words = words_of(original)
    edits = [edit for _, edit in record.edits]
    assert case != original
    assert {field for field, _ in record.edits} == {record.field}
    assert edits == sorted(edits)
    assert apply_edits(original, edits) == case
    assert outside(original, edits, is_case=False) == outside(case, edits, is_case=True)
    starts = [word.start for word in words]
    for edit in edits:
        # An edit of an expression begins in one word and ends in another; any other is inside one word.
        first = words[bisect_right(starts, edit.start) - 1]
        last = words[bisect_right(starts, max(edit.start, edit.end - 1)) - 1]
        assert is_within(edit, first) or (
            dimension.level == "word" and edit.start < first.end and edit.end <= last.end
        )
    assert record.degree is not None
    measure = MEASURES[dimension.measure]
    units = measure.units(original, words)
    amount = (
        Levenshtein.distance(original, case)
        if dimension.measure == "edit"
        else len(touched_words(words, edits))
    )
    assert amount == measure.budget(record.degree, units)
    assert record.realised_degree == amount / units
    assert record.method


def outside(text: str, edits: Sequence[Edit], *, is_case: bool) -> list[bytes]:
    """Return what stands before, between and after the edits, found by counting in this text alone."""
    pieces = []
    position = shift = 0
    for edit in edits:
        start = edit.start + shift
        pieces.append(text[position:start].encode())
        if is_case:
            shift += len(edit.replacement) - len(edit.original)
        position = edit.end + shift
    return [*pieces, text[position:].encode()]


def is_within(edit: Edit, word: Word) -> bool:
    """Whether an edit stays in a word."""
    return word.start <= edit.start <= edit.end <= word.end


def operations_of(dimension: Dimension, texts: Sequence[str]) -> list[tuple[Word, Operations]]:
    """Return every word of the texts with its operations; there is one set for each word."""
    proposals = dimension.propose([WordsOfText(text, words_of(text)) for text in texts], Resources())
    return [
        pair
        for text, proposal in zip(texts, proposals, strict=True)
        for pair in zip(words_of(text), proposal, strict=True)
    ]


def test_a_dimension_says_what_it_is(dimension: Dimension) -> None:
    """Degrees rise, the flavour fits the measure, and a reader is told what it stands for."""
    assert dimension.level in {"char", "word"}
    assert list(dimension.degrees) == sorted(set(dimension.degrees))
    assert all(0 < degree <= 0.8 for degree in dimension.degrees)
    assert (dimension.tag == "malicious") == (dimension.measure == "edit")
    assert dimension.summary
    assert dimension.stands_for


# How many of the sentences at least, and up to which degree, where blind readers refuse what reaches more.
SELDOM = {"contextual": (1, 0.1), "synonym": (2, 0.1)}


def test_reviews_have_cases_that_keep_their_promises(dimension: Dimension) -> None:
    """Ordinary sentences have cases at the lower degrees, exact and counted."""
    findings = find(dimension, samples_of(REVIEWS))
    check(dimension, findings, len(REVIEWS))
    least, highest = SELDOM.get(dimension.name, (len(REVIEWS) // 2, 0.2))
    for degree in (degree for degree in dimension.degrees if degree <= highest):
        found = {record.sample_id for record in findings.records if record.degree == degree}
        assert len(found) >= least, f"too few samples have a case at {degree}"


@pytest.mark.parametrize("text", ODD_TEXTS, ids=ascii)
def test_odd_texts_are_changed_exactly_or_refused(dimension: Dimension, text: str) -> None:
    """Nothing at all, one character, one word, other scripts, joined and combining characters."""
    check(dimension, find(dimension, samples_of([text])), 1)


def test_a_text_without_words_has_no_case(dimension: Dimension) -> None:
    """There is nothing to perturb, which is no failure."""
    findings = find(dimension, samples_of(["", " ", "... !?"]))
    assert findings.records == []
    assert all(tally.n_carrying == tally.n_candidates == 0 for tally in findings.counts.values())


def test_a_long_text_is_changed_exactly(dimension: Dimension) -> None:
    """Ten thousand characters, of sentences that each carry some case."""
    carrying = {record.sample_id for record in find(dimension, samples_of(REVIEWS), n_cases=1).records}
    reviews = [sample.text for sample in samples_of(REVIEWS) if sample.id in carrying]
    long = ((" ".join(reviews) + "\n") * 200)[:10_000]
    findings = find(dimension, samples_of([long]), n_cases=1)
    check(dimension, findings, 1)
    assert findings.records


@settings(deadline=None, max_examples=25)
@given(text=ANY_TEXT)
@pytest.mark.parametrize("dimension", WORD_DIMENSIONS, ids=lambda part: part.name)
def test_any_text_is_changed_exactly_or_refused(dimension: Dimension, text: str) -> None:
    """Whatever the text: no crash, and no case that breaks a promise."""
    check(dimension, find(dimension, samples_of([text])), 1)


def test_the_same_request_has_the_same_cases(dimension: Dimension) -> None:
    """Nothing is drawn from a clock, a hash or a state left behind."""
    samples = samples_of([*REVIEWS, *ODD_TEXTS])
    first, second = find(dimension, samples), find(dimension, samples)
    assert first == second


def test_cases_do_not_depend_on_the_other_samples(dimension: Dimension) -> None:
    """Samples in another order, or alone, have the cases they had together."""
    samples = samples_of([*REVIEWS, *ODD_TEXTS[-8:]])
    together = {record.id: record for record in find(dimension, samples).records}
    shuffled = random.Random(0).sample(samples, len(samples))
    assert {record.id: record for record in find(dimension, shuffled).records} == together
    alone = [record for sample in samples for record in find(dimension, [sample]).records]
    assert {record.id: record for record in alone} == together


def test_another_seed_has_other_cases(dimension: Dimension) -> None:
    """Cases are drawn, not always the same ones."""
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=samples_of(REVIEWS),
        dimension=dimension,
        degrees=dimension.degrees,
        n_cases=1,
        seed=1,
    )
    texts = [[record.text for record in search(replace(request, seed=seed)).records] for seed in range(1, 6)]
    assert any(other != texts[0] for other in texts)


def test_only_the_named_field_of_a_pair_is_changed(dimension: Dimension) -> None:
    """The other text stays as it is, and the case is that of the same text alone."""
    singles = samples_of(REVIEWS)
    pairs = [replace(sample, text="Is it any good?", text_pair=sample.text) for sample in singles]
    found = find(dimension, pairs, perturbed="text_pair")
    check(dimension, found, len(pairs))
    assert {record.text for record in found.records} == {"Is it any good?"}
    assert {record.field for record in found.records} == {"text_pair"}
    expected = {record.id: record.text for record in find(dimension, singles).records}
    assert {record.id: record.text_pair for record in found.records} == expected


def test_a_pair_without_a_second_text_has_no_case(dimension: Dimension) -> None:
    """An empty field is no crash."""
    pairs = [replace(sample, text_pair="") for sample in samples_of(REVIEWS)]
    assert find(dimension, pairs, perturbed="text_pair").records == []


@pytest.mark.parametrize(
    "dimension", [part for part in WORD_DIMENSIONS if part.tag == "general"], ids=lambda part: part.name
)
def test_a_word_changed_in_general_is_changed_once(dimension: Dimension) -> None:
    """What a person does to a word by accident is one of its operations, alone."""
    operations = {
        (text, word.start): {
            tuple(edit.shifted(word.start) for edit in item.edits) for item in proposed.items
        }
        for text in REVIEWS
        for word, proposed in operations_of(dimension, [text])
    }
    for record in find(dimension, samples_of(REVIEWS)).records:
        for word in words_of(record.unperturbed_text):
            edits = tuple(edit for _, edit in record.edits if is_within(edit, word))
            assert not edits or edits in operations[record.unperturbed_text, word.start]


@settings(deadline=None, max_examples=25)
@given(text=ANY_TEXT)
@pytest.mark.parametrize("dimension", WORD_DIMENSIONS, ids=lambda part: part.name)
def test_an_operation_fits_its_word_and_costs_its_distance(dimension: Dimension, text: str) -> None:
    """Every operation changes the word it is proposed for, by as much as it says, and leaves something."""
    for word, operations in operations_of(dimension, [text, *REVIEWS]):
        for item in operations.items:
            if item.n_words > 1:
                (edit,) = item.edits
                assert dimension.level == "word"
                assert len(edit.original.split()) == item.n_words
                assert edit.replacement.strip()
                assert Levenshtein.distance(edit.original, edit.replacement) == item.cost > 0
                continue
            assert all(0 <= edit.start <= edit.end <= len(word.text) for edit in item.edits)
            changed = apply_edits(word.text, item.edits)
            assert changed.strip()
            assert Levenshtein.distance(word.text, changed) == item.cost > 0
