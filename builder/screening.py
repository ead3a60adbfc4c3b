"""Screen: which cases of an attack fool the other surrogates, too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.filters.transferability import Case, Juror, Jury, Screened, screen
from builder.surrogates import surrogate_of
from builder.units import ScreenUnit
from classifiers.classifier import TextPair
from classifiers.inference import Inference
from contract.records import Record


@dataclass(frozen=True, kw_only=True)
class Screening:
    """The verdict on each case, and how many questions each surrogate was asked for it."""

    verdicts: list[Screened]
    n_queries: dict[str, int]


def screen_cases(unit: ScreenUnit, records: Sequence[Record], cache_path: Path) -> Screening:
    """Ask the surrogates, cheap and hard to fool ones first, about what the ones before have left."""
    inferences = [surrogate_of(cache_path, each.sha256) for each in unit.surrogates]
    samples = unit.cases[0].samples
    originals = [(sample.text, sample.text_pair) for sample in samples]
    is_right = [
        {
            sample.id: guess == sample.label
            for sample, guess in zip(samples, inference.votes(originals), strict=True)
        }
        for inference in inferences
    ]
    texts = [(record.text, record.text_pair) for record in records]
    jurors = [
        Juror(is_right=[of_sample[record.sample_id] for record in records], ask=_asker(inference, texts))
        for inference, of_sample in zip(inferences, is_right, strict=True)
    ]
    # A surrogate that is right more often is harder to fool, and so drops more.
    order = sorted(range(len(inferences)), key=lambda n: (inferences[n].cost, -sum(is_right[n].values()), n))
    before = [inference.counts.n_distinct for inference in inferences]
    jury = Jury(jurors=jurors, order=order, min_fooled=unit.min_fooled, n_wanted=unit.n_wanted)
    verdicts = screen(jury, _cases(unit, records))
    n_queries = {
        each.name: inference.counts.n_distinct - n
        for each, inference, n in zip(unit.surrogates, inferences, before, strict=True)
    }
    return Screening(verdicts=verdicts, n_queries=n_queries)


def _asker(inference: Inference, texts: Sequence[TextPair]) -> Callable[[Sequence[int]], list[int]]:
    return lambda places: inference.votes([texts[place] for place in places])


def _cases(unit: ScreenUnit, records: Sequence[Record]) -> list[Case]:
    """Return the cases as the jury takes them; the sources take turns."""
    places = {each.name: place for place, each in enumerate(unit.surrogates)}
    return [
        Case(
            label=record.label,
            source=places[record.source or ""],
            group=(record.sample_id, record.degree),
            turn=(record.case % unit.n_wanted, record.case),
            text=(record.text, record.text_pair),
        )
        for record in records
    ]
