"""Rewrites sorted into bins: ladders are climbed, in lockstep over all samples, until the bins are full.

A rewrite's degree can only be measured. So each sample gets ladders of rewrites that depart farther and
farther from it, and of each ladder as few rungs are measured as lead to one case for every bin that is still
open: rungs between one that is too low and one that is too high, found by interpolation.

What is counted for a degree: every measured rewrite that falls into its bin is a candidate. It is kept, or
dropped as "bin-full" (the bin has its cases, or one of this ladder) or "duplicate". A rewrite beyond the last
bin is a candidate of the last degree, dropped as "outside-bin". A sample carries a degree when at least one
rewrite of it fell into the bin.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from builder.measures import BIN_MEASURES
from builder.measures.measure import BinMeasure, Change, OriginalAndCase, bin_of
from builder.operations.dimension import Rewrite, SentenceDimension, TextToRewrite
from builder.searches.search import Findings, SearchRequest, Tally, record_of
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.edits import Word, apply_edits, words_of
from contract.schema.records import Record

# A ladder gives a bin one case at most, so that cases of a bin are not the same text a little longer; not
# every ladder has a rung in every bin.
SPARE_LADDERS = 3
# A ladder this short is measured whole.
SHORT_LADDER = 8
# Of a first ladder only the lower rungs are looked at to begin with: a long text is slow to measure.
FIRST_LOOK = 16


@dataclass(slots=True)
class _Subject:
    """A sample under attack: its cases so far, and what its ladders have shown."""

    sample: Sample
    text: str
    words: Sequence[Word]
    cases: dict[float, list[Record]]
    reached: set[float] = field(default_factory=set)
    # What was measured on each rung of its ladders: where to look on the next one.
    seen: dict[int, list[float]] = field(default_factory=dict)

    def likely_rung(self, wanted: "_Bin") -> int:
        """Return the rung that was nearest to the middle of a bin, in the mean of the ladders so far."""
        return min(self.seen, key=lambda rung: abs(fmean(self.seen[rung]) - wanted.middle))


@dataclass(slots=True)
class _Climb:
    """One ladder of one sample, with the degrees of the rungs that were measured."""

    subject: _Subject
    rewrites: Sequence[Rewrite]
    realised: dict[int, float] = field(default_factory=dict)
    # The bins that have a case of this ladder.
    served: set[float] = field(default_factory=set)

    def pair(self, rung: int) -> OriginalAndCase:
        """Return the original and the text on a rung."""
        text = self.subject.text
        return text, apply_edits(text, self.rewrites[rung].edits)

    def next_rungs(self, bins: Sequence["_Bin"]) -> list[int]:
        """Return the rungs to measure next for the bins that are open; none when nothing is left to find."""
        n = len(self.rewrites)
        if self.realised:
            guesses = [_guess(self.realised, wanted, n) for wanted in bins]
            return sorted({guess for guess in guesses if guess is not None})
        if n <= SHORT_LADDER:
            return list(range(n))
        if not self.subject.seen:
            return list(_doubling(min(n, FIRST_LOOK)))
        return sorted({min(n - 1, self.subject.likely_rung(wanted)) for wanted in bins})


@dataclass(frozen=True, slots=True)
class _Bin:
    """The realised degrees that count as a degree: above `low`, at most `degree`."""

    low: float
    degree: float

    @property
    def middle(self) -> float:
        """Where a case is wanted most."""
        return (self.low + self.degree) / 2


def search_rewrites(
    request: SearchRequest,
    dimension: SentenceDimension,
    *,
    setting: str,
    measure: BinMeasure | None = None,
    drawn_as: str | None = None,
    keeps_all: bool = False,
) -> Findings:
    """Return up to `n_cases` different cases for each sample and bin that its ladders reach.

    Ladders are drawn for the setting, or for that of `drawn_as`, whose ladders are then the same. Who
    `keeps_all` also gets what was measured on the way and fell into a bin that had its cases.
    """
    measure = measure or BIN_MEASURES[dimension.measure]
    binning = _Binning(request, setting, drawn_as or setting, keeps_all=keeps_all)
    for number in range(request.n_cases + SPARE_LADDERS):
        climbs = binning.ladders(dimension, number)
        while probes := [(climb, rung) for climb in climbs for rung in binning.next_rungs(climb)]:
            degrees = measure.realised(
                [climb.pair(rung) for climb, rung in probes], request.resources.encoder
            )
            for (climb, rung), realised in zip(probes, degrees, strict=True):
                binning.put(climb, rung, realised)
    return binning.findings()


class _Binning:
    """The bins of all samples of a request."""

    def __init__(self, request: SearchRequest, setting: str, drawn_as: str, *, keeps_all: bool) -> None:
        self._request = request
        self._setting = setting
        self._drawn_as = drawn_as
        self._keeps_all = keeps_all
        self._bins = [_Bin(low, degree) for low, degree in pairwise([0.0, *request.degrees])]
        self._avoid = frozenset(request.resources.associations)
        self._tallies = {degree: Tally() for degree in request.degrees}
        self._subjects = [
            _Subject(sample, text, words_of(text), {degree: [] for degree in request.degrees})
            for sample in request.samples
            for text in [sample.field(request.perturbed)]
        ]

    def ladders(self, dimension: SentenceDimension, number: int) -> list[_Climb]:
        """Return another ladder for each sample that has words and an open bin."""
        request = self._request
        subjects = [subject for subject in self._subjects if subject.words and any(self._open(subject))]
        names = (dimension.name, self._drawn_as, number)
        texts = [
            TextToRewrite(
                text=subject.text,
                draw=Draw(request.seed, request.task, subject.sample.id, *names),
                avoid=self._avoid,
                label=subject.sample.label,
            )
            for subject in subjects
        ]
        ladders = dimension.write_series(texts, request.resources)
        return [_Climb(subject, ladder) for subject, ladder in zip(subjects, ladders, strict=True)]

    def next_rungs(self, climb: _Climb) -> list[int]:
        """Return the rungs of a ladder to measure next."""
        return climb.next_rungs(
            [each for each in self._open(climb.subject) if each.degree not in climb.served]
        )

    def put(self, climb: _Climb, rung: int, realised: float) -> None:
        """Keep a measured rewrite as a case, or count why not."""
        climb.realised[rung] = realised
        climb.subject.seen.setdefault(rung, []).append(realised)
        degree = bin_of(realised, self._request.degrees)
        tally = self._tallies[self._request.degrees[-1 if realised > 0 else 0] if degree is None else degree]
        tally.n_candidates += 1
        if degree is None:
            tally.drop("outside-bin")
            return
        subject = climb.subject
        subject.reached.add(degree)
        cases = subject.cases[degree]
        _, text = climb.pair(rung)
        is_full = degree in climb.served or len(cases) >= self._request.n_cases
        if is_full and not self._keeps_all:
            tally.drop("bin-full")
        elif any(case.perturbed_text == text for case in cases):
            tally.drop("duplicate")
        else:
            climb.served.add(degree)
            cases.append(self._record(subject, climb.rewrites[rung], text, degree, realised))

    def findings(self) -> Findings:
        """Return all cases in the order of samples, degrees and cases."""
        for degree, tally in self._tallies.items():
            tally.n_samples = len(self._subjects)
            tally.n_carrying = sum(degree in subject.reached for subject in self._subjects)
        records = [case for subject in self._subjects for cases in subject.cases.values() for case in cases]
        return Findings(records=records, tallies=self._tallies)

    def _open(self, subject: _Subject) -> Iterator[_Bin]:
        n_cases = self._request.n_cases
        return (each for each in self._bins if len(subject.cases[each.degree]) < n_cases)

    def _record(
        self, subject: _Subject, rewrite: Rewrite, text: str, degree: float, realised: float
    ) -> Record:
        return record_of(
            self._request,
            subject.sample,
            Change(original=subject.text, words=subject.words, text=text, edits=rewrite.edits),
            setting=self._setting,
            degree=degree,
            case=len(subject.cases[degree]),
            method=rewrite.method,
            realised_degree=realised,
        )


def _doubling(n: int) -> Iterator[int]:
    """Yield rungs 0, 1, 3, 7, 15 … below n."""
    rung = 0
    while rung < n:
        yield rung
        rung = 2 * rung + 1


def _guess(realised: dict[int, float], wanted: _Bin, n: int) -> int | None:
    """Return the unmeasured rung that should fall into a bin, or nothing if all around it were tried."""
    # Below the first rung stands the original.
    points = [(-1, 0.0), *sorted(realised.items())]
    for (below, at_below), (above, at_above) in pairwise(points):
        is_between = min(at_below, at_above) <= wanted.low and max(at_below, at_above) > wanted.degree
        if is_between and above - below > 1:
            share = (wanted.middle - at_below) / (at_above - at_below)
            return min(above - 1, max(below + 1, below + round(share * (above - below))))
    last, at_last = points[-1]
    if at_last > wanted.low or last == n - 1:
        return None
    # Straight on, which is short of the aim, as ladders grow flatter: a rung too high costs the most.
    steps = (last + 1) * min(1.0, wanted.middle / max(at_last, 1e-6) - 1)
    return min(n - 1, last + max(1, round(steps)))
