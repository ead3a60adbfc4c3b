"""The training rows of a task with many labels a text, as its release offers them."""

from dataclasses import dataclass

from classifiers.machinery.classifier import LoadRequest, TextPair
from contract.schema.names import TRAIN
from contract.schema.records import LABEL_LISTS
from contract.task_kinds.kind import Codes


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTrainingRow:
    """A text and its codes."""

    pair: TextPair
    codes: Codes


def listed_training_rows(request: LoadRequest) -> list[ListedTrainingRow]:
    """Return the rows that a release offers for training."""
    release = request.needed_release
    rows = []
    for split in release.splits(task=request.task.name, dimension=TRAIN):
        table = release.table(split, ["text", "text_pair", LABEL_LISTS])
        columns = (table[name].to_pylist() for name in ("text", "text_pair", LABEL_LISTS))
        rows += [
            ListedTrainingRow(pair=(text, pair), codes=codes)
            for text, pair, codes in zip(*columns, strict=True)
        ]
    return rows
