"""Tagging: a unit is a token, its class the tag; tags of few clean tokens are pooled."""

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import TaskInfo
from contract.task_kinds.tagging import TAGGING
from evaluator.scoring.kinds.unit_kind import Classed, UnitKind

# A tag with fewer clean tokens says little by itself.
FEWEST_TOKENS = 50
OTHER = "other"


def classed(codes: NDArray[np.int32], _places: NDArray[np.int64], task: TaskInfo) -> Classed:
    """Return the tags that have enough clean tokens, then all others as one."""
    counts = np.bincount(codes, minlength=len(task.labels))
    frequent = [label for label in range(len(task.labels)) if counts[label] >= FEWEST_TOKENS]
    is_rare = (counts > 0) & (counts < FEWEST_TOKENS)
    names = [task.labels[label] for label in frequent]
    class_of_label = np.full(len(task.labels), -1, np.int32)
    class_of_label[frequent] = np.arange(len(frequent), dtype=np.int32)
    if is_rare.any():
        # A tag of this name takes the rare ones in.
        if OTHER not in names:
            names.append(OTHER)
        class_of_label[is_rare] = names.index(OTHER)
    return Classed(
        of_unit=class_of_label[codes], n_classes=len(names), groups=[list(range(len(names)))], names=names
    )


TAGGING_UNITS = UnitKind(name=TAGGING.name, classed=classed)
