"""Samples: the original examples of a task, and how benchmark samples are kept apart from training rows."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contract.schema.manifest import OverlapInfo, TextField
from contract.schema.names import sample_id

# All but letters and digits.
_OTHERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One original example."""

    id: str
    text: str
    text_pair: str | None
    label: int

    def field(self, name: TextField) -> str:
        """Return one of the sample's texts."""
        return self.text if name == "text" else self.text_pair or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRow:
    """One labelled row of a data source, with its number there."""

    row: int
    text: str
    text_pair: str | None
    label: int
    # Of rows with many labels, in the place of `label`.
    codes: tuple[int | None, ...] | None = None

    def to_sample(self, task: str) -> Sample:
        """Return the row as a sample of a task."""
        return Sample(
            id=sample_id(task, self.row), text=self.text, text_pair=self.text_pair, label=self.label
        )


def letters_and_digits(text: str, text_pair: str | None = None) -> str:
    """Return the letters and digits of a text: texts that agree in these count as the same."""
    joined = text if text_pair is None else f"{text} {text_pair}"
    return _OTHERS.sub("", joined.casefold())


def in_hash_order(rows: Iterable[DataRow], seed: int) -> list[DataRow]:
    """Return the rows in an order that depends on texts and seed, not on their order in the data."""

    def key(row: DataRow) -> bytes:
        text = letters_and_digits(row.text, row.text_pair)
        return hashlib.sha256(f"{seed}:{text}".encode()).digest()

    return sorted(rows, key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The rows drawn for the benchmark, no two of them equal, and all the others."""

    samples: list[DataRow]
    others: list[DataRow]


def draw_samples(rows: Sequence[DataRow], n: int) -> Drawn:
    """Return the first n different texts that have a word, and every row that is left."""
    samples: list[DataRow] = []
    others: list[DataRow] = []
    seen: set[str] = set()
    for row in rows:
        key = letters_and_digits(row.text, row.text_pair)
        if len(samples) < n and key and key not in seen:
            seen.add(key)
            samples.append(row)
        else:
            others.append(row)
    return Drawn(samples=samples, others=others)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutOverlap:
    """The training rows that stay, and what was removed."""

    rows: list[DataRow]
    overlap: OverlapInfo


def remove_overlap(
    rows: Sequence[DataRow], benchmark_keys: set[str], *, task: str, source: str
) -> WithoutOverlap:
    """Drop every training row that equals, on letters and digits, a benchmark sample of any task."""
    kept = [row for row in rows if letters_and_digits(row.text, row.text_pair) not in benchmark_keys]
    overlap = OverlapInfo(task=task, training_source=source, n_removed=len(rows) - len(kept))
    return WithoutOverlap(rows=kept, overlap=overlap)
