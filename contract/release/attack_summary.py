"""Tables on what attacks gave: how many attempts were made, fool their source, and transfer."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from contract.schema.drop_reasons import Stage, stage_of
from contract.schema.manifest import FunnelInfo, Manifest

# Columns of names that a reader may want to copy.
NAMES = frozenset(
    {"task", "attack", "dimension", "setting", "source", "surrogate", "family", "role", "weights"}
)


def empty_table(title: str, texts: Sequence[str], numbers: Sequence[str]) -> Table:
    """Return a table with columns of texts and of numbers; names are never broken, other texts are."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.caption_justify = "left"
    for column in texts:
        table.add_column(column, overflow="fold", no_wrap=column in NAMES)
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def attempts_tables(manifest: Manifest) -> Iterator[Table]:
    """Yield for each task the rates of its attacks by dimension and setting, as AdvGLUE gives them."""
    for task in manifest.tasks:
        rows = [row for row in manifest.funnel if row.task == task.name and row.attacks]
        if rows:
            yield _attempts(task.name, rows)


def _attempts(task: str, rows: Sequence[FunnelInfo]) -> Table:
    table = empty_table(
        f"Attempts on {task}",
        ["dimension", "setting"],
        ["faithful", "attempts", "samples", "fool source", "transferable"],
    )
    table.caption = (
        "faithful: of the different candidates of searches, the share that filters of fidelity keep; "
        "attempts: frozen cases at all degrees; samples: of those that carry the degree, the share "
        "with an attempt; of the attempts, the shares that fool their source, and that also fool "
        "enough of the other families (the tier `transferable`)"
    )
    cells: dict[tuple[str, str], list[FunnelInfo]] = {}
    for row in rows:
        cells.setdefault((row.dimension, row.setting), []).append(row)
    for (dimension, setting), of_cell in cells.items():
        n_attempts = sum(row.n_frozen for row in of_cell)
        n_shown = sum(row.n_candidates - _n_dropped(row)["search"] for row in of_cell)
        n_unfaithful = sum(_n_dropped(row)["fidelity"] for row in of_cell)
        table.add_row(
            dimension,
            setting,
            share(n_shown - n_unfaithful, n_shown),
            f"{n_attempts:,}",
            share(sum(row.n_samples_frozen for row in of_cell), sum(row.n_carrying for row in of_cell)),
            share(sum(row.n_source_fooled for row in of_cell), n_attempts),
            share(sum(row.n_transferable for row in of_cell), n_attempts),
        )
    return table


def sources_table(manifest: Manifest) -> Table:
    """Return for each source how many samples it gave, and how the attacks on it ended."""
    table = empty_table(
        "Sources",
        ["task", "setting", "source"],
        ["attackable", "attacked", "fooled", "weaker", "attempts"],
    )
    table.caption = (
        "samples at all dimensions and degrees: attackable ones carry the degree and are right; of them "
        "the share that has an attempt (attacked); of these the share of which one fools the source, and "
        "the share left out because one at a lower degree hurts it more; attempts: frozen cases"
    )
    totals: dict[tuple[str, str, str], Counter[str]] = {}
    for row in manifest.funnel:
        for source, attack in row.attacks.items():
            totals.setdefault((row.task, row.setting, source), Counter()).update(attack.model_dump())
    for key, total in sorted(totals.items(), key=lambda pair: pair[0][:2]):
        table.add_row(
            *key,
            f"{total['n_attackable']:,}",
            share(total["n_attacked"], total["n_attackable"]),
            share(total["n_fooled"], total["n_attacked"]),
            share(total["n_weaker"], total["n_attacked"]),
            f"{total['n_frozen']:,}",
        )
    return table


def share(part: int, whole: int, digits: int = 3) -> str:
    """Return a share, or nothing where there is none."""
    return f"{part / whole:.{digits}f}" if whole else ""


def _n_dropped(row: FunnelInfo) -> Counter[Stage]:
    """Return how many candidates each stage dropped."""
    n_dropped: Counter[Stage] = Counter()
    for reason, n in row.n_dropped.items():
        n_dropped[stage_of(reason)] += n
    return n_dropped
