"""What one word suffices for: of the attacks of a release, those that changed a single word."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.table import Table

from contract.machine.errors import UserError
from contract.machine.terminal import new_console
from contract.release.attack_summary import empty_table, share
from contract.release.release import Release
from contract.schema.edits import touched_words, words_of
from contract.schema.records import Record, records_of

WIDTH_IN_FILES = 120


@dataclass(kw_only=True)
class SingleWordCounts:
    """The attempts of one attack: a task, a dimension and a setting, against one source."""

    # Samples with an attempt, with one that fools, and with one that fools by a single changed word.
    attacked: set[str] = field(default_factory=set)
    fooled: set[str] = field(default_factory=set)
    fooled_by_one: set[str] = field(default_factory=set)
    # Attempts that fool, and those of them that changed a single word.
    n_fooling: int = 0
    n_fooling_by_one: int = 0

    def add(self, record: Record) -> None:
        """Count an attempt."""
        self.attacked.add(record.sample_id)
        if not record.source_fooled:
            return
        self.fooled.add(record.sample_id)
        self.n_fooling += 1
        if n_changed_words(record) == 1:
            self.fooled_by_one.add(record.sample_id)
            self.n_fooling_by_one += 1

    @property
    def success_rate(self) -> float:
        """ASR: the share of attacked samples of which an attempt fools the source."""
        return len(self.fooled) / len(self.attacked)

    @property
    def success_rate_of_one(self) -> float:
        """ASR1: the same for attempts that changed a single word."""
        return len(self.fooled_by_one) / len(self.attacked)

    @property
    def share_of_one(self) -> float | None:
        """SP: of the attempts that fool, the share that changed a single word; None where none fools."""
        return self.n_fooling_by_one / self.n_fooling if self.n_fooling else None


# By task, dimension, setting and source.
Attacks = dict[tuple[str, str, str, str], SingleWordCounts]


def n_changed_words(record: Record) -> int:
    """Return how many words of the original the edits of a case touch."""
    return len(touched_words(words_of(record.unperturbed_text), [edit for _, edit in record.edits]))


def single_word_counts(records: Iterable[Record]) -> Attacks:
    """Return the counts of every attack; a source's attempts at all degrees count together."""
    attacks: Attacks = {}
    for record in records:
        if record.source_fooled is not None and record.source is not None and record.setting is not None:
            key = (record.task, record.dimension, record.setting, record.source)
            attacks.setdefault(key, SingleWordCounts()).add(record)
    return attacks


def attempts_of(release: Release) -> Iterator[Record]:
    """Yield the attempts of all attacked splits."""
    for split in release.splits():
        if split.rows and split.setting is not None:
            yield from records_of(release.table(split))


def show_single_words(release: Release, *, as_json: bool) -> list[dict[str, Any]]:
    """Print the table of a release's attacks, or return it as rows for JSON."""
    if release.manifest.labels == "withheld":
        raise UserError(
            f"{release.manifest.name}: its edits are withheld, so nobody can count changed words; ask whoever"
            " built it, or wait until the labels are revealed"
        )
    attacks = single_word_counts(attempts_of(release))
    if not attacks:
        raise UserError(f"{release.manifest.name}: no split of it was made by an attack on a source")
    if not as_json:
        new_console(width=None if sys.stdout.isatty() else WIDTH_IN_FILES).print(single_word_table(attacks))
    return [
        {
            **dict(zip(("task", "dimension", "setting", "source"), key, strict=True)),
            "n_attacked": len(counts.attacked),
            "success_rate": counts.success_rate,
            "success_rate_of_one_word": counts.success_rate_of_one,
            "share_of_one_word": counts.share_of_one,
        }
        for key, counts in attacks.items()
    ]


def single_word_table(attacks: Attacks) -> Table:
    """Return one line an attack."""
    table = empty_table(
        "Attacks and single words",
        ["task", "dimension", "setting", "source"],
        ["samples", "ASR", "ASR1", "one word"],
    )
    table.caption = (
        "samples that the source has right and that have an attempt; ASR: the share of which some attempt, at"
        " whatever degree, fools the source; ASR1: the share of which one does that changed a single word;"
        " one word: of the attempts that fool, the share that changed a single word"
    )
    for key, counts in attacks.items():
        n = len(counts.attacked)
        table.add_row(
            *key,
            f"{n:,}",
            share(len(counts.fooled), n),
            share(len(counts.fooled_by_one), n),
            share(counts.n_fooling_by_one, counts.n_fooling),
        )
    return table
