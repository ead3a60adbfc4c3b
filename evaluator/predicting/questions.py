"""What a classifier is asked about a release: the distinct texts of each task."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifiers.machinery.classifier import TextPair
from contract.predictions.reading import ReleaseRows
from contract.schema.manifest import TaskInfo

COLUMNS = ("id", "text", "text_pair", "label")
_WITHHELD = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """The distinct texts of a task, clean ones first, and which of them each row of the task has."""

    task: TaskInfo
    texts: list[TextPair]
    index_of_row: list[int]
    # The true label of each clean row; these rows stand first. None where labels are withheld.
    clean_labels: NDArray[np.int32] | None
    n_clean_texts: int

    def effort(self, index: int) -> int:
        """Return about how long a text takes, in any unit: its characters, and one for itself."""
        return 1 + sum(len(text or "") for text in self.texts[index])


def questions_of(rows: ReleaseRows) -> list[Question]:
    """Return what to ask about each task; equal texts are asked about once."""
    return [_question(rows, task) for task in rows.tasks]


def _question(rows: ReleaseRows, task: TaskInfo) -> Question:
    # The rows of a task stand together.
    groups = [group for group in rows.groups if group.task == task.name]
    start, stop = (groups[0].start, groups[-1].stop) if groups else (0, 0)
    table = rows.table.slice(start, stop - start)
    indices: dict[TextPair, int] = {}
    pairs = zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True)
    index_of_row = [indices.setdefault(pair, len(indices)) for pair in pairs]
    n_clean = sum(group.stop - group.start for group in groups if group.is_clean)
    labels = np.array(table["label"].slice(0, n_clean).to_pylist(), np.int32)
    return Question(
        task=task,
        texts=list(indices),
        index_of_row=index_of_row,
        clean_labels=None if not n_clean or (labels == _WITHHELD).any() else labels,
        n_clean_texts=max(index_of_row[:n_clean], default=-1) + 1,
    )
