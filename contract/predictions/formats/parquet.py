"""Predictions as Parquet; a file may promise more than memory holds, so its promises are checked first."""

import io
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from contract.machine.errors import bad_input
from contract.machine.problems import Problems
from contract.machine.registry import did_you_mean
from contract.predictions.formats.chunks import (
    MOST_ID_CHARACTERS,
    BoundedFile,
    Chunk,
    FileRequest,
    RowCollector,
)

_ROWS_A_BATCH = 1 << 15
_BUFFER_BYTES = 1 << 18
_MOST_INFLATED_BYTES = 1 << 31
# For what a group of rows holds besides them: dictionaries, headers of pages.
_SPARE_BYTES_A_GROUP = 1 << 20


def read(request: FileRequest, problems: Problems) -> Iterator[Chunk]:
    """Yield the rows of a Parquet file; lines are row numbers, counted from 1."""
    try:
        source = _source(request.path)
        file = pq.ParquetFile(source)
        if not _is_sound(file, request, problems):
            return
        columns = [name for name in request.columns if name in file.schema_arrow.names]
        first_row = 1
        for batch in _batches(source, file, columns):
            yield _chunk(batch, first_row, request, problems)
            first_row += batch.num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        message = str(error).splitlines()[0][:120]
        problems.stop(0, f"not Parquet that can be read ({message}); was the file cut?")


def _batches(
    source: Path | io.BytesIO, file: pq.ParquetFile, columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows in batches, reading no more of the file than a batch needs."""
    options = {
        "metadata": file.metadata,
        "page_checksum_verification": True,
        "buffer_size": _BUFFER_BYTES,
        "pre_buffer": False,
    }
    texts = [name for name in columns if _is_textual(file.schema_arrow.field(name).type)]
    folded = pq.ParquetFile(source, read_dictionary=texts, **options)
    plain = pq.ParquetFile(source, **options)
    for group in range(file.metadata.num_row_groups):
        # One huge text, written once in a dictionary, would unfold as often as there are rows.
        for first in islice(folded.iter_batches(1, row_groups=[group], columns=texts), 1):
            for column in first.columns:
                _check_lengths(column.dictionary)
        yield from plain.iter_batches(_ROWS_A_BATCH, row_groups=[group], columns=columns, use_threads=False)


def _check_lengths(texts: pa.Array) -> None:
    """Refuse a text that is far longer than any id."""
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    if longest > 4 * MOST_ID_CHARACTERS:
        raise pa.ArrowInvalid(f"a text of {longest:,} bytes")


def _source(path: Path) -> Path | io.BytesIO:
    """Return what Parquet can be read from: it jumps about, so gz is inflated first, up to a bound."""
    if not path.name.lower().endswith(".gz"):
        return path
    buffer = io.BytesIO()
    with BoundedFile(path) as file:
        while data := file.read(1 << 22):
            buffer.write(data)
            if buffer.tell() > _MOST_INFLATED_BYTES:
                raise bad_input(f"{path}: inflates to more than 2 GiB; Parquet needs no gz around it")
    return buffer


def _is_sound(file: pq.ParquetFile, request: FileRequest, problems: Problems) -> bool:
    """Tell whether the columns are there and the counts are those of a predictions file."""
    names = file.schema_arrow.names
    for name in request.columns:
        if names.count(name) > 1:
            problems.stop(0, f"the column `{name}` stands twice; keep one")
        elif name in names:
            kind = file.schema_arrow.field(name).type
            if not _is_readable(kind):
                problems.stop(0, f"the column `{name}` holds {kind}; give texts or plain numbers")
        elif name in {"id", request.column}:
            guess = did_you_mean(name, names)
            problems.stop(0, f"no column `{name}`;{guess} every row needs it")
    if problems:
        return False
    metadata = file.metadata
    n_values = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        columns = [group.column(place) for place in range(metadata.num_columns)]
        read = [column for column in columns if column.path_in_schema.split(".")[0] in request.columns]
        n_values += sum(column.num_values for column in read)
        n_bytes = sum(column.total_uncompressed_size for column in read)
        # Whatever a row has to say is short; without this, long texts would be inflated many at a time.
        most_bytes = group.num_rows * (4 * MOST_ID_CHARACTERS + 16 * request.most_labels)
        if n_bytes > most_bytes + _SPARE_BYTES_A_GROUP:
            found = f"{group.num_rows:,} rows inflate to {n_bytes:,} bytes"
            problems.stop(0, f"{found}; that is no predictions file")
            return False
    if metadata.num_rows > request.most_rows or n_values > request.most_rows * (request.most_labels + 4):
        problems.stop(0, f"{metadata.num_rows:,} rows or their lists are far more than the release has")
        return False
    return True


def _chunk(batch: pa.RecordBatch, first_row: int, request: FileRequest, problems: Problems) -> Chunk:
    """Return a batch of rows; whatever is not plainly text and number goes the slow way."""
    columns = {name: _plain(batch.column(name)) for name in batch.schema.names}
    ids, answers = columns["id"], columns[request.column]
    probabilities, benchmarks = columns.get("probabilities"), columns.get("benchmark")
    is_text, is_index = pa.types.is_string(answers.type), pa.types.is_integer(answers.type)
    if (
        not pa.types.is_string(ids.type)
        or not (is_text or is_index)
        or ids.null_count
        or answers.null_count
        or not _are_numbers(probabilities)
        or not (benchmarks is None or pa.types.is_string(benchmarks.type))
    ):
        return _slow_chunk(columns, first_row, request, problems)
    return Chunk(
        lines=np.arange(first_row, first_row + batch.num_rows),
        ids=ids,
        answers=answers.cast(pa.string()),
        are_indices=np.full(batch.num_rows, is_index),
        probabilities=None if probabilities is None else probabilities.cast(pa.list_(pa.float64())),
        benchmarks=benchmarks,
    )


def _plain(column: pa.Array) -> pa.Array:
    """Return a column without the disguises of its encoding: dictionaries, views, wide offsets."""
    if pa.types.is_dictionary(column.type):
        if _is_textual(column.type.value_type):
            _check_lengths(column.dictionary)
        column = column.dictionary_decode()
    if _is_textual(column.type):
        _check_lengths(column)
        column = column.cast(pa.string())
        column.validate(full=True)
    elif pa.types.is_large_list(column.type) or pa.types.is_fixed_size_list(column.type):
        column = column.cast(pa.list_(column.type.value_type))
    return column


def _is_readable(kind: pa.DataType) -> bool:
    """Tell whether a column's values are texts, numbers or lists of such, which Python has words for."""
    if pa.types.is_dictionary(kind) or _is_list(kind):
        return _is_readable(kind.value_type)
    return bool(
        _is_textual(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_null(kind)
    )


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _is_textual(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_string_view(kind)
    )


def _are_numbers(column: pa.Array | None) -> bool:
    """Tell whether the column is missing or holds lists of numbers without gaps."""
    if column is None:
        return True
    if not pa.types.is_list(column.type):
        return False
    kind = column.type.value_type
    is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
    return bool(is_number and column.flatten().null_count == 0)


def _slow_chunk(
    columns: dict[str, pa.Array], first_row: int, request: FileRequest, problems: Problems
) -> Chunk:
    rows = RowCollector(request, problems)
    values = {name: column.to_pylist() for name, column in columns.items()}
    for offset in range(len(values["id"])):
        rows.add({name: column[offset] for name, column in values.items()}, first_row + offset)
    return rows.chunk()
