"""Attempts of an attack: numbered by what they do to their source, and counted."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from builder.searches.machinery.records import numbered
from builder.searches.search import DegreeCounts, Source
from contract.schema.records import Record

# Probabilities nearer than this are the same.
SAME = 1e-9


class RankedAttempt(NamedTuple):
    """An attempt, and the true label's probability by the source."""

    record: Record
    probability: float


def strongest_first(source: Source, records: Sequence[Record]) -> list[RankedAttempt]:
    """Return the attempts of each sample and degree, strongest first, as far as they stand together.

    They are numbered from the number that they have; whether each fools the source is noted.
    """
    pairs = [(record.text, record.text_pair) for record in records]
    judged = [
        (float(row[record.label]), record.perturbed_text, record, int(row.argmax()) != record.label)
        for record, row in zip(records, source.inference.ask(pairs) if pairs else (), strict=True)
    ]
    ranked = []
    for _, of_place in groupby(judged, key=lambda each: (each[2].sample_id, each[2].degree)):
        in_order = sorted(of_place, key=lambda each: each[:2])
        for rank, (probability, _, record, is_fooled) in enumerate(in_order):
            in_place = numbered(record, record.case + rank, source, source_fooled=is_fooled)
            ranked.append(RankedAttempt(in_place, probability))
    return ranked


def count_attempts(ranked: Sequence[RankedAttempt], counts: dict[float, DegreeCounts]) -> None:
    """Count for each degree the samples with an attempt, with one that fools, and with a weaker one."""
    lowest: dict[str, dict[float, float]] = {}
    fooled: dict[float, set[str]] = {degree: set() for degree in counts}
    for record, probability in ranked:
        degree = record.degree or 0.0
        of_sample = lowest.setdefault(record.sample_id, {})
        of_sample[degree] = min(probability, of_sample.get(degree, probability))
        if record.source_fooled:
            fooled[degree].add(record.sample_id)
    for degree, of_degree in counts.items():
        of_degree.n_fooled = len(fooled[degree])
        for by_degree in lowest.values():
            if degree in by_degree:
                below = [probability for lower, probability in by_degree.items() if lower < degree]
                of_degree.n_attacked += 1
                of_degree.n_weaker += bool(below) and by_degree[degree] > min(below) + SAME
