"""The result of one model on one release, as `hardfrost score` writes it."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from contract.schema.documents import Count, Document, Fraction, Integer, Sha256, Value
from contract.schema.metrics import MetricInfo
from contract.schema.names import degree_key

Interval = Annotated[tuple[Fraction, Fraction], Field(description="lower and upper bound")]
# Of a ratio that may exceed 1.
RatioInterval = Annotated[tuple[float, float], Field(description="lower and upper bound")]
EwmaStart = Literal["first", "zero"]
MOST_CHARACTERS = 10_000

ShortText = Annotated[str, Field(max_length=MOST_CHARACTERS)]


class BenchmarkInfo(Value):
    """The release that was scored."""

    name: str
    version: str
    manifest_sha256: Sha256


class ModelInfo(Value):
    """The model that was scored; all of it is written by its submitter."""

    name: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
    revision: ShortText | None = None
    url: ShortText | None = None
    organisation: ShortText | None = None
    n_parameters: Count | None = None
    licence: ShortText | None = None
    notes: ShortText | None = None
    is_surrogate_family: bool = False
    # The surrogate of the release that it is related to, where it is known which.
    surrogate: ShortText | None = None


class PredictionsInfo(Value):
    """The predictions file that was scored."""

    sha256: Sha256
    rows: Count


class ScoreSettings(Value):
    """Everything that can move a score; results compare only when these are equal."""

    beta: Fraction = 0.5
    ewma_start: EwmaStart = "first"
    min_samples: Count
    confidence: Fraction = 0.95
    resamples: Count = 0
    seed: Integer = 0
    validity_weights: str | None = None


class CleanScore(Value):
    """Scores on the unperturbed samples; `best_constant` is what the best constant answer would get.

    `metrics` holds the figures that have no field of their own, here and in every other part of a result.
    """

    accuracy: Fraction
    best_constant: Fraction | None = None
    ci: Interval | None = None
    n_samples: Count
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}


class DegreeScore(Value):
    """Scores at one degree; an interval is null without draws, and where no draw has a score."""

    average: Fraction
    average_ci: Interval | None = None
    worst: Fraction
    worst_ci: Interval | None = None
    worst_at: Fraction
    worst_at_ci: Interval | None = None
    accuracy_cases: Fraction
    accuracy_cases_ci: Interval | None = None
    relative_average: float | None = None
    relative_average_ci: RatioInterval | None = None
    relative_worst: float | None = None
    relative_worst_ci: RatioInterval | None = None
    attack_success_rate: Fraction | None = None
    attack_success_rate_ci: Interval | None = None
    n_attacked: Count | None = None
    mean_realised_degree: float | None = None
    n_samples: Count
    n_cases: Count
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}


class Aggregate(Value):
    """One number for many degrees, or for many dimensions."""

    ewma: Fraction
    ci: Interval | None = None


class Pair(Value):
    """The average and the worst estimate of the same thing."""

    average: Aggregate
    worst: Aggregate


class SettingScore(Value):
    """Scores of one task, dimension and setting; `average` and `worst` are null when not scored.

    Without a degree that is used there is nothing to score: every figure over degrees is null or left out.
    """

    degrees: dict[str, DegreeScore]
    degrees_used: tuple[str, ...]
    average: Aggregate | None
    worst: Aggregate | None
    not_scored: str | None = None
    # By K; a sample's cases at all degrees up to the highest used one are pooled.
    worst_at_k: dict[str, Fraction] = {}
    worst_at_k_ci: dict[str, Interval] = {}
    # How many samples have K such cases.
    worst_at_k_samples: dict[str, Count] = {}
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}

    @model_validator(mode="after")
    def _check_degrees(self) -> Self:
        unknown = [key for key in self.degrees_used if key not in self.degrees]
        if unknown:
            raise ValueError(
                f"uses degree {unknown[0]!r} but has no scores at it; score the predictions again"
            )
        figures = [name for name in _OVER_DEGREES if getattr(self, name)]
        if figures and not self.degrees_used:
            raise ValueError(
                f"has {', '.join(f'`{name}`' for name in figures)} but uses no degree, so that nothing can be"
                " scored; score the predictions again with `hardfrost score`"
            )
        return self


_OVER_DEGREES = tuple(
    name for name in SettingScore.model_fields if name not in {"degrees", "degrees_used", "not_scored"}
)


class TaskScore(Value):
    """Scores of one task: clean, then dimension, then setting; `clean` is null without clean rows."""

    clean: CleanScore | None
    dimensions: dict[str, dict[str, SettingScore]]


class Overall(Value):
    """The headline numbers: mean over tasks of the mean over settings of the mean over dimensions."""

    clean: Fraction | None
    clean_ci: Interval | None = None
    average: Aggregate
    worst: Aggregate
    settings: dict[str, Pair]
    general: Pair | None = None
    malicious: Pair | None = None
    dimensions: dict[str, Pair]
    validity_weighted: dict[str, Fraction] = {}
    validity_weighted_ci: dict[str, Interval] = {}
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}


class Replicates(Value):
    """`overall` on bootstrap draws shared by all models, so that any two results compare in pairs."""

    average: tuple[Fraction, ...]
    worst: tuple[Fraction, ...]


class WithoutOwnFamily(Value):
    """The overall scores of a surrogate's relative without the cases that were made against its family.

    `not_scored` names the parts that count otherwise and of which too few cases are left.
    """

    sources: tuple[str, ...]
    n_dropped: Count
    n_cases: Count
    average: Fraction | None
    worst: Fraction | None
    not_scored: tuple[str, ...] = ()


def signature_of(benchmark: BenchmarkInfo, settings: ScoreSettings, evaluator_version: str) -> str:
    """Return everything that can move a score, in one line to cite."""
    parts = {
        "benchmark": f"{benchmark.name}@{benchmark.version}",
        "manifest": benchmark.manifest_sha256[:12],
        "beta": degree_key(settings.beta),
        "start": settings.ewma_start,
        "min-samples": settings.min_samples,
        "confidence": degree_key(settings.confidence),
        "resamples": settings.resamples,
        "seed": settings.seed,
        **({} if settings.validity_weights is None else {"weights": settings.validity_weights}),
        "version": evaluator_version,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


class Result(Document):
    """A model's scores with everything needed to trust, compare and cite them."""

    SCHEMA: ClassVar[str] = "hardfrost/result/1"

    schema_: Literal["hardfrost/result/1"] = Field(alias="schema", default="hardfrost/result/1")
    benchmark: BenchmarkInfo
    model: ModelInfo
    evaluator_version: str
    predictions: PredictionsInfo
    settings: ScoreSettings
    signature: str
    tasks: dict[str, TaskScore]
    absent: tuple[str, ...] = ()
    overall: Overall | None
    replicates: Replicates | None = None
    without_own_family: WithoutOwnFamily | None = None
    measurements: dict[str, float | str | None] = {}
    # What its figures are called and how they are shown; results of before say nothing of it.
    metrics: tuple[MetricInfo, ...] = ()

    @model_validator(mode="after")
    def _check_signature(self) -> Self:
        expected = signature_of(self.benchmark, self.settings, self.evaluator_version)
        if self.signature != expected:
            raise ValueError(f"the signature is not that of these settings, which is {expected!r}")
        return self

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        # Leaving out can never raise a rank: what has no overall score has none.
        if self.absent and (self.overall is not None or self.replicates is not None):
            raise ValueError(
                f"{len(self.absent)} parts are absent, so that `overall` and `replicates` must be null"
            )
        return self
