"""Adversarial SQuAD as QNLI: a question, and the sentence that was added to distract from its answer."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from builder.release.importing.imported_rows import ImportedRow, ImportedTask
from builder.release.importing.published_files import Faults, read_text
from contract.machine.errors import bad_input
from contract.machine.json_text import parsed_json
from contract.machine.problems import shown

QNLI = ImportedTask(name="qnli", fields=("question", "sentence"), labels=("entailment", "not_entailment"))
DIMENSION = "advsquad"
# After the id of the original question: how the sentence was made, and by which worker.
MARK = "-high-conf"


def read_advsquad(paths: Sequence[Path]) -> dict[ImportedTask, list[ImportedRow]]:
    """Return a row for each added sentence; as in AdvGLUE, none of them answers its question."""
    faults, rows = Faults(), list[ImportedRow]()
    for path in paths:
        questions = dict(_questions(path, faults))
        for name, (question, context) in questions.items():
            base, mark, _worker = name.partition(MARK)
            if not mark:
                continue
            original = questions.get(base)
            added = None if original is None else _added(original[1], context)
            if added is None:
                faults.add(
                    f"{path}: question {shown(name)}",
                    f"no paragraph of {shown(base)} that it adds a sentence to; give the whole file",
                )
                continue
            rows.append(
                ImportedRow(
                    place=len(rows),
                    label=QNLI.labels.index("not_entailment"),
                    texts=(question, added),
                    originals=None,
                    construction="human",
                    method=name,
                    dimension=DIMENSION,
                )
            )
    faults.check()
    return {QNLI: rows}


def _added(original: str, context: str) -> str | None:
    """Return what stands before or after the original paragraph; nothing if it is not there whole."""
    for added in (context.removeprefix(original.strip()), context.removesuffix(original.strip())):
        if added != context and added.strip():
            return added.strip()
    return None


def _questions(path: Path, faults: Faults) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield id, question and paragraph of every question of a file in SQuAD's format."""
    try:
        value = parsed_json(read_text(path))
        json.dumps(value, ensure_ascii=False).encode()
    except ValueError as error:
        raise bad_input(f"{path}: not JSON ({str(error)[:100]}); give the published .json file") from None
    for article_place, article in enumerate(_list(value, "data", str(path), faults)):
        where = f"{path}: data[{article_place}]"
        for place, paragraph in enumerate(_list(article, "paragraphs", where, faults)):
            inner = f"{where}.paragraphs[{place}]"
            context = paragraph.get("context") if isinstance(paragraph, dict) else None
            for number, question in enumerate(_list(paragraph, "qas", inner, faults)):
                found = question if isinstance(question, dict) else {}
                texts = [found.get("id"), found.get("question"), context]
                if all(isinstance(text, str) and text.strip() for text in texts):
                    yield str(texts[0]), (str(texts[1]), str(texts[2]))
                else:
                    faults.add(f"{inner}.qas[{number}]", "expected an id, a question and a `context`")


def _list(value: Any, key: str, where: str, faults: Faults) -> list[Any]:
    """Return a list inside an object; what is none is a fault."""
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, list):
        faults.add(where, f"`{key}` is {shown(found)}, expected a list as in SQuAD's format")
        return []
    return found
