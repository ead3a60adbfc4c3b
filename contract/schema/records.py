"""The rows of a release: one record type, its Arrow schema, and the hash of logical rows."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
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
    """Return the records as an Arrow table."""
    return pa.Table.from_pylist([_to_row(record) for record in records], schema=SCHEMA)


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
    """The hash of logical rows that come in the order of their ids, a batch at a time."""

    def __init__(self, columns: Sequence[str] = COLUMNS) -> None:
        self._columns = list(columns)
        self._digest = hashlib.sha256()

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the rows that come next in the order of ids."""
        values = [column.to_pylist() for column in batch.select(self._columns).columns]
        for row in zip(*values, strict=True):
            self._digest.update(canonical_json(row).encode())
            self._digest.update(b"\n")

    def hexdigest(self) -> str:
        """Return the hash of all rows so far."""
        return self._digest.hexdigest()


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


def _to_row(record: Record) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in COLUMNS}
    row["edits"] = [
        {
            "field": field,
            "start": edit.start,
            "end": edit.end,
            "original": edit.original,
            "replacement": edit.replacement,
        }
        for field, edit in record.edits
    ]
    row["surrogate_predictions"] = list(record.surrogate_predictions)
    return row
