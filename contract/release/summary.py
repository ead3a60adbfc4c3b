"""Prints what a release contains as tables."""

import sys
from collections import Counter
from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from contract.machine.terminal import new_console
from contract.release.attack_summary import attempts_tables, empty_table, share, sources_table
from contract.release.case_counts import cases_of_samples
from contract.schema.drop_reasons import stage_of
from contract.schema.manifest import CLASSIFICATION, FunnelInfo, Manifest, TaskInfo
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
        for table in _cases_of_samples(manifest):
            console.print(table)
        console.print(_dropped(manifest))
        console.print(refused_table(manifest))
    for table in attempts_tables(manifest):
        console.print(table)
    if any(row.attacks for row in manifest.funnel):
        console.print(sources_table(manifest))
    if manifest.queries:
        console.print(_queries(manifest))


def _tasks(manifest: Manifest) -> Table:
    table = empty_table("Tasks", ["task", "labels", "read from", "licence"], ["clean", "training", "overlap"])
    table.caption = "clean and training rows; overlap: rows kept out of training since a sample equals them"
    rows = {(split.task, split.dimension): split.rows for split in manifest.splits}
    for task in manifest.tasks:
        removed = sum(overlap.n_removed for overlap in manifest.overlap if overlap.task == task.name)
        counts = [rows.get((task.name, part), 0) for part in (CLEAN, TRAIN)]
        table.add_row(task.name, _labels(task), task.source, task.licence, *map(str, [*counts, removed]))
    return table


def _labels(task: TaskInfo) -> str:
    """Return a task's labels, and its kind where it is not the usual one."""
    names = ", ".join(task.labels)
    return names if task.kind == CLASSIFICATION else f"{task.kind}: {names}"


def _surrogates(manifest: Manifest) -> Table:
    table = empty_table(
        "Surrogates", ["task", "surrogate", "family", "role", "weights"], ["rows", "accuracy"]
    )
    for info in manifest.surrogates:
        accuracy = "" if info.clean_accuracy is None else f"{info.clean_accuracy:.3f}"
        table.add_row(
            info.task,
            info.name,
            info.family,
            "attacked" if info.is_source else "votes",
            info.weights_sha256[:12],
            str(info.n_train or ""),
            accuracy,
        )
    return table


def _funnel(manifest: Manifest) -> Table:
    counts = ["degree", "realised", "carry", "candidates", "frozen", "present"]
    texts = ["dimension", "setting"] if len(manifest.tasks) == 1 else ["task", "dimension", "setting"]
    table = empty_table("Funnel", texts, counts)
    table.caption = (
        "carry: samples that can show the degree; present: the share of them that have a frozen case; "
        "realised: mean measured degree of the frozen cases"
    )
    previous = None
    for row in manifest.funnel:
        cell = (row.task, row.dimension, row.setting)
        mean = _mean_realised(manifest, row)
        if previous not in {None, cell}:
            table.add_section()
        table.add_row(
            *(cell if cell != previous else ("", "", ""))[-len(texts) :],
            "" if row.degree is None else f"{row.degree:g}",
            "" if mean is None else f"{mean:.3f}",
            *map(str, [row.n_carrying, row.n_candidates, row.n_frozen]),
            share(row.n_samples_frozen, row.n_carrying, digits=2),
        )
        previous = cell
    return table


def _cases_of_samples(manifest: Manifest) -> Iterator[Table]:
    """Yield how many different cases a sample has, where many are wanted."""
    rows = list(cases_of_samples(manifest))
    if not rows:
        return
    degrees = sorted({degree for row in rows for degree in row.by_degree})
    names = [f"{degree:g}" for degree in degrees]
    table = empty_table("Cases of a sample", ["task", "dimension", "setting"], ["wanted", *names])
    table.caption = (
        "by degree, in the mean of the samples that have any; some texts have no more different ones"
    )
    for row in rows:
        means = [f"{row.by_degree[degree]:.1f}" if degree in row.by_degree else "" for degree in degrees]
        table.add_row(row.task, row.dimension, row.setting, str(row.n_wanted), *means)
    yield table


def _mean_realised(manifest: Manifest, row: FunnelInfo) -> float | None:
    """Return the mean realised degree of a split, both files of it."""
    cell = (row.task, row.dimension, row.setting, row.degree)
    files = [
        (split.rows, split.mean_realised_degree)
        for split in manifest.splits
        if (split.task, split.dimension, split.setting, split.degree) == cell
    ]
    known = [(n, mean) for n, mean in files if n and mean is not None]
    n_rows = sum(n for n, _ in known)
    return sum(n * mean for n, mean in known) / n_rows if n_rows else None


def _dropped(manifest: Manifest) -> Table:
    """Return the reasons for which candidates were dropped, all degrees together."""
    table = empty_table("Dropped candidates", ["task", "dimension", "setting", "reasons"], [])
    totals: dict[tuple[str, str, str], Counter[str]] = {}
    for row in manifest.funnel:
        totals.setdefault((row.task, row.dimension, row.setting), Counter()).update(row.n_dropped)
    for cell, total in totals.items():
        if total:
            reasons = sorted(total.items(), key=lambda pair: (-pair[1], pair[0]))
            table.add_row(*cell, ", ".join(f"{n:,} {reason}" for reason, n in reasons))
    return table


def refused_table(manifest: Manifest) -> Table:
    """Return what dimensions refuse before any search, and what filters of fidelity drop after it."""
    table = empty_table(
        "Fidelity", ["task", "dimension", "setting"], ["thought of", "refused", "filtered", "reasons"]
    )
    table.caption = (
        "thought of: changes of words that the dimension considered; refused: the share that it did not "
        "propose; filtered: of the candidates that searches made, the share that filters of fidelity "
        "dropped; empty where a dimension does not count"
    )
    cells: dict[tuple[str, str, str], list[FunnelInfo]] = {}
    for row in manifest.funnel:
        cells.setdefault((row.task, row.dimension, row.setting), []).append(row)
    for cell, rows in cells.items():
        # The operations are the same at every degree.
        n_proposed, n_refused = rows[0].n_proposed, Counter(rows[0].n_refused)
        filtered = Counter[str]()
        n_made = 0
        for row in rows:
            filtered.update({name: n for name, n in row.n_dropped.items() if stage_of(name) == "fidelity"})
            n_made += row.n_candidates - sum(
                n for name, n in row.n_dropped.items() if stage_of(name) == "search"
            )
        reasons = sorted((n_refused + filtered).items(), key=lambda pair: (-pair[1], pair[0]))
        if n_proposed or filtered:
            table.add_row(
                *cell,
                f"{n_proposed:,}" if n_proposed else "",
                share(n_refused.total(), n_proposed),
                share(filtered.total(), n_made),
                ", ".join(f"{n:,} {reason}" for reason, n in reasons),
            )
    return table


def _queries(manifest: Manifest) -> Table:
    table = empty_table(
        "Questions to surrogates",
        ["task", "dimension", "setting", "surrogate"],
        ["searched", "votes", "unasked", "a case"],
    )
    table.caption = (
        "a gradient counts as two questions: one pass forward, one back; unasked: frozen attempts "
        "without a vote, since it could not have brought them into the tier; a case: questions for one"
    )
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
            f"{entry.n_not_asked:,}",
            f"{total / frozen[cell]:.1f}" if frozen[cell] else "",
        )
    return table
