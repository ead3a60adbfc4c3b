"""Multilabel: a unit is a label of a text; a label's texts for which it holds and the others are classes."""

import numpy as np

from contract.predictions.row_lists import NO_CODE
from contract.schema.manifest import TaskInfo
from contract.task_kinds.multilabel import MULTILABEL
from evaluator.scoring.kinds.unit_kind import NO_CLASS, Classed, CleanCodes, UnitKind


def classed(clean: CleanCodes, task: TaskInfo) -> Classed:
    """Return two classes for each label of which clean texts have both; nothing judged does not count."""
    codes, places = clean.codes, clean.places
    class_of_code = np.full((len(task.labels), 2), NO_CLASS, np.int32)
    names, n_classes = [], 0
    for label, name in enumerate(task.labels):
        of_label = codes[places == label]
        if (of_label == 0).any() and (of_label == 1).any():
            class_of_code[label] = n_classes, n_classes + 1
            n_classes += 2
            names.append(name)
    of_unit = np.where(codes == NO_CODE, NO_CLASS, class_of_code[places, np.maximum(codes, 0)])
    return Classed(
        of_unit=of_unit.astype(np.int32),
        n_classes=n_classes,
        groups=[[first, first + 1] for first in range(0, n_classes, 2)],
        names=names,
    )


MULTILABEL_UNITS = UnitKind(name=MULTILABEL.name, classed=classed, has_probabilities=True)
