"""AdvGLUE's published dev format: one JSON object with a list of rows a task, plain or annotated."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.release.importing.imported_rows import ImportedRow, ImportedTask
from contract.machine.errors import UserError, bad_input, bad_inputs
from contract.machine.problems import shown
from contract.machine.registry import did_you_mean
from contract.schema.names import CLEAN, TRAIN, check_name

# Of rows that do not say how they were made.
PLAIN_DIMENSION = "advglue"


_NLI = ("entailment", "neutral", "contradiction")
_TWO_WAY = ("entailment", "not_entailment")
TASKS = (
    ImportedTask(name="sst2", fields=("sentence",), labels=("negative", "positive")),
    ImportedTask(
        name="qqp",
        fields=("question1", "question2"),
        labels=("not_duplicate", "duplicate"),
        metrics=("accuracy", "f1"),
    ),
    ImportedTask(name="mnli", fields=("premise", "hypothesis"), labels=_NLI, group="mnli"),
    ImportedTask(name="mnli-mm", fields=("premise", "hypothesis"), labels=_NLI, group="mnli"),
    ImportedTask(name="qnli", fields=("question", "sentence"), labels=_TWO_WAY),
    ImportedTask(name="rte", fields=("sentence1", "sentence2"), labels=_TWO_WAY),
)


def read_advglue(path: Path) -> dict[str, list[ImportedRow]]:
    """Return the rows of every task in the file's order, or one error that lists all that is wrong."""
    document = _object_of(path)
    problems = [f"{path}: {problem}" for problem in _problems_of_keys(document)]
    rows: dict[str, list[ImportedRow]] = {}
    for task in TASKS:
        rows[task.name] = []
        values = document.get(task.name)
        for place, value in enumerate(values if isinstance(values, list) else []):
            found = [f"{path}: {task.name}[{place}]: {problem}" for problem in _problems_of_row(task, value)]
            if found:
                problems += found
            else:
                rows[task.name].append(_row_of(task, place, value))
    if problems:
        raise bad_inputs(problems)
    return rows


def _problems_of_keys(document: dict[str, Any]) -> list[str]:
    known = [task.name for task in TASKS]
    problems = [
        f"unknown task {shown(name)};{did_you_mean(name, known)} AdvGLUE has {', '.join(known)}"
        for name in document
        if name not in known
    ]
    for name in known:
        if name not in document:
            problems.append(f"{name}: missing; AdvGLUE's averages need every task")
        elif not isinstance(document[name], list) or not document[name]:
            problems.append(f"{name}: expected a list of rows, found {shown(document[name])}")
    return problems


def _problems_of_row(task: ImportedTask, row: object) -> Iterator[str]:
    """Yield what is wrong with a row."""
    if not isinstance(row, dict):
        yield f"expected an object, found {shown(row)}"
        return
    if not _is_index(row.get("idx", 0)):
        yield f"idx {shown(row['idx'])} is not a whole number"
    label = row.get("label")
    if "label" not in row:
        yield "no `label`; rows without labels cannot be scored"
    elif not _is_index(label) or label not in range(len(task.labels)):
        names = ", ".join(f"{index} ({name})" for index, name in enumerate(task.labels))
        yield f"label {shown(label)} is none of {names}"
    for field in task.fields:
        if field not in row:
            yield f"no `{field}`; rows of {task.name} need {' and '.join(task.fields)}"
        elif not _is_text(row[field]) or not row[field].strip():
            yield f"{field} {shown(row[field])} is not a text"
    optional = [*(f"original_{field}" for field in task.fields), "data_construction", "method"]
    not_texts = [key for key in optional if row.get(key) is not None and not _is_text(row[key])]
    for key in not_texts:
        yield f"{key} {shown(row[key])} is not a text"
    if not not_texts:
        yield from _problems_of_dimension(_dimension_of(row))


def _problems_of_dimension(name: str) -> Iterator[str]:
    try:
        check_name(name, "the dimension that data_construction and method give,")
    except UserError as error:
        yield error.message
    if name in {CLEAN, TRAIN}:
        yield f"data_construction and method give the dimension {name!r}, which has another meaning"


def _row_of(task: ImportedTask, place: int, row: dict[str, Any]) -> ImportedRow:
    """Return a row that has no problems."""
    texts = tuple(row[field] for field in task.fields)
    originals = tuple(row.get(f"original_{field}") or None for field in task.fields)
    # An annotated row gives the original of the text that was perturbed; the other text is as it was.
    whole = tuple(original or text for original, text in zip(originals, texts, strict=True))
    return ImportedRow(
        place=place,
        label=row["label"],
        texts=texts,
        originals=whole if any(originals) else None,
        construction=row.get("data_construction") or None,
        method=row.get("method") or None,
        dimension=_dimension_of(row),
    )


def _dimension_of(row: dict[str, Any]) -> str:
    """Return how a row was made as a name: `word-textfooler`, `human-checklist`."""
    parts = [row.get("data_construction"), row.get("method")]
    words = "-".join(part for part in parts if part) or PLAIN_DIMENSION
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    """Tell whether a value is text that a file can hold; a lone surrogate is none."""
    return isinstance(value, str) and value.encode("utf-8", "replace").decode() == value


def _object_of(path: Path) -> dict[str, Any]:
    """Return the JSON object that a file holds."""
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_without_twins)
    except FileNotFoundError:
        raise bad_input(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read: {error}") from None
    except (ValueError, RecursionError) as error:
        raise bad_input(f"{path}: not JSON: {error}; give AdvGLUE's dev.json, unpacked") from None
    if not isinstance(document, dict):
        raise bad_input(f"{path}: expected an object with a list of rows a task, found {shown(document)}")
    return document


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return found
