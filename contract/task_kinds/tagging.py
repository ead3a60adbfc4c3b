"""Tagging: every token of a text has one label; tokens are parted by single spaces."""

from contract.schema.manifest import TaskInfo
from contract.task_kinds.kind import Codes, ListedLabels, TaskKind

# Between two tokens. White space inside a token is written otherwise, so that tokens can be counted.
SEPARATOR = " "


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text."""
    return text.split(SEPARATOR)


def words(codes: Codes, task: TaskInfo) -> str:
    """Return the tags in the order of the tokens."""
    return " ".join("?" if code is None else task.labels[code] for code in codes)


TAGGING = TaskKind(
    name="tagging",
    summary="one label a token",
    lists=ListedLabels(
        part="token",
        n_codes=lambda text, _task: len(tokens_of(text)),
        n_values=lambda task: len(task.labels),
        may_lack=False,
        is_answered_by_probabilities=False,
        answer="`prediction`: a list of labels, one a token, in the order of the tokens, which single spaces"
        " part",
        codes="for each token the index of its label",
        words=words,
    ),
    may_change_tokens=False,
)
