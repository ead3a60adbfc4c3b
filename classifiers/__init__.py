"""Whatever turns texts into class probabilities, for building and for predicting."""

from contract.registry import Registry

from classifiers.classifier import ClassifierKind, LoadRequest

__all__ = ["KINDS", "ClassifierKind", "LoadRequest"]

KINDS: Registry[ClassifierKind] = Registry("classifier", [])
