"""The rows of a release: one record type, its Arrow schema, and the hash of logical rows."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, groupby, pairwise
from typing import Any

import pyarrow as pa

from contract.machine.json_text import canonical_json
from contract.schema.edits import Edit

ROWS_AT_A_TIME = 10_000
# A row with many edits takes fifty times the room as Python objects that it takes in a table.
ROWS_AS_OBJECTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One row: a clean sample, a training row or a frozen case. The columns are the same everywhere."""

    id: str
    sample_id: str
    text: str
    text_pair: str | None = None
    original_text: str | None
    original_text_pair: str | None = None
    label: int
    task: str
    dimension: str
    setting: str | None = None
    degree: float | None
    realised_degree: float | None
    case: int = 0
    method: str | None = None
    source: str | None = None
    field: str | None = None
    edits: tuple[tuple[str, Edit], ...] = ()
    similarity: float | None = None
    word_modification_rate: float | None = None
    # Null where an expensive surrogate was not asked.
    surrogate_predictions: tuple[int | None, ...] = ()
    # In attacked settings, whether the source gives the case another label.
    source_fooled: bool | None = None
    # Fooled families over those that are right on the original; null with fewer than two of these.
    transfer: float | None = None
    annotation: dict[str, Any] | None = None

    @property
    def perturbed_text(self) -> str:
        """The case's text of the field that was perturbed."""
        return (self.text_pair if self.field == "text_pair" else self.text) or ""

    @property
    def unperturbed_text(self) -> str:
        """The original's text of the field that was perturbed."""
        return (self.original_text_pair if self.field == "text_pair" else self.original_text) or ""


COLUMNS = tuple(field.name for field in fields(Record))
# What a model is asked and what is right.
TEXT_COLUMNS = ("id", "sample_id", "text", "text_pair", "label")

