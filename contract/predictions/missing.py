"""Finds the rows of a release that a predictions file does not answer, and words what is wrong with it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from contract.machine.problems import Problems, shown
from contract.predictions.limits import LimitedRows
from contract.predictions.matching import UNKNOWN_ID

MISSING = "missing ids"
_SHOWN_MISSING = 3


class RowGroup(Protocol):
    """Rows that are answered all together or not at all."""

    @property
    def name(self) -> str:
        """The group as messages write it."""

    @property
    def start(self) -> int:
        """The first row."""

    @property
    def stop(self) -> int:
        """The row after the last."""

    @property
    def is_clean(self) -> bool:
        """Whether it must be answered."""


def check_missing(
    is_answered: NDArray[np.bool_],
    ids: pa.ChunkedArray,
    groups: Sequence[RowGroup],
    problems: Problems,
    *,
    is_complete: bool,
    has_clean: bool,
    limited: LimitedRows | None = None,
) -> list[str]:
    """Return the names of the groups left out whole; rows missing otherwise are noted.

    Clean rows may be left out only by a file whose format has no place for them (`has_clean` is false). Of a
    part of the release its rows are asked for, and no others.
    """
    is_wanted = np.ones(len(is_answered), np.bool_) if limited is None else limited.is_in
    others = np.flatnonzero(is_answered & ~is_wanted)
    if limited is not None and len(others):
        first = shown(ids[int(others[0])].as_py())
        problems.add(
            UNKNOWN_ID,
            0,
            f"{len(others):,} rows, among them {first}, are not of the {limited.limit:,} samples a task that"
            " the file says it is about; predict with --limit, or answer the whole release",
        )
    absent = []
    for group in groups:
        wanted = is_wanted[group.start : group.stop]
        missing = np.flatnonzero(wanted & ~is_answered[group.start : group.stop]) + group.start
        n_rows = int(wanted.sum())
        if not n_rows:
            continue
        is_mandatory = is_complete or (group.is_clean and has_clean)
        if len(missing) == n_rows and not is_mandatory:
            absent.append(group.name)
        elif len(missing) and not problems.is_cut:
            first = ", ".join(shown(ids[int(row)].as_py()) for row in missing[:_SHOWN_MISSING])
            remedy = (
                "clean rows are mandatory"
                if group.is_clean
                else "answer all rows of a group or leave it out whole"
            )
            found = f"{len(missing):,} of {n_rows:,} rows of {group.name} are missing"
            problems.add(MISSING, 0, f"{found}, among them {first}; {remedy}")
    if not is_answered.any() and not problems:
        problems.add(MISSING, 0, "no row of the release is answered")
    return absent
