"""Reads the rows of a Parquet file; runs in a process with limits, since a footer may promise anything.

Rows go out as Arrow's own messages, in columns of plain types. Little is imported: it starts for each file.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from contract.machine.limited_process import FaultError
from contract.machine.registry import did_you_mean

_ROWS_A_BATCH = 1 << 15
_BUFFER_BYTES = 1 << 18
# For what a group of rows holds besides them: dictionaries, headers of pages.
_SPARE_BYTES_A_GROUP = 1 << 20
_BYTES_A_MESSAGE = 1 << 24


def answer(question: Mapping[str, Any]) -> Iterator[memoryview]:
    """Yield the rows of a file in the columns asked for, some rows a message."""
    for batch in batches_of(question):
        yield from _messages(batch)


def batches_of(question: Mapping[str, Any]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file in the columns asked for; what cannot be read is a fault."""
    try:
        file = pq.ParquetFile(question["path"])
        _check_columns(file.schema_arrow, question)
        _check_sizes(file.metadata, question)
        columns = [name for name in question["columns"] if name in file.schema_arrow.names]
        yield from _batches(file, question["path"], columns, question["most_text_bytes"])
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        message = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise FaultError(f"not Parquet that can be read ({message}); was the file cut?") from None


def _check_columns(schema: pa.Schema, question: Mapping[str, Any]) -> None:
    """Refuse a file that lacks a column, has one twice, or holds neither texts nor plain numbers in it."""
    faults = []
    names = schema.names
    for name in question["columns"]:
        if names.count(name) > 1:
            faults.append(f"the column `{name}` stands twice; keep one")
        elif name in names:
            kind = schema.field(name).type
            if not is_readable(kind):
                faults.append(f"the column `{name}` holds {str(kind)[:80]}; give texts or plain numbers")
        elif name in question["needed"]:
            faults.append(f"no column `{name}`;{did_you_mean(name, names)} every row needs it")
    if faults:
        raise FaultError(*(" ".join(fault.splitlines()) for fault in faults))


def _check_sizes(metadata: pq.FileMetaData, question: Mapping[str, Any]) -> None:
    """Refuse counts and sizes that are not those of a predictions file."""
    most_rows, most_labels = question["most_rows"], question["most_labels"]
    n_values = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        columns = [group.column(place) for place in range(metadata.num_columns)]
        read = [column for column in columns if column.path_in_schema.split(".")[0] in question["columns"]]
        n_values += sum(column.num_values for column in read)
        n_bytes = sum(column.total_uncompressed_size for column in read)
        # Whatever a row has to say is short; without this, long texts would be inflated many at a time.
        most_bytes = group.num_rows * (question["most_text_bytes"] + 16 * most_labels)
        if n_bytes > most_bytes + _SPARE_BYTES_A_GROUP:
            raise FaultError(
                f"{group.num_rows:,} rows inflate to {n_bytes:,} bytes; that is no predictions file"
            )
    if metadata.num_rows > most_rows or n_values > most_rows * (most_labels + 4):
        raise FaultError(f"{metadata.num_rows:,} rows or their lists are far more than the release has")


def _batches(
    file: pq.ParquetFile, path: str, columns: Sequence[str], most_text_bytes: int
) -> Iterator[pa.RecordBatch]:
    """Yield the rows in batches, reading no more of the file than a batch needs."""
    options = {
        "metadata": file.metadata,
        "page_checksum_verification": True,
        "buffer_size": _BUFFER_BYTES,
        "pre_buffer": False,
    }
    texts = [name for name in columns if is_textual(file.schema_arrow.field(name).type)]
    folded = pq.ParquetFile(path, read_dictionary=texts, **options)
    plain = pq.ParquetFile(path, **options)
    for group in range(file.metadata.num_row_groups):
        # One huge text, written once in a dictionary, would unfold as often as there are rows.
        for first in islice(folded.iter_batches(1, row_groups=[group], columns=texts), 1):
            for column in first.columns:
                _check_lengths(column.dictionary, most_text_bytes)
        batches = plain.iter_batches(
            _ROWS_A_BATCH, row_groups=[group], columns=list(columns), use_threads=False
        )
        for batch in batches:
            arrays = [_plain(column, most_text_bytes) for column in batch.columns]
            yield pa.RecordBatch.from_arrays(arrays, batch.schema.names)


def _check_lengths(texts: pa.Array, most_text_bytes: int) -> None:
    """Refuse a text that is far longer than any id."""
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    if longest > most_text_bytes:
        raise pa.ArrowInvalid(f"a text of {longest:,} bytes")


def _plain(column: pa.Array, most_text_bytes: int) -> pa.Array:
    """Return a column without the disguises of its encoding: dictionaries, views, wide offsets."""
    if pa.types.is_dictionary(column.type):
        if is_textual(column.type.value_type):
            _check_lengths(column.dictionary, most_text_bytes)
        column = column.dictionary_decode()
    if is_textual(column.type):
        _check_lengths(column, most_text_bytes)
        column = column.cast(pa.string())
    elif pa.types.is_large_list(column.type) or pa.types.is_fixed_size_list(column.type):
        column = column.cast(pa.list_(column.type.value_type))
    return column


def _messages(batch: pa.RecordBatch) -> Iterator[memoryview]:
    """Yield a batch in as many messages as keep each of them small."""
    n_rows = max(1, min(batch.num_rows, batch.num_rows * _BYTES_A_MESSAGE // max(batch.nbytes, 1)))
    for start in range(0, batch.num_rows, n_rows):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch.slice(start, n_rows))
        yield memoryview(sink.getvalue())


def is_readable(kind: pa.DataType) -> bool:
    """Tell whether a column's values are texts, numbers or lists of such, which Python has words for."""
    if pa.types.is_dictionary(kind) or _is_list(kind):
        return is_readable(kind.value_type)
    return bool(
        is_textual(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_null(kind)
    )


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def is_textual(kind: pa.DataType) -> bool:
    """Tell whether values are texts, in whatever form."""
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_string_view(kind)
    )
