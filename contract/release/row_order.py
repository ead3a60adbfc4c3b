"""The rows of a split's file in the order of their ids, in which they are hashed, a few at a time."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray


def rows_by_id(file: pq.ParquetFile, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield all rows in the order of their ids, about a row group at a time.

    A file is nearly in this order: the tenth case of a sample comes before its second. Only rows that stand
    among each other are sorted together, and a file in any other order is read whole.
    """
    order = pc.sort_indices(file.read(columns=["id"], use_threads=False)["id"]).to_numpy().astype(np.int64)
    ends = _ends(order)
    read: list[pa.Table] = []
    start = n_read = 0
    for number in range(file.num_row_groups):
        read.append(file.read_row_group(number, list(columns), use_threads=False).select(list(columns)))
        n_read += read[-1].num_rows
        n_ended = int(np.searchsorted(ends, n_read, side="right"))
        stop = int(ends[n_ended - 1]) if n_ended else 0
        if stop > start:
            table = pa.concat_tables(read)
            yield _in_order(table.slice(0, stop - start), order[start:stop] - start)
            read, start = [table.slice(stop - start)], stop


def _ends(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return after how many rows all rows so far come before all others."""
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return np.flatnonzero(np.maximum.accumulate(places) == np.arange(len(order))) + 1


def _in_order(table: pa.Table, order: NDArray[np.int64]) -> pa.Table:
    is_sorted = bool((order == np.arange(len(order))).all())
    return table if is_sorted else table.take(pa.array(order)).combine_chunks()
