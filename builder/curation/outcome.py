"""The outcome of an annotation: who judged, how far they agreed, and what became of every case."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from builder.curation.plan import JudgedRelease
from builder.curation.reliability import JudgedAnnotator
from contract.schema.annotations import Counted, TaskAgreement
from contract.schema.checked_text import Name
from contract.schema.documents import Count, Document, Fraction, Sha256, Value

# Why a case is not valid, as funnels call it; undecided: too few votes that count.
Verdict = Literal["valid", "human-consensus", "utility", "undecided"]


class JudgedCase(Value):
    """What annotators whose votes count said of a case."""

    id: str
    task: Name
    # How many votes each label got, in the order of the task's labels.
    votes: tuple[Count, ...]
    # The share of the label with the most votes.
    agreement: Fraction | None
    # The label that most chose; null where several have as many votes.
    majority: Count | None
    # Of the answers to whether the deciding part keeps its meaning, those that are yes, and all of them.
    n_keeps: Count
    n_keeps_asked: Count
    similarity: float | None = None
    fluency: float | None = None
    verdict: Verdict

    @property
    def n(self) -> int:
        """How many votes count."""
        return sum(self.votes)


class Outcome(Document):
    """What `collect` found and `apply` goes by."""

    SCHEMA: ClassVar[str] = "hardfrost/annotation-outcome/1"
    REMEDY: ClassVar[str] = "make it again by `hardfrost annotate collect`"

    schema_: Literal["hardfrost/annotation-outcome/1"] = Field(
        alias="schema", default="hardfrost/annotation-outcome/1"
    )
    release: JudgedRelease
    plan_sha256: Sha256
    counted: Counted
    min_votes: Count
    min_agreement: Fraction
    annotators: tuple[JudgedAnnotator, ...]
    agreement: tuple[TaskAgreement, ...]
    cases: tuple[JudgedCase, ...]

    def of_verdict(self, verdict: Verdict) -> Sequence[JudgedCase]:
        """Return the cases with a verdict."""
        return [case for case in self.cases if case.verdict == verdict]
