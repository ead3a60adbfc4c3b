"""Prints what a release contains as tables."""

import sys
from collections import Counter
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from contract.machine.terminal import new_console
from contract.schema.drop_reasons import Stage, stage_of
from contract.schema.manifest import FunnelInfo, Manifest
from contract.schema.names import CLEAN, TRAIN

# Wide enough for every column where no terminal sets a width.
WIDTH_IN_FILES = 170


def print_summary(manifest: Manifest) -> None:
    """Print tasks, surrogates and the funnel of every split to stdout."""
    console = new_console(width=None if sys.stdout.isatty() else WIDTH_IN_FILES)
    console.print(
        Text(manifest.name, style="bold"),
        f"version {manifest.version}, seed {manifest.seed}, labels {manifest.labels}",
    )
    console.print(_tasks(manifest))
    if manifest.surrogates:
        console.print(_surrogates(manifest))
    if manifest.funnel:
        console.print(_funnel(manifest))
    if any(row.attacks for row in manifest.funnel):
        console.print(_attacks(manifest))
    if manifest.queries:
        console.print(_queries(manifest))


def empty_table(title: str, texts: Sequence[str], numbers: Sequence[str]) -> Table:
    """Return a table with columns of texts and of numbers."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in texts:
        table.add_column(column, overflow="fold")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _tasks(manifest: Manifest) -> Table:
    table = empty_table(
        "Tasks", ["task", "labels", "source", "licence"], ["clean rows", "training rows", "overlap removed"]
    )
    rows = {(split.task, split.dimension): split.rows for split in manifest.splits}
    for task in manifest.tasks:
        removed = sum(overlap.n_removed for overlap in manifest.overlap if overlap.task == task.name)
        counts = [rows.get((task.name, part), 0) for part in (CLEAN, TRAIN)]
        table.add_row(
            task.name, ", ".join(task.labels), task.source, task.licence, *map(str, [*counts, removed])
        )
    return table


def _surrogates(manifest: Manifest) -> Table:
    table = empty_table(
        "Surrogates", ["task", "surrogate", "kind", "weights"], ["trained on", "clean accuracy"]
    )
    for info in manifest.surrogates:
        accuracy = "" if info.clean_accuracy is None else f"{info.clean_accuracy:.3f}"
        table.add_row(
            info.task, info.name, info.kind, info.weights_sha256[:12], str(info.n_train or ""), accuracy
        )
    return table


def _funnel(manifest: Manifest) -> Table:
    counts = ["degree", "realised", "samples", "carry", "candidates", "frozen", "of samples", "present"]
    table = empty_table("Funnel", ["task", "dimension", "setting"], counts)
    table.add_column("dropped")
    table.caption = (
        "carry: samples that can show the degree; present: the share of them that have a frozen case;\n"
        "realised: mean measured degree of the frozen cases"
    )
    realised = {
        (split.task, split.dimension, split.setting, split.degree): split.mean_realised_degree
        for split in manifest.splits
    }
    previous = None
    for row in manifest.funnel:
        cell = (row.task, row.dimension, row.setting)
        mean = realised.get((*cell, row.degree))
        if previous not in {None, cell}:
            table.add_section()
        table.add_row(
            *(cell if cell != previous else ("", "", "")),
            "" if row.degree is None else f"{row.degree:g}",
            "" if mean is None else f"{mean:.3f}",
            *map(str, [row.n_samples, row.n_carrying, row.n_candidates, row.n_frozen, row.n_samples_frozen]),
            f"{row.n_samples_frozen / row.n_carrying:.2f}" if row.n_carrying else "",
            ", ".join(f"{n} {reason}" for reason, n in sorted(row.n_dropped.items())),
        )
        previous = cell
    return table


def _attacks(manifest: Manifest) -> Table:
    """Return how often each source was fooled before any filter, and what the filters then left."""
    sources = list(dict.fromkeys(name for row in manifest.funnel for name in row.attacks))
    table = empty_table(
        "Attacks",
        ["task", "dimension", "setting"],
        ["degree", *(f"fools {name}" for name in sources), "after fidelity", "transferable"],
    )
    table.caption = (
        "fools: samples with a case that fools the source ÷ samples attacked, before any filter;\n"
        "after fidelity: cases left by the filters of fidelity ÷ different cases that they were shown;"
        " transferable: of those shown to surrogates, the ones that fool their source and the others"
    )
    for row in manifest.funnel:
        if row.attacks:
            n_dropped = _dropped_by_stage(row)
            n_failed = n_dropped["transferability"]
            n_passed = row.n_frozen + n_dropped["balance"]
            n_shown = row.n_candidates - n_dropped["search"]
            table.add_row(
                row.task,
                row.dimension,
                row.setting,
                "" if row.degree is None else f"{row.degree:g}",
                *(
                    "" if attack is None else _share(attack.n_fooled, attack.n_attacked)
                    for attack in map(row.attacks.get, sources)
                ),
                _share(n_shown - n_dropped["fidelity"], n_shown, digits=3),
                _share(n_passed, n_failed + n_passed),
            )
    return table


def _dropped_by_stage(row: FunnelInfo) -> Counter[Stage]:
    """Return how many candidates each stage dropped."""
    n_dropped: Counter[Stage] = Counter()
    for reason, n in row.n_dropped.items():
        n_dropped[stage_of(reason)] += n
    return n_dropped


def _queries(manifest: Manifest) -> Table:
    table = empty_table(
        "Questions to surrogates",
        ["task", "dimension", "setting", "surrogate"],
        ["searching", "screening", "frozen cases", "a case"],
    )
    table.caption = "a gradient counts as two questions: one pass forward, one back"
    frozen: Counter[tuple[str, str, str]] = Counter()
    for row in manifest.funnel:
        frozen[row.task, row.dimension, row.setting] += row.n_frozen
    for entry in manifest.queries:
        cell = (entry.task, entry.dimension, entry.setting)
        total = entry.n_search + entry.n_screening
        table.add_row(
            *cell,
            entry.surrogate,
            f"{entry.n_search:,}",
            f"{entry.n_screening:,}",
            str(frozen[cell]),
            f"{total / frozen[cell]:.1f}" if frozen[cell] else "",
        )
    return table


def _share(part: int, whole: int, digits: int = 2) -> str:
    return f"{part / whole:.{digits}f}" if whole else ""