_EDIT = pa.struct(
    [
        ("field", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("original", pa.string()),
        ("replacement", pa.string()),
    ]
)
_TEXTS_OF_EDITS = ("field", "original", "replacement")
_ANNOTATION = pa.struct(
    [
        ("n", pa.int32()),
        ("votes", pa.list_(pa.int32())),
        ("agreement", pa.float64()),
        ("valid", pa.bool_()),
    ]
)
_OTHER_TYPES = {
    "label": pa.int64(),
    "degree": pa.float64(),
    "realised_degree": pa.float64(),
    "case": pa.int32(),
    "edits": pa.list_(_EDIT),
    "similarity": pa.float64(),
    "word_modification_rate": pa.float64(),
    "surrogate_predictions": pa.list_(pa.int32()),
    "source_fooled": pa.bool_(),
    "transfer": pa.float64(),
    "annotation": _ANNOTATION,
}
SCHEMA = pa.schema([(name, _OTHER_TYPES.get(name, pa.string())) for name in COLUMNS])
# The true labels of rows that have many: `contract.task_kinds` tells what they mean. `label` is then -1, and
# files of tasks with one label a text do not have the column.
LABEL_LISTS = "labels"
SCHEMA_WITH_LISTS = SCHEMA.append(pa.field(LABEL_LISTS, pa.list_(pa.int32())))
NO_LABEL = -1


def table_of(records: Iterable[Record]) -> pa.Table:
    """Return the records as an Arrow table, made column by column: rows come by the million."""
    rows = list(records)
    columns = [
        _edits_column(rows)
        if name == "edits"
        else pa.array([getattr(row, name) for row in rows], SCHEMA.field(name).type)
        for name in COLUMNS
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def records_of(table: pa.Table) -> Iterator[Record]:
    """Yield the rows of a table as records; unknown columns are ignored."""
    for batch in table.select(COLUMNS).to_batches(max_chunksize=ROWS_AS_OBJECTS):
        for row in batch.to_pylist():
            edits = tuple(
                (edit["field"], Edit(edit["start"], edit["end"], edit["original"], edit["replacement"]))
                for edit in row.pop("edits") or []
            )
            votes = tuple(row.pop("surrogate_predictions") or [])
            yield Record(**row, edits=edits, surrogate_predictions=votes)


def hash_of_rows(table: pa.Table, columns: Sequence[str] = COLUMNS) -> str:
    """Return the sha256 of the logical rows: the same for any file layout and any order of rows."""
    digest = RowsDigest(columns)
    for batch in table.select(list(columns)).sort_by("id").to_batches(max_chunksize=ROWS_AS_OBJECTS):
        digest.add(batch)
    return digest.hexdigest()


class RowsDigest:
    """The hash of logical rows that come in the order of their ids, a batch at a time.

    A row is hashed as the canonical JSON of its values. That of edits is written here: a row may have a
    hundred, and making objects of them takes most of the time.
    """

    def __init__(self, columns: Sequence[str] = COLUMNS) -> None:
        self._columns = list(columns)
        self._digest = hashlib.sha256()

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the rows that come next in the order of ids."""
        parts = []
        for is_edits, names in groupby(self._columns, key=lambda name: name == "edits"):
            if is_edits:
                parts.append(_edits_as_json(batch["edits"]))
            else:
                rows = zip(*(_values(batch[name]) for name in names), strict=True)
                parts.append(canonical_json(row)[1:-1] for row in rows)
        for row in zip(*parts, strict=True):
            self._digest.update(f"[{','.join(row)}]\n".encode())

    def hexdigest(self) -> str:
        """Return the hash of all rows so far."""
        return self._digest.hexdigest()


def _values(column: pa.Array) -> list[Any]:
    """Return the values of a column; by way of numpy, where it gives the same ones, since it is faster."""
    is_plain = pa.types.is_string(column.type) or (
        column.null_count == 0 and (pa.types.is_integer(column.type) or pa.types.is_floating(column.type))
    )
    values: list[Any] = column.to_numpy(zero_copy_only=False).tolist() if is_plain else column.to_pylist()
    return values


def _edits_as_json(column: pa.ListArray) -> Iterator[str]:
    """Yield the canonical JSON of each row's edits."""
    flat = column.flatten()
    if column.null_count or flat.null_count or any(field.null_count for field in flat.flatten()):
        yield from map(canonical_json, column.to_pylist())
        return
    fields = dict(zip([field.name for field in _EDIT], map(_values, flat.flatten()), strict=True))
    texts = {text: canonical_json(text) for name in _TEXTS_OF_EDITS for text in set(fields[name])}
    edits = [
        f'{{"end":{end},"field":{texts[field]},"original":{texts[original]},'
        f'"replacement":{texts[replacement]},"start":{start}}}'
        for field, start, end, original, replacement in zip(*fields.values(), strict=True)
    ]
    # Offsets of a slice do not begin with 0.
    bounds = (column.offsets.to_numpy() - column.offsets[0].as_py()).tolist()
    yield from (f"[{','.join(edits[start:stop])}]" for start, stop in pairwise(bounds))


def schema_with_labels(labels: Sequence[str], *, has_lists: bool = False) -> pa.Schema:
    """Return the schema with the label names that `datasets` reads from a Parquet file's metadata."""
    schema = SCHEMA_WITH_LISTS if has_lists else SCHEMA
    features = {field.name: _feature(field.type) for field in schema}
    features["label"] = {"names": list(labels), "_type": "ClassLabel"}
    info = json.dumps({"info": {"features": features}}, sort_keys=True)
    return schema.with_metadata({"huggingface": info})


def with_lists(table: pa.Table, lists: Mapping[str, Sequence[int | None]]) -> pa.Table:
    """Return rows with the column of true labels, which the samples have."""
    field = SCHEMA_WITH_LISTS.field(LABEL_LISTS)
    values = [list(lists[sample]) for sample in table["sample_id"].to_pylist()]
    return table.append_column(field, pa.array(values, field.type))


def _feature(kind: pa.DataType) -> dict[str, Any]:
    """Return an Arrow type as a feature of the `datasets` library."""
    if pa.types.is_list(kind):
        return {"feature": _feature(kind.value_type), "_type": "List"}
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    return {"dtype": dtype_name(kind), "_type": "Value"}


def dtype_name(kind: pa.DataType) -> str:
    """Return a primitive type as the Hub spells it."""
    return {"double": "float64"}.get(str(kind), str(kind))


def _edits_column(rows: Sequence[Record]) -> pa.Array:
    """Return the edits of all rows as one column."""
    offsets = [0, *accumulate(len(row.edits) for row in rows)]
    flat = [(field, *edit) for row in rows for field, edit in row.edits]
    # A tuple of values for each field of an edit, in the order of its type.
    values = zip(*flat, strict=True) if flat else [()] * len(_EDIT)
    fields = [pa.array(of_field, kind.type) for of_field, kind in zip(values, _EDIT, strict=True)]
    edits = pa.StructArray.from_arrays(fields, fields=list(_EDIT))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), edits)
