"""Prints what `collect` found: annotators, agreement by task, and verdicts."""

import sys
from collections import Counter

from rich.table import Table

from builder.curation.outcome import Outcome, Verdict
from contract.machine.terminal import new_console
from contract.release.attack_summary import empty_table

WIDTH_IN_FILES = 120


def print_outcome(outcome: Outcome) -> None:
    """Print the tables of an outcome to stdout."""
    console = new_console(width=None if sys.stdout.isatty() else WIDTH_IN_FILES)
    console.print(_annotators(outcome))
    console.print(agreement_table(outcome))
    console.print(_verdicts(outcome))


def _annotators(outcome: Outcome) -> Table:
    table = empty_table(
        "Annotators", ["annotator", "kind", "not relied on"], ["answers", "qualified", "known", "kappa"]
    )
    table.caption = (
        "qualified: right answers before the work; known: right answers to texts whose answers are known; "
        "kappa: with the majority of the others, beyond chance"
    )
    for one in outcome.annotators:
        table.add_row(
            one.name,
            one.kind,
            "; ".join(one.unreliable),
            f"{one.n_answers} of {one.n_asked}",
            _figure(one.qualification),
            _figure(one.accuracy),
            _figure(one.kappa),
        )
    return table


def agreement_table(outcome: Outcome) -> Table:
    """Return accuracy and agreement by task, as AdvGLUE's Table 11 gives them."""
    table = empty_table(
        "Agreement",
        ["task", "kind"],
        ["all", "unreliable", "cases", "accuracy", "vote", "kappa", "pairs"],
    )
    table.caption = (
        "all annotators and the unreliable ones, who are left out of the rest; accuracy of labels on texts"
        " with known answers, mean of annotators and of their majority (vote); Fleiss' kappa and the share of"
        " pairs that agree, on the labels of cases"
    )
    for row in outcome.agreement:
        table.add_row(
            row.task,
            row.kind,
            *map(str, (row.n_annotators, row.n_unreliable, row.n_cases)),
            *map(_figure, (row.accuracy, row.accuracy_of_vote, row.kappa, row.pairwise)),
        )
    return table


def _verdicts(outcome: Outcome) -> Table:
    table = empty_table(
        f"Verdicts, by the votes of {outcome.counted}",
        ["task"],
        ["cases", "valid", "human-consensus", "utility", "undecided"],
    )
    counts = Counter((case.task, case.verdict) for case in outcome.cases)
    verdicts: tuple[Verdict, ...] = ("valid", "human-consensus", "utility", "undecided")
    for task in dict.fromkeys(case.task for case in outcome.cases):
        numbers = [counts[task, verdict] for verdict in verdicts]
        table.add_row(task, *map(str, [sum(numbers), *numbers]))
    table.caption = "undecided: too few votes count; such cases stay, and their `annotation.valid` is empty"
    return table


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
