"""What a kind of task is: whether rows have one true label or a list of them, and what may stand in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contract.schema.manifest import TaskInfo

# The codes of a row: for each labelled part its label's index, or whether a label holds; none is not judged.
Codes = Sequence[int | None]


@dataclass(frozen=True, kw_only=True)
class ListedLabels:
    """How the rows of a kind that has many labels a text list them in the column `labels`."""

    # What one code is about: "token".
    part: str
    # How many codes the row of a text has.
    n_codes: Callable[[str, TaskInfo], int]
    # The codes go from 0 to below this.
    n_values: Callable[[TaskInfo], int]
    # Whether a code may be missing, which says that nobody judged it.
    may_lack: bool
    # Whether a predictions file answers with probabilities, one a label; else with a list of labels.
    is_answered_by_probabilities: bool
    # What a row of a predictions file must have, in words.
    answer: str
    # What the codes are, in words.
    codes: str
    # The codes of a row in words, as pages and cards show them.
    words: Callable[[Codes, TaskInfo], str]


@dataclass(frozen=True, kw_only=True)
class TaskKind:
    """A kind of task; without `lists` a text has one label, in the column `label`."""

    name: str
    summary: str
    lists: ListedLabels | None = None
    # Whether attacks may change how many tokens a text has.
    may_change_tokens: bool = True
