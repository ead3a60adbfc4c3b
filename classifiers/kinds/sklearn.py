"""A fitted scikit-learn pipeline from a skops file, or from a joblib file that the user trusts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest, Probabilities, TextPair
from classifiers.machinery.label_names import AssumedLabels, match_labels
from classifiers.machinery.needs import needs
from contract.machine.errors import UserError, bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.near_paths import near_path

# Types that are loaded beside plain scikit-learn, which skops itself trusts.
TRUSTED_TYPES = ["numpy.dtype", "scipy.sparse._csr.csr_matrix"]


@dataclass(frozen=True)
class SklearnPipeline:
    """A pipeline that takes raw texts; a pair is joined by a line feed."""

    pipeline: Any
    columns: list[int]
    n_labels: int
    assumed_labels: AssumedLabels | None = None

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return predict_proba, or certainty where the pipeline has none; 0 for labels it never saw."""
        joined = [text if pair is None else f"{text}\n{pair}" for text, pair in texts]
        result = np.zeros((len(texts), self.n_labels))
        if not joined:
            return result
        if hasattr(self.pipeline, "predict_proba"):
            result[:, self.columns] = self.pipeline.predict_proba(joined)
            return result
        classes = list(self.pipeline.classes_)
        columns = [self.columns[classes.index(label)] for label in self.pipeline.predict(joined)]
        result[np.arange(len(joined)), columns] = 1.0
        return result


def is_pickle(path: Path) -> bool:
    """Tell whether loading a file may run code in it."""
    return path.suffix != ".skops"


def pickle_refused(path: Path) -> UserError:
    """Return the error for a pickle without --trust."""
    return bad_input(
        f"{path}: is loaded by unpickling, which can run any code that somebody put into the file."
        " Save the pipeline with skops.io.dump, which is read as data,"
        " or give --trust if you made the file yourself"
    )


def load(request: LoadRequest) -> Classifier:
    """Return the pipeline; joblib files can run code, so they need --trust."""
    path = Path(request.argument)
    if not path.is_file():
        raise bad_input(
            f"{path}: there is no such file;{near_path(path)}"
            " save a pipeline with skops.io.dump(pipeline, PATH)"
        )
    pipeline = _load_joblib(path, is_trusted=request.is_trusted) if is_pickle(path) else _load_skops(path)
    names = [_name(label) for label in getattr(pipeline, "classes_", [])]
    if not names:
        raise UserError(f"{path}: not a fitted classifier, it has no classes_; save the fitted pipeline")
    matched = match_labels(str(path), names, request)
    return SklearnPipeline(pipeline, list(matched.places), len(request.task.labels), matched.assumed)


def _name(label: Any) -> str:
    """Return what a pipeline calls a label; true and false are numbers."""
    value = label.item() if hasattr(label, "item") else label
    return str(int(value)) if isinstance(value, bool) else str(value)


def _load_skops(path: Path) -> Any:
    with needs("skops"):
        import skops.io
    try:
        unknown = [name for name in skops.io.get_untrusted_types(file=path) if name not in TRUSTED_TYPES]
        pipeline = None if unknown else skops.io.load(path, trusted=TRUSTED_TYPES)
    except Exception as error:  # noqa: BLE001
        # Whatever its parsers trip over: of ZIP files, JSON, arrays and sparse matrices.
        raise bad_input(f"{path}: not a skops file that can be read: {error}") from None
    if unknown:
        raise bad_input(f"{path}: holds types that are not plain scikit-learn: {', '.join(unknown)}")
    return pipeline


def _load_joblib(path: Path, *, is_trusted: bool) -> Any:
    if not is_trusted:
        raise pickle_refused(path)
    with needs("joblib"):
        import joblib
    try:
        return joblib.load(path)
    except Exception as error:  # noqa: BLE001
        # Whatever the file runs, and whatever it needs that is not here.
        line = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise bad_input(
            f"{path}: cannot be loaded ({line}); if it needs code or versions of your own environment, write"
            " a function that loads it and give python:FILE.py:FUNCTION with --python PATH"
        ) from None


def identity(request: LoadRequest) -> str | None:
    """Return the hash of the file, so that a pipeline fitted anew is not mixed with the old."""
    path = Path(request.argument)
    return hash_of_file(path) if path.is_file() else None


SKLEARN = ClassifierKind(
    name="sklearn",
    summary="a fitted scikit-learn text pipeline saved by skops",
    argument="PATH",
    load=load,
    identity=identity,
    content=identity,
    takes=frozenset({"--labels"}),
)
