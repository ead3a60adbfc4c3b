"""Tables on filters and people: what each stage took away, and how far annotators agreed."""

import sys
from typing import Any

from rich.table import Table

from contract.machine.terminal import new_console
from contract.release.attack_summary import empty_table
from contract.release.filter_rates import FilterRates, filter_rates
from contract.schema.manifest import Manifest

WIDTH_IN_FILES = 140


def print_by_attack(manifest: Manifest) -> None:
    """Print the filter rates of every attack, and the agreement of annotators, to stdout."""
    console = new_console(width=None if sys.stdout.isatty() else WIDTH_IN_FILES)
    # A table a setting: with one more column they would not fit a terminal.
    tables: dict[tuple[str, str], list[FilterRates]] = {}
    for row in filter_rates(manifest):
        tables.setdefault((row.task, row.setting), []).append(row)
    for place, ((task, setting), rows) in enumerate(tables.items(), 1):
        console.print(_rates_table(f"{task}, {setting}", rows, is_last=place == len(tables)))
    if not manifest.funnel:
        console.print("no filter rates: the release was imported, and nobody has judged its cases yet")
    if manifest.annotation is None:
        console.print("no annotators: nobody has judged these cases (hardfrost annotate)")
    else:
        console.print(_agreement_table(manifest))


def by_attack(manifest: Manifest) -> dict[str, Any]:
    """Return the same figures for scripts."""
    rows = [
        {
            "task": row.task,
            "dimension": row.dimension,
            "setting": row.setting,
            "method": row.method,
            "n_in": row.n_in,
            "n_not_transferable": row.n_not_transferable,
            "n_fidelity": row.n_fidelity,
            "n_human_consensus": row.n_consensus,
            "n_utility": row.n_utility,
            "n_kept": row.n_kept,
            "curated_attack_success_rate": row.success_rate,
        }
        for row in filter_rates(manifest)
    ]
    annotation = manifest.annotation
    return {
        "filter_rates": rows,
        "annotation": None if annotation is None else annotation.model_dump(mode="json"),
    }


def _rates_table(name: str, rows: list[FilterRates], *, is_last: bool) -> Table:
    table = empty_table(
        f"Filter rates of {name}, %",
        ["attack"],
        ["cases", "tier", "fidelity", "consensus", "utility", "all", "ASR"],
    )
    if is_last:
        table.caption = (
            "of the different cases that searches made, the shares that each stage took away: not in the"
            " transferable tier, unfaithful, without consensus of people, with another meaning for them, and"
            " all of these; ASR, curated attack success rate: of the samples, those with a case that is left"
        )
    for row in rows:
        counts = (row.n_not_transferable, row.n_fidelity, row.n_consensus, row.n_utility, row.n_filtered)
        shares = [percent(row.share(n)) for n in counts]
        table.add_row(row.attack, f"{row.n_in:,}", *shares, percent(row.success_rate))
    return table


def _agreement_table(manifest: Manifest) -> Table:
    if manifest.annotation is None:
        raise ValueError("nobody has judged the cases")
    table = empty_table(
        "Annotators",
        ["task", "kind"],
        ["people", "unreliable", "cases", "accuracy %", "vote %", "Fleiss kappa"],
    )
    table.caption = (
        f"the votes of {manifest.annotation.counted} count; accuracy of labels on texts with known answers,"
        " mean of annotators and of their majority; kappa on the labels of cases; without unreliable ones"
    )
    for row in manifest.annotation.tasks:
        table.add_row(
            row.task,
            row.kind,
            *map(str, (row.n_annotators, row.n_unreliable, row.n_cases)),
            percent(row.accuracy),
            percent(row.accuracy_of_vote),
            "" if row.kappa is None else f"{row.kappa:.3f}",
        )
    return table


def percent(share: float | None) -> str:
    """Return a share in per cent, or nothing where there is none."""
    return "" if share is None else f"{100 * share:.1f}"
