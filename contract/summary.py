"""What a release contains, as tables for people."""

from rich.console import Console
from rich.table import Table

from contract.manifest import FunnelInfo, Manifest
from contract.names import CLEAN, TRAIN


def print_summary(manifest: Manifest) -> None:
    """Print tasks, surrogates and the funnel of every split to stdout."""
    console = Console()
    console.print(
        f"[bold]{manifest.name}[/] version {manifest.version}, seed {manifest.seed}, labels {manifest.labels}"
    )
    console.print(_tasks(manifest))
    if manifest.surrogates:
        console.print(_surrogates(manifest))
    if manifest.funnel:
        console.print(_funnel(manifest))


def _tasks(manifest: Manifest) -> Table:
    table = Table(title="Tasks", title_justify="left")
    for column in ("task", "labels", "source", "licence"):
        table.add_column(column, overflow="fold")
    for column in ("clean", "train", "overlap removed"):
        table.add_column(column, justify="right")
    rows = {(split.task, split.dimension): split.rows for split in manifest.splits}
    for task in manifest.tasks:
        removed = sum(overlap.n_removed for overlap in manifest.overlap if overlap.task == task.name)
        counts = [rows.get((task.name, part), 0) for part in (CLEAN, TRAIN)]
        table.add_row(
            task.name, ", ".join(task.labels), task.source, task.licence, *map(str, [*counts, removed])
        )
    return table


def _surrogates(manifest: Manifest) -> Table:
    table = Table(title="Surrogates", title_justify="left")
    for column in ("task", "surrogate", "kind", "weights"):
        table.add_column(column)
    for column in ("trained on", "clean accuracy"):
        table.add_column(column, justify="right")
    for info in manifest.surrogates:
        accuracy = "" if info.clean_accuracy is None else f"{info.clean_accuracy:.3f}"
        table.add_row(
            info.task, info.name, info.kind, info.weights_sha256[:12], str(info.n_train or ""), accuracy
        )
    return table


def _funnel(manifest: Manifest) -> Table:
    table = Table(title="Funnel", title_justify="left", caption="carry: samples that can show the degree")
    for column in ("task", "dimension", "setting"):
        table.add_column(column)
    for column in ("degree", "realised", "samples", "carry", "candidates", "dropped", "frozen", "of samples"):
        table.add_column(column, justify="right")
    realised = {
        (split.task, split.dimension, split.setting, split.degree): split.mean_realised_degree
        for split in manifest.splits
    }
    for row in manifest.funnel:
        mean = realised.get((row.task, row.dimension, row.setting, row.degree))
        table.add_row(
            row.task,
            row.dimension,
            row.setting,
            "" if row.degree is None else f"{row.degree:g}",
            "" if mean is None else f"{mean:.3f}",
            str(row.n_samples),
            str(row.n_carrying),
            str(row.n_candidates),
            _dropped(row),
            str(row.n_frozen),
            str(row.n_samples_frozen),
        )
    return table


def _dropped(row: FunnelInfo) -> str:
    return ", ".join(f"{n} {reason}" for reason, n in sorted(row.n_dropped.items())) or "0"
