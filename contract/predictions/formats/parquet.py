"""Predictions as Parquet, read by a process with limits: what comes from there is checked again."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from contract.machine.errors import bad_input
from contract.machine.forked_process import is_fork
from contract.machine.limited_process import FaultError, Limits, answers_of
from contract.machine.problems import Problems
from contract.predictions.formats import parquet_rows
from contract.predictions.formats.chunks import (
    MOST_ID_CHARACTERS,
    BoundedFile,
    Chunk,
    FileRequest,
    RowCollector,
)

_REMEDY = "write the file again, or give JSON Lines"
_MOST_BYTES = 3 << 28
_FEWEST_SECONDS = 5
_ROWS_A_SECOND = 100_000
# A .gz around Parquet saves little, so that few bytes a row are enough.
_MOST_INFLATED_BYTES = 1 << 29
_INFLATED_BYTES_A_ROW = 1 << 10
_FEWEST_INFLATED_BYTES = 1 << 24


def read(request: FileRequest, problems: Problems) -> Iterator[Chunk]:
    """Yield the rows of a Parquet file; lines are row numbers, counted from 1."""
    question = {
        "path": str(_plain_file(request)),
        "columns": request.columns,
        "needed": ("id", request.column),
        "most_rows": request.most_rows,
        "most_labels": request.most_labels,
        "most_text_bytes": 4 * MOST_ID_CHARACTERS,
    }
    limits = Limits(n_bytes=_MOST_BYTES, n_seconds=_FEWEST_SECONDS + request.most_rows // _ROWS_A_SECOND)
    first_row = 1
    try:
        for batch in _batches(question, limits):
            _check(batch, request)
            yield _chunk(batch, first_row, request, problems)
            first_row += batch.num_rows
    except FaultError as fault:
        for words in fault.messages:
            problems.stop(0, words if ";" in words else f"{words}; {_REMEDY}")


def _plain_file(request: FileRequest) -> Path:
    """Return a file that Parquet can be read from: it jumps about, so gz is inflated first, up to a bound."""
    if not request.is_gzipped:
        return request.copy_path
    n_wanted = _FEWEST_INFLATED_BYTES + request.most_rows * (_INFLATED_BYTES_A_ROW + 16 * request.most_labels)
    most_bytes = min(_MOST_INFLATED_BYTES, n_wanted)
    target = request.copy_path.with_suffix(".inflated")
    with BoundedFile(request) as packed, target.open("wb") as file:
        while data := packed.read(1 << 20):
            file.write(data)
            if file.tell() > most_bytes:
                found = f"{request.path}: inflates to more than {most_bytes >> 20:,} MB"
                raise bad_input(f"{found}; Parquet needs no gz around it")
    return target


def _batches(question: Mapping[str, Any], limits: Limits) -> Iterator[pa.RecordBatch]:
    """Yield the rows from a process with limits, unless this one is a fork, which a file may end."""
    if is_fork():
        yield from parquet_rows.batches_of(question)
        return
    for message in answers_of(parquet_rows.__name__, question, limits):
        try:
            with pa.ipc.open_stream(message) as stream:
                batch = stream.read_next_batch()
        except pa.ArrowException as error:
            raise _unreadable(error) from None
        yield batch


def _check(batch: pa.RecordBatch, request: FileRequest) -> None:
    """Refuse rows that are not what was asked for."""
    try:
        # Down to the UTF-8 of every text, which Parquet does not vouch for.
        batch.validate(full=True)
    except pa.ArrowException as error:
        raise _unreadable(error) from None
    names = batch.schema.names
    is_asked = len(set(names)) == len(names) and {"id", request.column} <= set(names) <= set(request.columns)
    if not is_asked or not all(map(parquet_rows.is_readable, batch.schema.types)):
        raise FaultError("not Parquet that can be read (columns of other kinds than it says)")


def _unreadable(error: pa.ArrowException) -> FaultError:
    found = str(error).splitlines()[0][:120]
    return FaultError(f"not Parquet that can be read ({found}); was the file cut?")


def _chunk(batch: pa.RecordBatch, first_row: int, request: FileRequest, problems: Problems) -> Chunk:
    """Return a batch of rows; whatever is not plainly text and number goes the slow way."""
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    ids, answers = columns["id"], columns[request.column]
    probabilities, benchmarks = columns.get("probabilities"), columns.get("benchmark")
    is_text, is_index = pa.types.is_string(answers.type), pa.types.is_integer(answers.type)
    if (
        request.takes_lists
        or not pa.types.is_string(ids.type)
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
