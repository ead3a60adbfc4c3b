"""Gives attempts their places and asks the panel about those that have one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from builder.panel.places import Attempt, give_places
from builder.panel.transferability import Ask, Case, Panel, ask_in_turn, eligible_families
from builder.searches.search import NO_DEGREE
from builder.searches.textattacks import PREFIX
from builder.surrogates.loading import surrogate_of
from builder.units.store import CASE_ROW
from builder.units.units import PanelUnit
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.inference import Inference
from contract.schema.drop_reasons import Reason

# The columns of a case that the panel needs.
CASE_COLUMNS = ("sample_id", "degree", "label", "source", "method", "text", "text_pair")
NUMBERS = pa.list_(pa.int32())


@dataclass(frozen=True, kw_only=True)
class PanelDecisions:
    """A decision for each case, and about how many cases each surrogate was asked and not asked."""

    table: pa.Table
    n_queries: dict[str, int]
    n_not_asked: dict[str, int]


def ask_panel(unit: PanelUnit, cases: pa.Table, cache_path: Path) -> PanelDecisions:
    """Choose the cases that are kept, ask the panel about them, and decide which are transferable."""
    rows = cases.to_pylist()
    inferences = [surrogate_of(cache_path, surrogate.sha256) for surrogate in unit.surrogates]
    reasons = give_places(_attempts(unit, rows, _probabilities(unit, rows, inferences)), unit.n_wanted)
    kept = [number for number, reason in enumerate(reasons) if reason is None]
    voted = _voted(unit, [rows[number] for number in kept], inferences)
    by_number = dict(zip(kept, voted, strict=True))
    names = [surrogate.name for surrogate in unit.surrogates]
    n_queries = [sum(number in case.votes for case in voted) for number in range(len(names))]
    return PanelDecisions(
        table=_decisions(unit, rows, reasons, by_number),
        n_queries=dict(zip(names, n_queries, strict=True)),
        n_not_asked={name: len(voted) - n for name, n in zip(names, n_queries, strict=True)},
    )


def _probabilities(
    unit: PanelUnit, rows: Sequence[Mapping[str, Any]], inferences: Sequence[Inference]
) -> list[float]:
    """Return how probable the source of each case holds its true label; the search has asked it before."""
    probabilities = [1.0] * len(rows)
    for surrogate, inference in zip(unit.surrogates, inferences, strict=True):
        own = [number for number, row in enumerate(rows) if row["source"] == surrogate.name]
        if own:
            answers = inference.ask([(rows[number]["text"], rows[number]["text_pair"]) for number in own])
            for number, answer in zip(own, answers, strict=True):
                probabilities[number] = float(answer[rows[number]["label"]])
    return probabilities


def _attempts(
    unit: PanelUnit, rows: Sequence[Mapping[str, Any]], probabilities: Sequence[float]
) -> list[Attempt]:
    methods = {case_unit.method for case_unit in unit.cases}
    return [
        Attempt(
            sample_id=row["sample_id"],
            degree=row["degree"] or NO_DEGREE,
            source=row["source"],
            tool=row["method"] if row["method"].startswith(PREFIX) else None,
            method=row["method"] if row["method"] in methods else None,
            dimension=unit.first.dimension,
            setting=unit.first.setting,
            text=(row["text"], row["text_pair"]),
            probability=probability,
        )
        for row, probability in zip(rows, probabilities, strict=True)
    ]


def _voted(unit: PanelUnit, rows: Sequence[Mapping[str, Any]], inferences: Sequence[Inference]) -> list[Case]:
    """Return the cases that are kept with the votes on them."""
    names = [surrogate.name for surrogate in unit.surrogates]
    is_right = [_is_right(inference, unit) for inference in inferences]
    cases = []
    for row in rows:
        source = names.index(row["source"])
        right = [of_surrogate[row["sample_id"]] for of_surrogate in is_right]
        eligible = eligible_families(unit.families, source, right)
        cases.append(Case(label=row["label"], source=source, eligible=eligible))
    texts = [(row["text"], row["text_pair"]) for row in rows]
    panel = Panel(
        ask={number: _asker(inference, texts) for number, inference in enumerate(inferences)},
        families=unit.families,
        # A surrogate that is right more often is harder to fool, and so decides more.
        order=sorted(
            range(len(inferences)), key=lambda n: (inferences[n].cost, -sum(is_right[n].values()), n)
        ),
        expensive=unit.expensive_numbers,
        min_fooled=unit.min_fooled,
    )
    ask_in_turn(panel, cases)
    return cases


def _is_right(inference: Inference, unit: PanelUnit) -> dict[str, bool]:
    """Return for each sample whether the surrogate gives its original the right label."""
    samples = unit.first.samples
    votes = inference.votes([(sample.text, sample.text_pair) for sample in samples])
    return {sample.id: vote == sample.label for sample, vote in zip(samples, votes, strict=True)}


def _asker(inference: Inference, texts: Sequence[TextPair]) -> Ask:
    return lambda places: inference.votes([texts[place] for place in places])


def _decisions(
    unit: PanelUnit,
    rows: Sequence[Mapping[str, Any]],
    reasons: Sequence[Reason | None],
    voted: Mapping[int, Case],
) -> pa.Table:
    """Return a row for each case: why it is dropped, or the votes and what follows from them."""
    numbers = range(len(unit.surrogates))
    cases = [voted.get(place) for place in range(len(rows))]
    transfers = [None if case is None or case.transfer is None else case.transfer for case in cases]
    return pa.table(
        {
            CASE_ROW: pa.array(range(len(rows)), pa.int64()),
            "sample_id": pa.array([row["sample_id"] for row in rows], pa.string()),
            "degree": pa.array([row["degree"] for row in rows], pa.float64()),
            "reason": pa.array([reason and reason.name for reason in reasons], pa.string()),
            "votes": pa.array(
                [None if case is None else [case.votes.get(number) for number in numbers] for case in cases],
                NUMBERS,
            ),
            "source_fooled": pa.array(
                [None if case is None else case.source_fooled for case in cases], pa.bool_()
            ),
            "transfer": pa.array(
                [None if transfer is None else round(float(transfer), 6) for transfer in transfers],
                pa.float64(),
            ),
            "is_transferable": pa.array(
                [case is not None and case.is_transferable(unit.min_fooled) for case in cases], pa.bool_()
            ),
        }
    )
