"""stability.json: how far the ranks of a leaderboard depend on what a release was made of."""

from typing import ClassVar, Literal

from pydantic import Field

from contract.schema.documents import Count, Document, Fraction, Value
from contract.schema.results import BenchmarkInfo

# What is left out: a family of surrogates with its attempts, or a part of the release.
LeftOut = Literal["family", "dimension", "degree", "task", "setting"]


class StabilityRank(Value):
    """A model's place when something is left out; ties share the better place."""

    model: str
    score: Fraction
    rank: Count


class WithoutPart(Value):
    """The ranks that are left when one part is left out.

    `tau` is Kendall's tau-b with the ranks by the whole headline; null where one side has ties only.
    """

    what: LeftOut
    name: str
    tau: float | None
    # Models in the order of the whole headline.
    ranks: tuple[StabilityRank, ...]


class Power(Value):
    """How many samples a difference of `difference` between two models needs to be seen.

    For each pair of models the spread of their difference on shared draws says how large a difference these
    samples show; the median pair stands for all.
    """

    difference: Fraction
    n_samples: Count
    # The smallest difference that these samples show in four of five tries, at the 5 % level.
    smallest_difference: float | None
    n_samples_needed: Count | None
    n_pairs: Count
    # Pairs whose interval of differences does not contain 0.
    n_pairs_apart: Count


class CaseAgreement(Value):
    """Of the cases of a task, dimension and setting: those that all models get, and none."""

    task: str
    dimension: str
    setting: str
    n_cases: Count
    n_everybody: Count
    n_nobody: Count


class Stability(Document):
    """What becomes of the ranks of some results when parts of their release are left out."""

    SCHEMA: ClassVar[str] = "hardfrost/stability/1"

    schema_: Literal["hardfrost/stability/1"] = Field(alias="schema", default="hardfrost/stability/1")
    benchmark: BenchmarkInfo
    # By the whole headline, best first.
    ranks: tuple[StabilityRank, ...]
    without: tuple[WithoutPart, ...]
    power: Power | None = None
    # Of the models whose predictions were given; empty without them.
    agreement: tuple[CaseAgreement, ...] = ()
    n_predictions: Count = 0
