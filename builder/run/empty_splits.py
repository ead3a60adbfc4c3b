"""Says where a build has frozen nothing, and why."""

from collections import Counter
from collections.abc import Iterator

from contract.schema.manifest import FunnelInfo, Manifest


def empty_splits(manifest: Manifest) -> list[str]:
    """Return one line for each dimension and setting with degrees at which no case is frozen."""
    empty: dict[tuple[str, str, str], list[FunnelInfo]] = {}
    for row in manifest.funnel:
        if not row.n_frozen:
            empty.setdefault((row.task, row.dimension, row.setting), []).append(row)
    return [_line(cell, rows) for cell, rows in empty.items()]


def empty_settings(manifest: Manifest) -> list[str]:
    """Return the settings of tasks in which no case at all is frozen."""
    n_frozen: Counter[tuple[str, str]] = Counter()
    for row in manifest.funnel:
        n_frozen[row.task, row.setting] += row.n_frozen
    return [f"{task}, {setting}" for (task, setting), n in n_frozen.items() if not n]


def _line(cell: tuple[str, str, str], rows: list[FunnelInfo]) -> str:
    degrees = ", ".join("any" if row.degree is None else f"{row.degree:g}" for row in rows)
    return f"nothing frozen: {', '.join(cell)}, degree {degrees} ({'; '.join(dict.fromkeys(_why(rows)))})"


def _why(rows: list[FunnelInfo]) -> Iterator[str]:
    """Yield the biggest reason at each degree."""
    for row in rows:
        if not row.n_carrying:
            yield "no sample carries the degree"
        elif row.n_dropped:
            reason, n = max(sorted(row.n_dropped.items()), key=lambda pair: pair[1])
            yield f"{n} of {row.n_candidates} candidates dropped as {reason}"
        else:
            yield f"{row.n_carrying} samples carry the degree, and none gave a candidate"
