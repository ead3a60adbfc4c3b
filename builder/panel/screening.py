"""Screen: which cases of an attack fool the other surrogates, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from builder.panel.transferability import Ask, Case, Jury, settle, sift
from builder.surrogates.surrogates import surrogate_of
from builder.units.units import JuryUnit, ScreenUnit
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.inference import Inference

# What a jury must know of a case.
CASE_COLUMNS = ("sample_id", "degree", "case", "label", "source", "text", "text_pair")
NUMBERS = pa.list_(pa.int32())


@dataclass(frozen=True, kw_only=True)
class Screening:
    """What is known of each case, in which order surrogates are asked, and about how many texts each was."""

    table: pa.Table
    order: list[int]
    n_queries: dict[str, int]


def screen_cases(unit: ScreenUnit, table: pa.Table, cache_path: Path) -> Screening:
    """Ask the sources and who costs little, those first that are hard to fool; if none is late, decide."""
    inferences = [surrogate_of(cache_path, each.sha256) for each in unit.surrogates]
    is_right = [_is_right(inference, unit) for inference in inferences]
    # A surrogate that is right more often is harder to fool, and so drops more.
    order = sorted(range(len(inferences)), key=lambda n: (inferences[n].cost, -sum(is_right[n].values()), n))
    rows = table.to_pylist()
    cases = [_case(unit, row) for row in rows]
    for case, row in zip(cases, rows, strict=True):
        others = [number for number in order if number != case.source]
        case.eligible = [number for number in others if is_right[number][row["sample_id"]]]
    jury = _jury(unit, order, dict(enumerate(inferences)), cases)
    sift(jury, cases)
    if not unit.late:
        settle(jury, cases)
    eligible = pa.array([case.eligible for case in cases], NUMBERS)
    n_queries = {
        each.name: len({(case.group, case.text) for case in cases if number in case.votes})
        for number, each in enumerate(unit.surrogates)
    }
    found = _verdicts(unit, range(len(rows)), rows, cases).append_column("eligible", eligible)
    return Screening(table=found, order=order, n_queries=n_queries)


def hear_cases(
    unit: JuryUnit, table: pa.Table, screened: pa.Table, order: Sequence[int], cache_path: Path
) -> pa.Table:
    """Ask the late surrogates about what the others have left of some groups, and decide."""
    wanted = None if unit.groups is None else set(unit.groups)
    known = [
        each
        for each in screened.to_pylist()
        if each["reason"] is None and (wanted is None or (each["sample_id"], each["degree"]) in wanted)
    ]
    places = [each["row"] for each in known]
    rows = table.take(pa.array(places, pa.int64())).to_pylist()
    cases = [_case(unit.screened, row) for row in rows]
    for case, each in zip(cases, known, strict=True):
        case.eligible = each["eligible"]
        case.votes = {number: vote for number, vote in enumerate(each["votes"]) if vote is not None}
    before = [set(case.votes) for case in cases]
    late = {
        number: surrogate_of(cache_path, unit.screened.surrogates[number].sha256)
        for number in unit.screened.late_numbers
    }
    settle(_jury(unit.screened, order, late, cases), cases)
    asked = [sorted(set(case.votes) - voted) for case, voted in zip(cases, before, strict=True)]
    found = _verdicts(unit.screened, places, rows, cases)
    return found.append_column("asked", pa.array(asked, NUMBERS))


def _is_right(inference: Inference, unit: ScreenUnit) -> dict[str, bool]:
    """Return for each sample whether the surrogate gives its original the right label."""
    samples = unit.first.samples
    votes = inference.votes([(sample.text, sample.text_pair) for sample in samples])
    return {sample.id: vote == sample.label for sample, vote in zip(samples, votes, strict=True)}


def _case(unit: ScreenUnit, row: Mapping[str, Any]) -> Case:
    """Return a case as the jury takes it; the sources take turns."""
    return Case(
        label=row["label"],
        source=[each.name for each in unit.surrogates].index(row["source"]),
        group=(row["sample_id"], row["degree"]),
        turn=(row["case"] % unit.n_wanted, row["case"]),
        text=(row["text"], row["text_pair"]),
    )


def _jury(
    unit: ScreenUnit, order: Sequence[int], inferences: Mapping[int, Inference], cases: Sequence[Case]
) -> Jury:
    texts = [case.text for case in cases]
    return Jury(
        ask={number: _asker(inference, texts) for number, inference in inferences.items()},
        order=order,
        late=unit.late_numbers,
        min_fooled=unit.min_fooled,
        n_wanted=unit.n_wanted,
    )


def _asker(inference: Inference, texts: Sequence[TextPair]) -> Ask:
    return lambda places: inference.votes([texts[place] for place in places])


def _verdicts(
    unit: ScreenUnit, places: Sequence[int], rows: Sequence[Mapping[str, Any]], cases: Sequence[Case]
) -> pa.Table:
    """Return a row a case: which it is, why it is dropped, votes so far, the share that can be fooled."""
    numbers = range(len(unit.surrogates))
    transfers = [round(float(case.best_transfer), 6) if case.reason is None else None for case in cases]
    return pa.table(
        {
            "row": pa.array(places, pa.int64()),
            "sample_id": pa.array([row["sample_id"] for row in rows], pa.string()),
            "degree": pa.array([row["degree"] for row in rows], pa.float64()),
            "reason": pa.array([case.reason for case in cases], pa.string()),
            "votes": pa.array([[case.votes.get(number) for number in numbers] for case in cases], NUMBERS),
            "transfer": pa.array(transfers, pa.float64()),
        }
    )
