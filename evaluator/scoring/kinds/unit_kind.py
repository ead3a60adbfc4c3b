"""What a kind says of the units of its rows: their classes, and which of these are joined."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import TaskInfo

# Of a unit that does not count.
NO_CLASS = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Classed:
    """The class of each unit, the groups that classes form, and what the figures of labels are called."""

    of_unit: NDArray[np.int32]
    n_classes: int
    groups: Sequence[Sequence[int]]
    names: Sequence[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class CleanCodes:
    """The true codes of a task's clean rows, and the place of each in its row's list."""

    codes: NDArray[np.int32]
    places: NDArray[np.int64]
    # Of all clean rows of the release, where these are some of them.
    whole: NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class UnitKind:
    """A kind of task with many labels a text."""

    name: str
    classed: Callable[["CleanCodes", TaskInfo], Classed]
    # Whether each code is about a label of its own, of which rows have probabilities.
    has_probabilities: bool = False
