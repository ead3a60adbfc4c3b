"""Makes training rows of training rows: random cases of some of them, with their labels and other columns."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.augmenting.labels import learned
from builder.augmenting.perturbing import LabelledText, PerturbedText, perturb_texts
from builder.augmenting.tables import DataTable
from builder.tasks.columns import ColumnNames
from builder.values.associations import Associations
from builder.values.randomness import Draw
from builder.values.samples import letters_and_digits
from contract.release.release import Release
from contract.schema.names import TRAIN

# What says how a row was made, where it is asked for.
NOTES = ("made_from_row", "dimension", "degree", "realised_degree", "edits")


@dataclass(frozen=True, kw_only=True)
class Way:
    """A dimension and a degree."""

    dimension: str
    degree: float


@dataclass(frozen=True, kw_only=True)
class Augmented:
    """The rows that stay and those made of them, and what was left out."""

    table: DataTable
    n_rows: int
    n_made: int
    n_wanted: int
    # Rows that are samples of a release, and cases that would be.
    n_in_release: int


@dataclass(frozen=True)
class _Made:
    """A case and the number of the row that it was made of."""

    row: int
    case: PerturbedText


def augment(
    table: DataTable,
    columns: ColumnNames,
    ways: Sequence[Way],
    *,
    share: float,
    seed: int,
    without: Sequence[Path] = (),
    has_notes: bool = False,
) -> Augmented:
    """Return the rows and, for a share of them, one case each more, with the label and all other columns.

    No row, old or new, has the text of a sample or case of the releases in `without`. Which rows get a case,
    and of which way, depends on texts and seed alone.
    """
    keys = frozenset(key for path in without for key in keys_of(Release.open(path)))
    rows = [row for row in table.rows if _key(row, columns) not in keys]
    n_removed = len(table.rows) - len(rows)
    known = _learned(rows, columns)
    n_wanted = round(share * len(rows))
    made: list[_Made] = []
    n_refused = 0
    waiting = sorted(range(len(rows)), key=lambda row: _rank(rows[row], columns, seed))
    while waiting and len(made) < n_wanted:
        n_next = n_wanted - len(made)
        batch, waiting = waiting[:n_next], waiting[n_next:]
        for each in _cases(rows, batch, columns, ways=ways, seed=seed, known=known):
            if _key(rows[each.row] | {columns.text: each.case.text}, columns) in keys:
                n_refused += 1
            else:
                made.append(each)
    made.sort(key=lambda each: each.row)
    notes = NOTES if has_notes else ()
    old = [row | dict.fromkeys(notes) for row in rows]
    new = [_row(rows[each.row], each, columns, has_notes=has_notes) for each in made]
    return Augmented(
        table=table.with_rows([*old, *new], notes),
        n_rows=len(rows),
        n_made=len(made),
        n_wanted=n_wanted,
        n_in_release=n_removed + n_refused,
    )


@dataclass(frozen=True)
class _Known:
    """The label of each row and the words that speak for one."""

    labels: Sequence[int | None]
    associations: Associations | None


def _learned(rows: Sequence[dict[str, Any]], columns: ColumnNames) -> _Known:
    if columns.label is None or not rows:
        return _Known([None] * len(rows), None)
    found = learned([_text(row, columns) for row in rows], [str(row[columns.label]) for row in rows])
    return _Known(found.indices, found.associations)


def _cases(
    rows: Sequence[dict[str, Any]],
    batch: Sequence[int],
    columns: ColumnNames,
    *,
    ways: Sequence[Way],
    seed: int,
    known: _Known,
) -> Iterator[_Made]:
    """Yield the cases of some rows; each way is gone with all its rows at once."""
    by_way: dict[Way, list[int]] = {}
    for row in batch:
        way = Draw(seed, "way", _text(rows[row], columns)).choice(ways)
        by_way.setdefault(way, []).append(row)
    for way, of_way in by_way.items():
        texts = [LabelledText(text=_text(rows[row], columns), label=known.labels[row]) for row in of_way]
        cases = perturb_texts(texts, way.dimension, way.degree, seed, associations=known.associations)
        yield from (_Made(row, case) for row, case in zip(of_way, cases, strict=True) if case is not None)


def _row(row: dict[str, Any], made: _Made, columns: ColumnNames, *, has_notes: bool) -> dict[str, Any]:
    new = row | {columns.text: made.case.text}
    if not has_notes:
        return new
    return new | notes_of(made.case) | {"made_from_row": made.row}


def notes_of(case: PerturbedText | None) -> dict[str, Any]:
    """Return how a row was made: edits as JSON, with places in code points of the original."""
    if case is None:
        return dict.fromkeys(NOTES)
    return {
        "dimension": case.dimension,
        "degree": case.degree,
        "realised_degree": case.realised_degree,
        "edits": json.dumps([edit._asdict() for edit in case.edits], ensure_ascii=False),
    }


def _text(row: dict[str, Any], columns: ColumnNames) -> str:
    return str(row[columns.text] or "")


def _key(row: dict[str, Any], columns: ColumnNames) -> str:
    pair = None if columns.text_pair is None else str(row[columns.text_pair] or "")
    # A text without letters is nobody's sample.
    return letters_and_digits(_text(row, columns), pair) or "-"


def _rank(row: dict[str, Any], columns: ColumnNames, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{_key(row, columns)}".encode()).digest()


def keys_of(release: Release) -> Iterator[str]:
    """Yield the letters and digits of every sample and case of a release: what nobody may train on."""
    for split in release.manifest.splits:
        if split.dimension != TRAIN and split.rows:
            table = release.table(split, ["text", "text_pair"])
            pairs = zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True)
            yield from (letters_and_digits(text, pair) for text, pair in pairs)
