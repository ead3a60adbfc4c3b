"""Whatever turns texts into class probabilities, for building and for predicting. One file a kind."""

from classifiers.kept.stored import TRAINABLE_KINDS
from classifiers.kinds.api import API
from classifiers.kinds.ensemble import ENSEMBLE
from classifiers.kinds.hf import HF
from classifiers.kinds.majority import MAJORITY
from classifiers.kinds.python import PYTHON
from classifiers.kinds.sklearn import SKLEARN
from classifiers.kinds.surrogate import SURROGATE
from classifiers.kinds.textblob import TEXTBLOB
from classifiers.kinds.vader import VADER
from classifiers.machinery.classifier import (
    Classifier,
    ClassifierKind,
    DifferentiableClassifier,
    LoadRequest,
    Replacement,
    TrainableKind,
    TrainingSet,
)
from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import Registry

__all__ = [
    "KINDS",
    "TRAINABLE_KINDS",
    "Classifier",
    "ClassifierKind",
    "DifferentiableClassifier",
    "LoadRequest",
    "Replacement",
    "TrainableKind",
    "TrainingSet",
    "parse_spec",
]

KINDS: Registry[ClassifierKind] = Registry(
    "classifier", [MAJORITY, VADER, TEXTBLOB, SURROGATE, SKLEARN, HF, API, PYTHON, ENSEMBLE]
)


def parse_spec(spec: str) -> tuple[ClassifierKind, str]:
    """Return the kind and argument that KIND or KIND:ARGUMENT asks for."""
    name, _, argument = spec.partition(":")
    kind = KINDS[name]
    if kind.argument is None and argument:
        raise UserError(f"{name} takes no argument; write {name}", exit_code=ExitCode.WRONG_USE)
    if kind.argument is not None and not argument:
        raise UserError(
            f"{name} needs an argument; write {name}:{kind.argument}", exit_code=ExitCode.WRONG_USE
        )
    return kind, argument
