"""What a release contains, as tables for people."""

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from contract.manifest import Manifest
from contract.names import CLEAN, TRAIN

# Wide enough for every column where nobody's terminal sets a width.
WIDTH_IN_FILES = 170


def print_summary(manifest: Manifest) -> None:
    """Print tasks, surrogates and the funnel of every split to stdout."""
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH_IN_FILES)
    console.print(
        f"[bold]{manifest.name}[/] version {manifest.version}, seed {manifest.seed}, labels {manifest.labels}"
    )
    console.print(_tasks(manifest))
    if manifest.surrogates:
        console.print(_surrogates(manifest))
    if manifest.funnel:
        console.print(_funnel(manifest))


def _table(title: str, texts: Sequence[str], numbers: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in texts:
        table.add_column(column, overflow="fold")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _tasks(manifest: Manifest) -> Table:
    table = _table(
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
    table = _table("Surrogates", ["task", "surrogate", "kind", "weights"], ["trained on", "clean accuracy"])
    for info in manifest.surrogates:
        accuracy = "" if info.clean_accuracy is None else f"{info.clean_accuracy:.3f}"
        table.add_row(
            info.task, info.name, info.kind, info.weights_sha256[:12], str(info.n_train or ""), accuracy
        )
    return table


def _funnel(manifest: Manifest) -> Table:
    counts = ["degree", "realised", "samples", "carry", "candidates", "frozen", "of samples", "present"]
    table = _table("Funnel", ["task", "dimension", "setting"], counts)
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
        place = (row.task, row.dimension, row.setting)
        mean = realised.get((*place, row.degree))
        if previous not in {None, place}:
            table.add_section()
        table.add_row(
            *(place if place != previous else ("", "", "")),
            "" if row.degree is None else f"{row.degree:g}",
            "" if mean is None else f"{mean:.3f}",
            *map(str, [row.n_samples, row.n_carrying, row.n_candidates, row.n_frozen, row.n_samples_frozen]),
            f"{row.n_samples_frozen / row.n_carrying:.2f}" if row.n_carrying else "",
            ", ".join(f"{n} {reason}" for reason, n in sorted(row.n_dropped.items())),
        )
        previous = place
    return table
