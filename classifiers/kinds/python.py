"""Any Python function that turns texts into labels or probabilities, in a process of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from classifiers.machinery.answers import AnswerReader
from classifiers.machinery.classifier import (
    ALL_TASK_KINDS,
    Classifier,
    ClassifierKind,
    LoadRequest,
    Probabilities,
    Tagger,
    TextPair,
)
from classifiers.machinery.label_names import AssumedLabels
from classifiers.machinery.listed_answers import LabelsFunction, TagsFunction
from classifiers.machinery.own_process.process import FunctionProcess
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file
from contract.task_kinds.classification import CLASSIFICATION
from contract.task_kinds.tagging import TAGGING


@dataclass(frozen=True)
class PythonFunction:
    """Calls the user's function with all texts at once, or with as many as the user says."""

    process: FunctionProcess
    reader: AnswerReader
    is_pair: bool
    batch_size: int | None = None

    @property
    def assumed_labels(self) -> AssumedLabels | None:
        """The labels, if the function numbers them."""
        return self.reader.assumed_labels

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the function's probabilities, or certainty for the labels it gave."""
        given = [pair if self.is_pair else pair[0] for pair in texts]
        size = self.batch_size or max(1, len(given))
        answers = []
        for start in range(0, len(given), size):
            answers += self.process.ask(given[start : start + size])
        return self.reader.rows(answers)


def load(request: LoadRequest) -> Classifier | Tagger:
    """Return the function MODULE:FUNCTION or FILE.py:FUNCTION, found from the current folder."""
    if request.task.kind != CLASSIFICATION.name:
        process = FunctionProcess(request.argument, request.options.python_path)
        form = TagsFunction if request.task.kind == TAGGING.name else LabelsFunction
        return form(process, f"python:{request.argument}", request.task)
    return PythonFunction(
        FunctionProcess(request.argument, request.options.python_path),
        AnswerReader(f"python:{request.argument}", request),
        len(request.task.fields) == 2,
        request.options.batch_size,
    )


def content(request: LoadRequest) -> list[str]:
    """Return the function's name and the hash of its module's file; what the module imports is not in it."""
    process = FunctionProcess(request.argument, request.options.python_path)
    process.close()
    path = process.loaded.file_path
    if path is None:
        raise UserError(f"python:{request.argument} has no file whose content could be recorded")
    return [process.loaded.name, hash_of_file(path)]


PYTHON = ClassifierKind(
    name="python",
    summary="your function: a list of texts (or pairs) in, labels or probabilities out",
    argument="MODULE:FUNCTION",
    load=load,
    content=content,
    takes=frozenset({"--python", "--batch-size", "--labels"}),
    task_kinds=ALL_TASK_KINDS,
)
