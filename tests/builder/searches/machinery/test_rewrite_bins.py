"""Series of rewrites are measured until the bins are full: right bins, few measurements, all counted."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.measures.measure import BinMeasure, OriginalAndCase, bin_of
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, SentenceDimension, TextToRewrite
from builder.searches.machinery.rewrite_bins import SPARE_SERIES, search_rewrites
from builder.searches.search import SearchRequest, SearchResult
from builder.values.samples import Sample
from contract.schema.edits import Edit, apply_edits

DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
MARK = "|"


class Scale:
    """A measure that reads a case's degree off its length, and counts what it is asked."""

    def __init__(self, degree_of: Callable[[int], float]) -> None:
        self.degree_of = degree_of
        self.n_asked = 0
        self.n_calls = 0

    def distances(self, pairs: Sequence[OriginalAndCase], _encoder: str) -> list[float]:
        """Return the degree of the step that each case stands on."""
        self.n_asked += len(pairs)
        self.n_calls += 1
        return [self.degree_of(case.count(MARK)) for _, case in pairs]


def append_marks(n: int) -> Callable[[Sequence[TextToRewrite]], list[list[Rewrite]]]:
    """Return series of n steps, each with one mark more, and a name to tell series apart."""

    def write_series(texts: Sequence[TextToRewrite], _resources: Resources) -> list[list[Rewrite]]:
        all_series = []
        for text in texts:
            name, end = f"{text.draw.fraction():.12f}", len(text.text)
            all_series.append(
                [Rewrite((Edit(end, end, "", name + MARK * step),), "marks") for step in range(1, n + 1)]
            )
        return all_series

    return write_series


def find(scale: Scale, n_steps: int = 60, n_cases: int = 3, texts: Sequence[str] = ("text",)) -> SearchResult:
    """Search the cases of some texts on series of marks."""
    dimension = SentenceDimension(
        name="marks",
        summary="marks",
        stands_for="marks",
        tag="general",
        degrees=DEGREES,
        write_series=append_marks(n_steps),
    )
    samples = [
        Sample(id=f"t-{number:05d}", text=text, text_pair=None, label=0) for number, text in enumerate(texts)
    ]
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=samples,
        dimension=dimension,
        degrees=DEGREES,
        n_cases=n_cases,
        seed=1,
    )
    measure = BinMeasure(name="scale", summary="", distances=scale.distances)
    return search_rewrites(request, dimension, setting="rule", measure=measure)


def check(result: SearchResult, n_cases: int, n_asked: int) -> None:
    """Assert what every search promises."""
    for record in result.records:
        assert bin_of(record.realised_degree or 0, DEGREES) == record.degree
        assert apply_edits(record.unperturbed_text, [edit for _, edit in record.edits]) == record.text
    assert len({record.id for record in result.records}) == len(result.records)
    for degree, counts in result.counts.items():
        cases = [record for record in result.records if record.degree == degree]
        assert len({record.text for record in cases}) == len(cases)
        assert counts.n_candidates == sum(counts.n_dropped.values()) + len(cases)
        assert len({record.sample_id for record in cases}) == counts.n_carrying <= counts.n_samples
        for sample in {record.sample_id for record in cases}:
            numbers = [record.case for record in cases if record.sample_id == sample]
            assert numbers == list(range(len(numbers)))
            assert len(numbers) <= n_cases
    assert sum(counts.n_candidates for counts in result.counts.values()) == n_asked


def test_every_bin_that_a_series_reaches_is_filled_with_few_measurements() -> None:
    """On a series that rises evenly, little more than one step a case is measured."""
    scale = Scale(lambda step: step / 80)
    result = find(scale, n_cases=5)
    check(result, 5, scale.n_asked)
    assert len(result.records) == 5 * len(DEGREES)
    assert {counts.n_carrying for counts in result.counts.values()} == {1}
    assert scale.n_asked <= 1.5 * len(result.records)


