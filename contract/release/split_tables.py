"""The gate for the rows of a release: a split's file read as a stranger's, its columns checked by type."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from contract.machine.errors import UserError, bad_input
from contract.machine.forked_process import is_fork
from contract.machine.parquet_files import FileColumns, check_rows, fault_of
from contract.release.row_order import rows_by_id
from contract.schema.manifest import TaskInfo
from contract.schema.records import LABEL_LISTS, SCHEMA_WITH_LISTS
from contract.task_kinds import TASK_KINDS

_FEW_COLUMNS = 4
_NEVER_NULL = ("id", "sample_id", "text", "label", "task", "dimension", "case")
_WITHHELD = -1


def read_split(path: Path, columns: Sequence[str], task: TaskInfo, repeated: Sequence[str] = ()) -> pa.Table:
    """Return columns of the file of a split of a task, or say what is wrong with it.

    The texts of repeated columns come once, with the places of each.
    """
    with _opened(path, columns, repeated) as parquet:
        # Threads take longer to begin than a few columns take to be read.
        is_wide = len(columns) > _FEW_COLUMNS
        table = parquet.read(columns=list(columns), use_threads=is_wide).select(list(columns))
        if is_fork():
            check_rows(path, table)
    _check_columns(path, table, task)
    return table


def read_split_by_id(path: Path, columns: Sequence[str], task: TaskInfo) -> Iterator[pa.Table]:
    """Yield the same rows in the order of their ids, a few at a time."""
    with _opened(path, columns) as parquet:
        for table in rows_by_id(parquet, columns):
            _check_columns(path, table, task)
            yield table


@contextmanager
def _opened(path: Path, columns: Sequence[str], repeated: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
    """Yield the file, or say that it cannot be read."""
    fault = fault_of(FileColumns(path, columns))
    if fault:
        raise _unreadable(path, fault)
    try:
        with pa.OSFile(str(path)) as file:
            yield pq.ParquetFile(file, read_dictionary=list(repeated))
    except FileNotFoundError:
        raise bad_input(f"{path}: missing; download or build the release again") from None
    except (OSError, pa.ArrowException, KeyError) as error:
        raise _unreadable(path, str(error)) from None


def _check_columns(path: Path, table: pa.Table, task: TaskInfo) -> None:
    for name in table.column_names:
        problem = _problem_of(name, table[name], task)
        if problem:
            raise _unreadable(path, f"column `{name}`: {problem}")


def _unreadable(path: Path, fault: str) -> UserError:
    return bad_input(f"{path}: not a split that can be read ({fault}); run `hardfrost verify`")


def _problem_of(name: str, column: pa.ChunkedArray, task: TaskInfo) -> str:
    """Return why a column cannot be one of a release; nothing if it can be."""
    expected, n_labels = SCHEMA_WITH_LISTS.field(name).type, len(task.labels)
    found = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if found != expected:
        return f"holds {str(column.type)[:80]}, expected {expected}"
    numbers = pc.struct_field(column, "agreement") if name == "annotation" else column
    problems = {
        "has rows without a value": name in _NEVER_NULL and column.null_count,
        f"holds none of its task's {n_labels} labels": name == "label" and not _are_labels(column, n_labels),
        "holds a number that is not finite": pa.types.is_floating(numbers.type) and not _are_finite(numbers),
        "holds an edit without a place or a text": name == "edits" and _has_gaps(column),
        f"holds lists that are not labels of the {task.kind} task": name == LABEL_LISTS
        and not _are_lists(column, task),
    }
    return next((problem for problem, is_found in problems.items() if is_found), "")


def _are_labels(column: pa.ChunkedArray, n_labels: int) -> bool:
    bounds = pc.min_max(column).as_py()
    return bounds["min"] is None or (bounds["min"] >= _WITHHELD and bounds["max"] < n_labels)


def _are_lists(column: pa.ChunkedArray, task: TaskInfo) -> bool:
    """Tell whether every row has a list, of codes that its kind of task has."""
    kind = TASK_KINDS[task.kind].lists
    codes = pc.list_flatten(column)
    if kind is None or column.null_count or (codes.null_count and not kind.may_lack):
        return False
    bounds = pc.min_max(codes).as_py()
    return bounds["min"] is None or (bounds["min"] >= 0 and bounds["max"] < kind.n_values(task))


def _are_finite(column: pa.ChunkedArray) -> bool:
    return bool(pc.all(pc.is_finite(column), min_count=0).as_py())


def _has_gaps(edits: pa.ChunkedArray) -> bool:
    flat = pc.list_flatten(edits)
    fields = [pc.struct_field(flat, place) for place in range(flat.type.num_fields)]
    return bool(flat.null_count or any(field.null_count for field in fields))
