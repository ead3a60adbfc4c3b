"""What people, or models as judges, said of the cases of a release, as its manifest tells it."""

from typing import Literal

from contract.schema.checked_text import Line, Name
from contract.schema.documents import Count, Fraction, Sha256, Value

# Whose votes decide: people's, those of models that were asked as judges, or both.
Counted = Literal["people", "models", "both"]
AnnotatorKind = Literal["person", "model"]


class TaskAgreement(Value):
    """How annotators of one kind did on one task; unreliable ones are left out. Figures may be null.

    Controls are texts whose right answers are known: untouched samples, and samples shown as if they were
    changed versions of others.
    """

    task: Name
    kind: AnnotatorKind
    n_annotators: Count
    n_unreliable: Count
    n_cases: Count
    # The mean accuracy of an annotator's labels on controls, and that of the majority of all.
    accuracy: Fraction | None = None
    accuracy_of_vote: Fraction | None = None
    # On the labels of cases.
    kappa: float | None = None
    pairwise: Fraction | None = None


class AnnotationInfo(Value):
    """An annotation of a release: who judged, by which rules, and how far they agreed."""

    counted: Counted
    # The names of the models that were judges, whether or not their votes count.
    judges: tuple[Line, ...] = ()
    # A case is decided from so many votes on, and needs this share of them for one label.
    min_votes: Count
    min_agreement: Fraction
    tasks: tuple[TaskAgreement, ...]
    n_judged: Count
    n_undecided: Count
    plan_sha256: Sha256
    # The manifest of the version that was judged.
    previous_manifest_sha256: Sha256
