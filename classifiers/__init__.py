"""Classifiers turn texts into class probabilities, for building and for predicting."""

from classifiers.machinery.classifier import (
    Classifier,
    ClassifierKind,
    DifferentiableClassifier,
    LoadRequest,
    Replacement,
    TrainableKind,
    TrainingSet,
)
from classifiers.registry import KINDS, parse_spec
from classifiers.trained import TRAINABLE_KINDS

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