def test_cases_of_a_bin_come_from_different_series() -> None:
    """No case of a bin is another one with a little more of the same."""
    for degree in DEGREES:
        cases = [record for record in find(Scale(lambda step: step / 80)).records if record.degree == degree]
        names = {record.text.removeprefix("text").rstrip(MARK) for record in cases}
        assert len(names) == len(cases) == 3


def test_samples_are_measured_in_lockstep() -> None:
    """A hundred samples take as many calls as one."""
    one, many = Scale(lambda step: step / 80), Scale(lambda step: step / 80)
    find(one)
    check(find(many, texts=["text"] * 100), 3, many.n_asked)
    assert many.n_calls == one.n_calls


def test_a_bin_out_of_reach_is_not_carried_and_soon_given_up() -> None:
    """The series ends at 0.25: no sample carries what is above."""
    scale = Scale(lambda step: step / 240)
    result = find(scale)
    check(result, 3, scale.n_asked)
    carried = [degree for degree, counts in result.counts.items() if counts.n_carrying]
    assert carried == [0.05, 0.1, 0.2, 0.3]
    assert scale.n_asked < 60


def test_what_falls_between_or_beyond_the_bins_is_counted() -> None:
    """A series that jumps from 0 to beyond the last bin gives nothing."""
    scale = Scale(lambda step: 0.0 if step < 20 else 0.9)
    result = find(scale)
    check(result, 3, scale.n_asked)
    assert result.records == []
    assert set(result.counts[0.05].n_dropped) == set(result.counts[0.6].n_dropped) == {"outside-bin"}


@pytest.mark.parametrize("n_steps", [0, 1, 5])
def test_short_series_are_measured_whole(n_steps: int) -> None:
    """Also where degrees do not rise: a few rewrites in any order."""
    degrees = [0.0, 0.35, 0.02, 0.55, 0.07, 0.15]
    scale = Scale(degrees.__getitem__)
    result = find(scale, n_steps, n_cases=1)
    check(result, 1, scale.n_asked)
    wanted = {bin_of(degree, DEGREES) for degree in degrees[1 : n_steps + 1]}
    assert {record.degree for record in result.records} == wanted
    assert scale.n_asked <= n_steps * (1 + SPARE_SERIES)


def test_the_same_rewrite_is_a_case_once() -> None:
    """A dimension with one thing to say gives one case a bin, and the rest is counted."""

    def write_series(texts: Sequence[TextToRewrite], _resources: Resources) -> list[list[Rewrite]]:
        return [[Rewrite((Edit(0, 0, "", MARK),), "mark")] for _ in texts]

    scale = Scale(lambda _: 0.15)
    dimension = SentenceDimension(
        name="mark",
        summary="a mark",
        stands_for="marks",
        tag="general",
        degrees=DEGREES,
        write_series=write_series,
    )
    sample = Sample(id="t-00000", text="text", text_pair=None, label=0)
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=[sample],
        dimension=dimension,
        degrees=DEGREES,
        n_cases=3,
        seed=1,
    )
    measure = BinMeasure(name="scale", summary="", distances=scale.distances)
    result = search_rewrites(request, dimension, setting="rule", measure=measure)
    check(result, 3, scale.n_asked)
    assert len(result.records) == 1
    assert result.counts[0.2].n_dropped == {"duplicate": 2 + SPARE_SERIES}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(0, 1), min_size=60, max_size=60),
    st.sampled_from(["rising", "wild"]),
    st.integers(1, 60),
    st.integers(1, 4),
)
def test_any_series_keeps_every_promise(degrees: list[float], kind: str, n_steps: int, n_cases: int) -> None:
    """Rising or wild, long or short: bins are right, everything is counted, the search ends."""
    values = [0.0, *(sorted(degrees) if kind == "rising" else degrees)]
    scale = Scale(values.__getitem__)
    result = find(scale, n_steps, n_cases, texts=("one", "two", ""))
    check(result, n_cases, scale.n_asked)
    assert scale.n_asked <= 3 * (n_cases + SPARE_SERIES) * n_steps
    if kind == "rising":
        on_series = {bin_of(round(degree, 6), DEGREES) for degree in values[1 : n_steps + 1]} - {None}
        assert {record.degree for record in result.records} == on_series
