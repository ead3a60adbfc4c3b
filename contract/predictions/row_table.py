"""Reads the rows of splits into one table, with ids in one piece and other columns set aside."""

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from contract.machine.errors import bad_input
from contract.predictions.id_index import JoinedTexts
from contract.release.release import Release
from contract.schema.manifest import SplitInfo


class Aside(Protocol):
    """Takes further columns of each file while its rows are read, so that no file is opened twice."""

    def columns(self, split: SplitInfo) -> Sequence[str]:
        """Return the columns of a file that are taken."""

    def take(self, split: SplitInfo, table: pa.Table) -> None:
        """Take the columns of a file; files come in the order of the rows."""


def table_of(
    release: Release,
    splits: Sequence[SplitInfo],
    columns: Sequence[str],
    aside: Aside | None,
    repeated: Sequence[str],
) -> pa.Table:
    """Return the rows of some splits, with their ids in one piece: files are matched against them."""
    ids = JoinedTexts()
    parts: dict[str, list[pa.Array]] = {name: [] for name in columns}
    others = {name for split in splits for name in (aside.columns(split) if aside else ())}
    release.prepare(splits, [*columns, *sorted(others)])
    for split in splits:
        beside = () if aside is None else aside.columns(split)
        table = release.table(split, [*columns, *beside], repeated)
        if table.num_rows != split.rows:
            raise bad_input(
                f"{release.path / split.path}: {table.num_rows:,} rows, the manifest says {split.rows:,};"
                " run `hardfrost verify`"
            )
        for name in columns:
            if name == "id":
                ids.add(table[name])
            else:
                parts[name] += table[name].chunks
        if aside is not None:
            aside.take(split, table.select(beside))
    return pa.table(
        {name: ids.column() if name == "id" else pa.chunked_array(parts[name]) for name in columns}
    )
