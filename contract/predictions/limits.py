"""A part of a release: so many whole samples of each task, the same for everybody who asks for so many."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from contract.predictions.reading import ReleaseRows

_MARK = "?limit="
_NUMBER = re.compile(r"[1-9]\d{0,8}")


def limited_benchmark(benchmark: str, limit: int) -> str:
    """Return how a predictions file names a part of a release."""
    return f"{benchmark}{_MARK}{limit}"


def limit_in(value: str, benchmark: str) -> int | None:
    """Return how many samples a task a file's benchmark says; nothing where it is a whole or another one."""
    name, mark, number = value.partition(_MARK)
    return int(number) if mark and name == benchmark and _NUMBER.fullmatch(number) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class LimitedRows:
    """The rows of a part of a release, marked among all of its rows."""

    limit: int
    is_in: NDArray[np.bool_]
    # What is left out, as results write it; nothing where the part is the whole.
    left_out: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not self.left_out


def limited_rows(rows: "ReleaseRows", limit: int) -> LimitedRows:
    """Return the rows of so many samples of each task, labels in their shares, with all their cases."""
    release = rows.release
    columns = ("sample_id", "label")
    release.prepare(rows.splits, columns)
    tables = [release.table(split, columns) for split in rows.splits]
    samples: dict[str, dict[str, int]] = {task.name: {} for task in rows.tasks}
    # Clean rows stand first, so a sample has the label of its clean row if it has one.
    for split, table in zip(rows.splits, tables, strict=True):
        pairs = zip(table["sample_id"].to_pylist(), table["label"].to_pylist(), strict=True)
        for sample, label in pairs:
            samples[split.task].setdefault(sample, label)
    chosen = {
        task: _chosen(of_task, limit, f"{release.manifest_sha256}/{task}")
        for task, of_task in samples.items()
    }
    is_in = [
        np.array([sample in chosen[split.task] for sample in table["sample_id"].to_pylist()], np.bool_)
        for split, table in zip(rows.splits, tables, strict=True)
    ]
    return LimitedRows(
        limit=limit,
        is_in=np.concatenate(is_in),
        left_out=tuple(
            f"{task}: all but {len(chosen[task]):,} of {len(of_task):,} samples"
            for task, of_task in samples.items()
            if len(chosen[task]) < len(of_task)
        ),
    )


def _chosen(samples: Mapping[str, int], limit: int, key: str) -> frozenset[str]:
    """Return so many samples: of each label its share, in an order that nobody can choose."""
    by_label: dict[int, list[str]] = {}
    for sample, label in samples.items():
        by_label.setdefault(label, []).append(sample)
    quotas = _quotas({label: len(of_label) for label, of_label in by_label.items()}, limit)

    def place(sample: str) -> bytes:
        return hashlib.sha256(f"{key}/{sample}".encode()).digest()

    return frozenset(
        sample
        for label, of_label in by_label.items()
        for sample in sorted(of_label, key=place)[: quotas[label]]
    )


def _quotas(sizes: Mapping[int, int], limit: int) -> dict[int, int]:
    """Return how many samples of each label are taken: its share, but one where there is room for all."""
    total = sum(sizes.values())
    if limit >= total:
        return dict(sizes)
    shares = {label: limit * size / total for label, size in sizes.items()}
    least = 1 if limit >= len(sizes) else 0
    quotas = {label: max(least, int(share)) for label, share in shares.items()}
    # What rounding leaves goes to the largest remainders; what the least took comes from the largest quotas.
    while sum(quotas.values()) < limit:
        quotas[_first(shares, lambda label: shares[label] - quotas[label])] += 1
    while sum(quotas.values()) > limit:
        quotas[_first(shares, lambda label: quotas[label])] -= 1
    return quotas


def _first(labels: Iterable[int], value: Callable[[int], float]) -> int:
    """Return the label of the highest value; of equal ones the lowest label."""
    return max(sorted(labels), key=value)
