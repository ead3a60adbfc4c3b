"""Tagging: a unit is a token, its class the tag; tags of few clean tokens are pooled."""

import numpy as np

from contract.schema.manifest import TaskInfo
from contract.task_kinds.tagging import TAGGING
from evaluator.scoring.kinds.unit_kind import Classed, CleanCodes, UnitKind

# A tag with fewer clean tokens says little by itself.
FEWEST_TOKENS = 50
OTHER = "other"


def classed(clean: CleanCodes, task: TaskInfo) -> Classed:
    """Return the tags that have enough clean tokens in the release, then all others as one."""
    counts = np.bincount(clean.whole, minlength=len(task.labels))
    names = [name if n >= FEWEST_TOKENS else OTHER for name, n in zip(task.labels, counts, strict=True)]
    of_token = [names[code] for code in clean.codes.tolist()]
    # A tag that is itself called so takes the rare ones in.
    present = [name for name in dict.fromkeys(names) if name in set(of_token) and name != OTHER]
    present += [OTHER] if OTHER in of_token else []
    class_of_name = {name: place for place, name in enumerate(present)}
    return Classed(
        of_unit=np.array([class_of_name[name] for name in of_token], np.int32),
        n_classes=len(present),
        groups=[list(range(len(present)))],
        names=present,
    )


TAGGING_UNITS = UnitKind(name=TAGGING.name, classed=classed)
