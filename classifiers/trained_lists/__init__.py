"""The kinds of classifiers that are trained for tasks with many labels a text. One file a kind."""

from classifiers.machinery.listed import ListedTrainable
from classifiers.trained_lists.linear_multilabel import LINEAR_MULTILABEL
from classifiers.trained_lists.linear_tagger import LINEAR_TAGGER
from contract.machine.registry import Registry

LISTED_TRAINABLE_KINDS: Registry[ListedTrainable] = Registry(
    "classifier for many labels", [LINEAR_MULTILABEL, LINEAR_TAGGER]
)
