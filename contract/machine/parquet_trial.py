"""Reads Parquet files to see whether they can be read; runs in a process with limits, and keeps nothing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def answer(question: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield for each file what is wrong with it; nothing is said of a good one."""
    for path, columns, most_bytes in question["files"]:
        yield _fault_of(path, columns, most_bytes).encode()


def _fault_of(path: str, columns: Sequence[str] | None, most_bytes: int) -> str:
    """Read the columns of a file, or all, as the program will, down to the UTF-8 of every text."""
    try:
        file = pq.ParquetFile(path)
        names = None if columns is None else [name for name in columns if name in file.schema_arrow.names]
        n_bytes = 0
        for group in range(file.metadata.num_row_groups):
            rows = file.read_row_group(group, columns=names, use_threads=False)
            rows.validate(full=True)
            n_bytes += rows.nbytes
            if n_bytes > most_bytes:
                return f"it inflates to more than {most_bytes >> 20:,} MB"
    except MemoryError:
        return "it asks for too much memory"
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        return (str(error).splitlines() or [type(error).__name__])[0][:200]
    return ""
