"""Any Python function that turns texts into labels or probabilities."""

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest, Probabilities, TextPair
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of_file


@dataclass(frozen=True)
class PythonFunction:
    """Calls the user's function with all texts at once."""

    name: str
    function: Callable[[list[Any]], Any]
    labels: tuple[str, ...]
    is_pair: bool

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the function's probabilities, or certainty for the labels it gave."""
        given = self.function([pair if self.is_pair else pair[0] for pair in texts])
        answers = given.tolist() if hasattr(given, "tolist") else list(given)
        if len(answers) != len(texts):
            raise UserError(
                f"{self.name} returned {len(answers)} answers for {len(texts)} texts; return one each"
            )
        rows = [self._row(answer) for answer in answers]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(self.labels))

    def _row(self, answer: Any) -> list[float]:
        if isinstance(answer, str) and answer in self.labels:
            answer = self.labels.index(answer)
        if isinstance(answer, int) and 0 <= answer < len(self.labels):
            return [float(index == answer) for index in range(len(self.labels))]
        if isinstance(answer, list | tuple) and len(answer) == len(self.labels):
            row = [float(value) for value in answer]
            if np.isfinite(row).all() and min(row) >= 0 and abs(sum(row) - 1) < 1e-3:
                return row
        raise UserError(
            f"{self.name} returned {str(answer)[:60]!r}; return for each text a label"
            f" ({', '.join(self.labels)}), its index, or {len(self.labels)} probabilities that sum to 1"
        )


def load(request: LoadRequest) -> Classifier:
    """Return the function MODULE:FUNCTION, found from the current folder."""
    function = _function(request.argument)
    return PythonFunction(
        f"python:{request.argument}", function, request.task.labels, len(request.task.fields) == 2
    )


def content(request: LoadRequest) -> list[str]:
    """Return the function's name and the hash of its module's file; what the module imports is not in it."""
    function = _function(request.argument)
    path = sys.modules[request.argument.partition(":")[0]].__file__
    if path is None:
        raise UserError(f"python:{request.argument} has no file whose content could be recorded")
    return [getattr(function, "__name__", request.argument), hash_of_file(Path(path))]


def _function(argument: str) -> Callable[[list[Any]], Any]:
    module_name, _, function_name = argument.partition(":")
    if not function_name:
        raise UserError(
            "python needs MODULE:FUNCTION, as in python:my_model:predict", exit_code=ExitCode.WRONG_USE
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        raise UserError(
            f"no module {module_name!r} in {here} or installed; run where it can be imported"
        ) from None
    function = getattr(module, function_name, None)
    if not callable(function):
        raise UserError(f"module {module_name} has no function {function_name!r}")
    result: Callable[[list[Any]], Any] = function
    return result


PYTHON = ClassifierKind(
    name="python",
    summary="your function: a list of texts (or pairs) in, labels or probabilities out",
    argument="MODULE:FUNCTION",
    load=load,
    content=content,
)
