"""Asks the panel about attacked cases, and decides which of them transfer to the other surrogates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from builder.panel.transferability import Ask, Case, Panel, decide
from builder.surrogates.loading import surrogate_of
from builder.units.store import CASE_ROW
from builder.units.units import PanelUnit
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.inference import Inference

# The columns of a case that the panel needs.
CASE_COLUMNS = ("sample_id", "degree", "case", "label", "source", "text", "text_pair")
NUMBERS = pa.list_(pa.int32())


@dataclass(frozen=True, kw_only=True)
class PanelDecisions:
    """A decision for each case, and how many texts each surrogate was asked."""

    table: pa.Table
    n_queries: dict[str, int]


def ask_panel(unit: PanelUnit, cases: pa.Table, cache_path: Path) -> PanelDecisions:
    """Ask the sources, then the cheap surrogates, then the expensive ones, and decide on every case."""
    inferences = [surrogate_of(cache_path, surrogate.sha256) for surrogate in unit.surrogates]
    is_right = [_is_right(inference, unit) for inference in inferences]
    # A surrogate that is right more often is harder to fool, and so drops more.
    order = sorted(range(len(inferences)), key=lambda n: (inferences[n].cost, -sum(is_right[n].values()), n))
    rows = cases.to_pylist()
    candidates = [_case(unit, row) for row in rows]
    for candidate, row in zip(candidates, rows, strict=True):
        others = [number for number in order if number != candidate.source]
        candidate.eligible = [number for number in others if is_right[number][row["sample_id"]]]
    texts = [candidate.text for candidate in candidates]
    panel = Panel(
        ask={number: _asker(inference, texts) for number, inference in enumerate(inferences)},
        order=order,
        expensive=unit.expensive_numbers,
        min_fooled=unit.min_fooled,
        n_wanted=unit.n_wanted,
    )
    decide(panel, candidates)
    n_queries = {
        surrogate.name: len({(case.group, case.text) for case in candidates if number in case.votes})
        for number, surrogate in enumerate(unit.surrogates)
    }
    return PanelDecisions(table=_decisions(unit, rows, candidates), n_queries=n_queries)


def _is_right(inference: Inference, unit: PanelUnit) -> dict[str, bool]:
    """Return for each sample whether the surrogate gives its original the right label."""
    samples = unit.first.samples
    votes = inference.votes([(sample.text, sample.text_pair) for sample in samples])
    return {sample.id: vote == sample.label for sample, vote in zip(samples, votes, strict=True)}


def _case(unit: PanelUnit, row: Mapping[str, Any]) -> Case:
    """Return a case as the panel takes it; the sources take turns."""
    return Case(
        label=row["label"],
        source=[surrogate.name for surrogate in unit.surrogates].index(row["source"]),
        group=(row["sample_id"], row["degree"]),
        turn=(row["case"] % unit.n_wanted, row["case"]),
        text=(row["text"], row["text_pair"]),
    )


def _asker(inference: Inference, texts: Sequence[TextPair]) -> Ask:
    return lambda places: inference.votes([texts[place] for place in places])


def _decisions(unit: PanelUnit, rows: Sequence[Mapping[str, Any]], cases: Sequence[Case]) -> pa.Table:
    """Return a row for each case: which it is, why it is dropped, the votes, the share that is fooled."""
    numbers = range(len(unit.surrogates))
    transfers = [round(float(case.best_transfer), 6) if case.reason is None else None for case in cases]
    return pa.table(
        {
            CASE_ROW: pa.array(range(len(rows)), pa.int64()),
            "sample_id": pa.array([row["sample_id"] for row in rows], pa.string()),
            "degree": pa.array([row["degree"] for row in rows], pa.float64()),
            "reason": pa.array([case.reason and case.reason.name for case in cases], pa.string()),
            "votes": pa.array([[case.votes.get(number) for number in numbers] for case in cases], NUMBERS),
            "transfer": pa.array(transfers, pa.float64()),
        }
    )
