"""Writes predictions files: JSONL, CSV or Parquet, plain or gz, whole or not at all."""

import contextlib
import csv
import gzip
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from contract.machine.whole_files import whole_file
from contract.predictions.opening import format_of

_ROWS_AT_A_TIME = 10_000

PREDICTION_COLUMNS = ("id", "prediction", "probabilities", "benchmark")
_TYPES = {"probabilities": pa.list_(pa.float64())}


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows in the format that the file's name promises."""
    kind = format_of(path)
    with whole_file(path) as temporary, _open(temporary, is_gzip=path.name.lower().endswith(".gz")) as file:
        if kind == ".parquet":
            _write_parquet(file, columns, rows)
        else:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=False)
            write = _write_csv if kind == ".csv" else _write_jsonl
            write(text, columns, rows)
            text.flush()
            text.detach()


@contextlib.contextmanager
def _open(path: Path, *, is_gzip: bool) -> Iterator[gzip.GzipFile | io.BufferedWriter]:
    """Yield the file to write; gz without name and time inside: the same rows give the same bytes."""
    with path.open("wb") as file:
        if not is_gzip:
            yield file
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
            yield compressed


def _write_jsonl(file: io.TextIOWrapper, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    file.writelines(
        json.dumps({name: row[name] for name in columns}, ensure_ascii=False) + "\n" for row in rows
    )


def _write_csv(file: io.TextIOWrapper, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = [row[name] for name in columns]
        writer.writerow([json.dumps(value) if isinstance(value, list) else value for value in values])


def _write_parquet(
    file: gzip.GzipFile | io.BufferedWriter, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> None:
    schema = pa.schema([(name, _TYPES.get(name, pa.string())) for name in columns])
    with pq.ParquetWriter(file, schema, compression="zstd", write_page_checksum=True) as writer:
        chunk: list[Mapping[str, Any]] = []
        for row in rows:
            # One column has one type: lists of labels stand beside single labels as JSON.
            prediction = row["prediction"]
            is_list = isinstance(prediction, list)
            chunk.append({**row, "prediction": json.dumps(prediction)} if is_list else row)
            if len(chunk) == _ROWS_AT_A_TIME:
                writer.write_table(pa.Table.from_pylist(chunk, schema))
                chunk = []
        if chunk:
            writer.write_table(pa.Table.from_pylist(chunk, schema))
