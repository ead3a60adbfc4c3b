"""Sorts rewrites of texts into bins, one bin a degree, until the bins are full.

A rewrite's degree can only be measured. So each sample gets series of rewrites that depart farther and
farther from it, and of each series as few rewrites are measured as lead to one case for every bin that is
still open: rewrites between one that is too near and one that is too far, found by interpolation. All
samples go in step, so that many rewrites are measured at once.

What is counted for a degree: every measured rewrite that falls into its bin is a candidate. It is kept, or
dropped as BIN_FULL (the bin has its cases, or one of this series) or DUPLICATE. A rewrite beyond the last
bin is a candidate of the last degree, dropped as OUTSIDE_BIN. A sample carries a degree when at least one
rewrite of it fell into the bin.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from builder.measures import BIN_MEASURES
from builder.measures.measure import BinMeasure, Change, OriginalAndCase, bin_of
from builder.operations.dimension import Rewrite, SentenceDimension, TextToRewrite
from builder.searches.machinery.records import record_of
from builder.searches.search import DegreeCounts, SearchRequest, SearchResult
from builder.values.distinct import Distinct
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.drop_reasons import BIN_FULL, DUPLICATE, OUTSIDE_BIN
from contract.schema.edits import Word, apply_edits, words_of
from contract.schema.records import Record

# A series gives a bin one case at most, so that cases of a bin are not the same text a little longer; not
# every series has a rewrite in every bin.
SPARE_SERIES = 3
# A series this short is measured whole where its likeliest steps leave a bin open.
SHORT_SERIES = 8
# Of a first series only the first rewrites are looked at to begin with: a long text is slow to measure.
FIRST_LOOK = 16
# Where a sample gets many cases: after so many series, and so many in a row without a new case, no more are
# written.
FEW_SERIES = 16
MOST_IN_VAIN = 5


@dataclass(frozen=True, slots=True)
class _Bin:
    """The realised degrees that count as a degree: above `low`, at most `degree`."""

    low: float
    degree: float

    @property
    def middle(self) -> float:
        """Where a case is wanted most."""
        return (self.low + self.degree) / 2


@dataclass(slots=True)
class _CasesOfBin:
    """The cases of a sample in one bin."""

    records: list[Record] = field(default_factory=list)
    distinct: Distinct = field(default_factory=Distinct)
    # Whether any rewrite fell into the bin, kept or not.
    is_reached: bool = False


@dataclass(slots=True)
class _RewrittenSample:
    """A sample with its cases so far, by degree, and with what its series have shown."""

    sample: Sample
    text: str
    words: Sequence[Word]
    cases: dict[float, _CasesOfBin]
    # The degrees measured at each step of its series: where to look in the next one.
    measured: dict[int, list[float]] = field(default_factory=dict)
    # How many cases it had before each series.
    n_before: list[int] = field(default_factory=list)

    def is_used_up(self) -> bool:
        """Whether many series were written and the last ones brought no new case."""
        n_cases = sum(len(cases.records) for cases in self.cases.values())
        n_before = [*self.n_before, n_cases]
        return len(n_before) > FEW_SERIES and n_before[-1] == n_before[-1 - MOST_IN_VAIN]

    def likely_step(self, wanted: _Bin) -> int:
        """Return the step that was nearest to the middle of a bin, in the mean of the series so far."""
        return min(self.measured, key=lambda step: abs(fmean(self.measured[step]) - wanted.middle))


@dataclass(slots=True)
class _Series:
    """Rewrites of one sample that depart farther and farther, and the degrees measured, by step."""

    of: _RewrittenSample
    rewrites: Sequence[Rewrite]
    realised: dict[int, float] = field(default_factory=dict)
    # The degrees that have a case of this series.
    served: set[float] = field(default_factory=set)

    def pair(self, step: int) -> OriginalAndCase:
        """Return the original and the rewrite at a step."""
        return self.of.text, apply_edits(self.of.text, self.rewrites[step].edits)

    def next_steps(self, bins: Sequence[_Bin]) -> list[int]:
        """Return the steps to measure next for the open bins; none when nothing is left to find."""
        n = len(self.rewrites)
        if not n or not bins:
            return []
        if n <= SHORT_SERIES:
            left = [step for step in range(n) if step not in self.realised]
            return left if self.realised else self._first_of_short(bins)
        if self.realised:
            guesses = [_guess(self.realised, wanted, n) for wanted in bins]
            return sorted({guess for guess in guesses if guess is not None})
        if not self.of.measured:
            return list(_doubling(min(n, FIRST_LOOK)))
        return sorted({min(n - 1, self.of.likely_step(wanted)) for wanted in bins})

    def _first_of_short(self, bins: Sequence[_Bin]) -> list[int]:
        """Return a step for each open bin of a short series; all others are measured if a bin stays open."""
        last = len(self.rewrites) - 1
        if self.of.measured:
            return sorted({min(last, self.of.likely_step(wanted)) for wanted in bins})
        return sorted({round(place * last / max(1, len(bins) - 1)) for place in range(len(bins))})


def search_rewrites(
    request: SearchRequest,
    dimension: SentenceDimension,
    *,
    setting: str,
    measure: BinMeasure | None = None,
    drawn_as: str | None = None,
    keeps_all: bool = False,
) -> SearchResult:
    """Return up to `n_cases` different cases for each sample and bin that its series reach.

    Series are drawn for the setting, or for `drawn_as`, whose series are then the same. With `keeps_all` the
    result also has what was measured on the way and fell into a bin that had its cases.
    """
    measure = measure or BIN_MEASURES[dimension.measure]
    binning = _Binning(request, setting, drawn_as or setting, keeps_all=keeps_all)
    for number in range(request.n_cases + SPARE_SERIES):
        all_series = binning.write_series(dimension, number)
        while probes := [(series, step) for series in all_series for step in binning.next_steps(series)]:
            degrees = measure.realised(
                [series.pair(step) for series, step in probes], request.resources.encoder
            )
            for (series, step), realised in zip(probes, degrees, strict=True):
                binning.put(series, step, realised)
    return binning.result()


class _Binning:
    """The bins of all samples of a request."""

    def __init__(self, request: SearchRequest, setting: str, drawn_as: str, *, keeps_all: bool) -> None:
        self._request = request
        self._setting = setting
        self._drawn_as = drawn_as
        self._keeps_all = keeps_all
        self._bins = [_Bin(low, degree) for low, degree in pairwise([0.0, *request.degrees])]
        self._avoid = frozenset(request.resources.associations)
        self._counts = {degree: DegreeCounts() for degree in request.degrees}
        self._samples = [
            _RewrittenSample(
                sample, text, words_of(text), {degree: _CasesOfBin() for degree in request.degrees}
            )
            for sample in request.samples
            for text in [sample.field(request.perturbed)]
        ]

    def write_series(self, dimension: SentenceDimension, number: int) -> list[_Series]:
        """Return another series for each sample that has words and an open bin."""
        request = self._request
        samples = [
            sample
            for sample in self._samples
            if sample.words and any(self._open_bins(sample)) and not sample.is_used_up()
        ]
        for sample in samples:
            sample.n_before.append(sum(len(cases.records) for cases in sample.cases.values()))
        names = (dimension.name, self._drawn_as, number)
        texts = [
            TextToRewrite(
                text=sample.text,
                draw=Draw(request.seed, request.task, sample.sample.id, *names),
                avoid=self._avoid,
                label=sample.sample.label,
                is_of_pair=sample.sample.text_pair is not None,
            )
            for sample in samples
        ]
        written = dimension.write_series(texts, request.resources)
        return [_Series(sample, rewrites) for sample, rewrites in zip(samples, written, strict=True)]

    def next_steps(self, series: _Series) -> list[int]:
        """Return the steps of a series to measure next."""
        return series.next_steps(
            [each for each in self._open_bins(series.of) if each.degree not in series.served]
        )

    def put(self, series: _Series, step: int, realised: float) -> None:
        """Keep a measured rewrite as a case, or count why not."""
        series.realised[step] = realised
        series.of.measured.setdefault(step, []).append(realised)
        degrees = self._request.degrees
        degree = bin_of(realised, degrees)
        counts = self._counts[degrees[-1 if realised > 0 else 0] if degree is None else degree]
        counts.n_candidates += 1
        if degree is None:
            counts.drop(OUTSIDE_BIN, series.of.sample.id)
            return
        cases = series.of.cases[degree]
        cases.is_reached = True
        _, text = series.pair(step)
        is_full = degree in series.served or len(cases.records) >= self._request.n_cases
        if is_full and not self._keeps_all:
            counts.drop(BIN_FULL, series.of.sample.id)
        elif not cases.distinct.is_new(text):
            counts.drop(DUPLICATE, series.of.sample.id)
        else:
            series.served.add(degree)
            cases.records.append(self._record(series, step, text, degree))

    def result(self) -> SearchResult:
        """Return all cases in the order of samples, degrees and cases."""
        for degree, counts in self._counts.items():
            counts.n_samples = len(self._samples)
            counts.n_carrying = sum(sample.cases[degree].is_reached for sample in self._samples)
        records = [
            record for sample in self._samples for cases in sample.cases.values() for record in cases.records
        ]
        return SearchResult(records=records, counts=self._counts)

    def _open_bins(self, sample: _RewrittenSample) -> Iterator[_Bin]:
        n_cases = self._request.n_cases
        return (each for each in self._bins if len(sample.cases[each.degree].records) < n_cases)

    def _record(self, series: _Series, step: int, text: str, degree: float) -> Record:
        sample, rewrite = series.of, series.rewrites[step]
        return record_of(
            self._request,
            sample.sample,
            Change(original=sample.text, words=sample.words, text=text, edits=rewrite.edits),
            setting=self._setting,
            degree=degree,
            case=len(sample.cases[degree].records),
            method=rewrite.method,
            realised_degree=series.realised[step],
        )


def _doubling(n: int) -> Iterator[int]:
    """Yield steps 0, 1, 3, 7, 15 … below n."""
    step = 0
    while step < n:
        yield step
        step = 2 * step + 1


def _guess(realised: dict[int, float], wanted: _Bin, n: int) -> int | None:
    """Return the unmeasured step that should fall into a bin, or nothing if all around it were tried."""
    # Before the first step stands the original.
    points = [(-1, 0.0), *sorted(realised.items())]
    for (before, at_before), (after, at_after) in pairwise(points):
        is_between = min(at_before, at_after) <= wanted.low and max(at_before, at_after) > wanted.degree
        if is_between and after - before > 1:
            share = (wanted.middle - at_before) / (at_after - at_before)
            return min(after - 1, max(before + 1, before + round(share * (after - before))))
    last, at_last = points[-1]
    if at_last > wanted.low or last == n - 1:
        return None
    # Straight on, which is short of the aim, as series grow flatter: a step too far costs the most.
    n_steps = (last + 1) * min(1.0, wanted.middle / max(at_last, 1e-6) - 1)
    return min(n - 1, last + max(1, round(n_steps)))
