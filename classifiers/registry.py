"""All kinds of classifiers by name, and the spec that asks for one."""

from classifiers.kinds.api import API
from classifiers.kinds.ensemble import ensemble_kind
from classifiers.kinds.guess import GUESS
from classifiers.kinds.hf import HF
from classifiers.kinds.majority import MAJORITY
from classifiers.kinds.onnx import ONNX
from classifiers.kinds.python import PYTHON
from classifiers.kinds.sklearn import SKLEARN
from classifiers.kinds.stored import stored_kind
from classifiers.kinds.surrogate import surrogate_kind
from classifiers.kinds.textblob import TEXTBLOB
from classifiers.kinds.trained import trained_kind
from classifiers.kinds.url import URL
from classifiers.kinds.vader import VADER
from classifiers.machinery.classifier import ClassifierKind
from classifiers.machinery.guessing import guessed
from classifiers.machinery.specs import ParsedSpec, parse_spec_with
from classifiers.saved.stored import load_saved
from classifiers.trained import TRAINABLE_KINDS
from classifiers.trained_lists import LISTED_TRAINABLE_KINDS
from contract.machine.registry import Registry


def parse_spec(spec: str) -> ParsedSpec:
    """Return the kind and argument that NAME or NAME:ARGUMENT asks for, or that a path, id or URL is."""
    return parse_spec_with(KINDS, guessed(spec, list(KINDS)))


def _parse_member(spec: str) -> ParsedSpec:
    """Return the kind and argument of an ensemble's member; a bare name is a surrogate of the release."""
    return parse_spec(spec if spec.partition(":")[0] in KINDS else f"surrogate:{spec}")


KINDS: Registry[ClassifierKind] = Registry(
    "classifier",
    [
        MAJORITY,
        GUESS,
        VADER,
        TEXTBLOB,
        surrogate_kind(load_saved),
        trained_kind(TRAINABLE_KINDS, LISTED_TRAINABLE_KINDS),
        stored_kind(TRAINABLE_KINDS),
        SKLEARN,
        HF,
        ONNX,
        API,
        URL,
        PYTHON,
        ensemble_kind(_parse_member),
    ],
)
