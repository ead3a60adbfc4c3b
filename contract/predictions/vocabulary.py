"""What the labels of tasks may be called in a predictions file: names, and indices where these are clear."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.schema.manifest import TaskInfo


@dataclass(frozen=True, kw_only=True, eq=False)
class Vocabulary:
    """Every text that is an answer in some task, and its label by task and text: -1 where it is none."""

    words: pa.Array
    # One column more than words, for texts that are no answer anywhere.
    labels: NDArray[np.int32]
    # Whether numbers could mean two labels of a task.
    is_ambiguous: NDArray[np.bool_]

    def labels_of(
        self, texts: pa.Array, rows: NDArray[np.int64], tasks: NDArray[np.int16]
    ) -> NDArray[np.int32]:
        """Return the labels that the texts of some rows, of these tasks, stand for."""
        codes = pc.fill_null(pc.index_in(texts, value_set=self.words), len(self.words))
        return np.asarray(self.labels[tasks, codes.to_numpy()[rows]])


def vocabulary_of(tasks: Sequence[TaskInfo]) -> Vocabulary:
    """Return what the tasks' labels may be called: names, and indices where they mean one thing only."""
    meanings = []
    for task in tasks:
        names = {name: label for label, name in enumerate(task.labels)}
        indices = {} if is_ambiguous(task) else {str(label): label for label in range(len(task.labels))}
        meanings.append(indices | names)
    words = list(dict.fromkeys(word for meaning in meanings for word in meaning))
    table = np.full((len(tasks), len(words) + 1), -1, np.int32)
    for place, meaning in enumerate(meanings):
        table[place, :-1] = [meaning.get(word, -1) for word in words]
    return Vocabulary(
        words=pa.array(words, pa.string()),
        labels=table,
        is_ambiguous=np.array([is_ambiguous(task) for task in tasks]),
    )


def is_ambiguous(task: TaskInfo) -> bool:
    """Tell whether some label's name is another label's index, so that only names can be trusted."""
    indices = {str(label) for label in range(len(task.labels))}
    return any(name in indices and name != str(label) for label, name in enumerate(task.labels))
