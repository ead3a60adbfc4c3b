"""AdvGLUE as a release: every row with an id, its original, its edits and its place in the file."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from builder.release.importing.advglue_file import TASKS, read_advglue
from builder.release.importing.imported_rows import ImportedRow, PublishedSet, write_import
from contract.schema.manifest import DimensionInfo, Level, Manifest

ADVGLUE = PublishedSet(
    name="advglue", source="AdvGLUE dev set, https://adversarialglue.github.io", licence="CC BY-SA 4.0"
)
# AdvGLUE mixes rules, black-box and white-box attacks and people, and filtered all of them by models.
LEVELS: dict[str | None, Level] = {"word": "word", "sentence": "sentence"}
STANDS_FOR = {
    "word": "words swapped or misspelt so that models fail while people still read the same",
    "sentence": "sentences rewritten or distracted from so that models fail",
    "human": "examples that people wrote to make models fail",
}


def import_advglue(path: Path, out: Path) -> Manifest:
    """Write the release of AdvGLUE's dev file, plain or annotated, and return its manifest."""
    rows = read_advglue(path)
    return write_import(ADVGLUE, {task: rows[task.name] for task in TASKS}, _dimensions(rows), [path], out)


def _dimensions(rows: Mapping[str, Sequence[ImportedRow]]) -> list[DimensionInfo]:
    """Return the dimensions of the file, those of one construction together, else as they come."""
    first: dict[str, ImportedRow] = {}
    for row in chain.from_iterable(rows.values()):
        first.setdefault(row.dimension, row)
    constructions = list(dict.fromkeys(row.construction for row in first.values()))
    names = sorted(first, key=lambda name: constructions.index(first[name].construction))
    return [
        DimensionInfo(
            name=name,
            level=LEVELS.get(first[name].construction),
            degree_kind="none",
            degrees=(),
            order=order,
            summary=_summary(first[name]),
            stands_for=STANDS_FOR.get(first[name].construction or "", ""),
        )
        for order, name in enumerate(names)
    ]


def _summary(row: ImportedRow) -> str:
    made = [f"by {row.method}"] if row.method else []
    made += [f"data construction: {row.construction}"] if row.construction else []
    return "; ".join(["frozen by AdvGLUE's authors", *made])
