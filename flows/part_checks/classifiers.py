"""The promises of every kind of classifier, asked with an argument of yours where it needs one."""

import numpy as np

from classifiers import Classifier, ClassifierKind, LoadRequest
from contract.machine.cache_folder import cache_path
from contract.schema.manifest import TaskInfo
from flows.part_checks.check import Check, demand
from flows.part_checks.texts import ODD_TEXTS, REVIEWS

LABELS = ("negative", "positive")


def load(kind: ClassifierKind, argument: str) -> Classifier:
    """Return the classifier for a task with two labels, without a release."""
    task = TaskInfo(
        name="checked",
        group=None,
        labels=LABELS,
        fields=("text",),
        perturbed="text",
        metrics=("accuracy",),
        mean="geometric",
        source="checked",
        source_sha256=None,
        licence="none",
        has_public_labels=True,
        n_samples=0,
        n_train=0,
    )
    request = LoadRequest(argument=argument, task=task, release=None, cache_path=cache_path())
    classifier: Classifier = kind.load(request)
    return classifier


def checks_with(argument: str) -> tuple[Check[ClassifierKind], ...]:
    """Return the checks; `argument` is what the spec has after its kind."""

    def rows(
        kind: ClassifierKind, texts: tuple[str, ...]
    ) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
        return np.asarray(load(kind, argument).probabilities([(text, None) for text in texts]))

    def gives_probabilities(kind: ClassifierKind) -> None:
        for texts in (REVIEWS, ODD_TEXTS):
            given = rows(kind, texts)
            expected = (len(texts), len(LABELS))
            demand(given.shape == expected, f"gave {given.shape} numbers, expected {expected}")
            demand(np.isfinite(given).all(), "gave numbers that are not finite")
            demand((given >= 0).all(), "gave negative numbers")
            demand(np.allclose(given.sum(axis=1), 1, atol=1e-3), "gave rows that do not sum to 1")

    def answers_the_same(kind: ClassifierKind) -> None:
        demand(np.allclose(rows(kind, REVIEWS), rows(kind, REVIEWS), atol=1e-5), "answers vary")

    def answers_alone(kind: ClassifierKind) -> None:
        together = rows(kind, REVIEWS)
        alone = np.concatenate([rows(kind, (text,)) for text in REVIEWS])
        demand(np.allclose(together, alone, atol=1e-4), "an answer depends on the texts beside it")

    return (
        Check("each text has probabilities that sum to 1", gives_probabilities),
        Check("the same text has the same answer", answers_the_same),
        Check("an answer does not depend on the texts beside it", answers_alone),
    )
