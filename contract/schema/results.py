"""The result of one model on one release, as `hardfrost score` writes it."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from contract.machine.errors import bad_input
from contract.schema.attackers import Attackers, FoldSavings
from contract.schema.audits import AuditedRelease, DetectorScore
from contract.schema.documents import Count, Document, Fraction, Integer, Sha256, Value
from contract.schema.estimates import Estimated
from contract.schema.manifest import CLASSIFICATION, Mean, TaskKindName
from contract.schema.metrics import MetricInfo
from contract.schema.names import degree_key

Interval = Annotated[tuple[Fraction, Fraction], Field(description="lower and upper bound")]
# Of a ratio that may exceed 1.
RatioInterval = Annotated[tuple[float, float], Field(description="lower and upper bound")]
EwmaStart = Literal["first", "zero"]
MOST_CHARACTERS = 10_000
AUDIT_REFUSED = (
    "the result of an audit, whose cases were made against this model alone, so that it compares with no"
    " other model; predict and score a release of the benchmark instead"
)

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
    # Null: the mean that the release names for each task.
    mean: Mean | None = None
    # A degree with fewer samples is marked where it is shown.
    min_samples: Count
    confidence: Fraction = 0.95
    resamples: Count = 0
    seed: Integer = 0
    # Null: the weights that come with Hardfrost.
    validity_weights: str | None = None


class CleanScore(Value):
    """Scores on the unperturbed samples.

    `score` is the mean of the labels' recalls by which the task is scored, `balanced` their plain mean,
    `accuracy` the share of all samples that are right. `has_skill` tells whether the interval of `balanced`
    is above guessing; null without draws. `metrics` holds the figures that have no field of their own, here
    and in every other part of a result.
    """

    accuracy: Fraction
    ci: Interval | None = None
    score: Fraction
    score_ci: Interval | None = None
    balanced: Fraction
    balanced_ci: Interval | None = None
    recall: dict[str, Fraction] = {}
    has_skill: bool | None = None
    n_samples: Count
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}


class LabelRecall(Estimated, Value):
    """The robust recall of a label: of its clean samples, the share that is right when clean and attacked."""

    average: Fraction
    worst: Fraction


class TransferableScore(Value):
    """Plain accuracy on the cases of the transferable tier; nothing is ranked by it."""

    accuracy: Fraction
    n_cases: Count
    n_samples: Count


class DegreeScore(Estimated, Value):
    """Scores at one degree, over all clean samples of the task.

    `share_with_case` is the share of them that have a case at this degree. `average` and `worst` are null
    where the task has no clean rows, or of one label only; `worst_at` and `accuracy_cases` are about the
    cases of this degree and null where it has none. An interval is null without draws, and where no draw has
    a score.
    """

    average: Fraction | None = None
    average_ci: Interval | None = None
    worst: Fraction | None = None
    worst_ci: Interval | None = None
    worst_at: Fraction | None = None
    worst_at_ci: Interval | None = None
    accuracy_cases: Fraction | None = None
    accuracy_cases_ci: Interval | None = None
    relative_average: float | None = None
    relative_average_ci: RatioInterval | None = None
    relative_worst: float | None = None
    relative_worst_ci: RatioInterval | None = None
    attack_success_rate: Fraction | None = None
    attack_success_rate_ci: Interval | None = None
    n_attacked: Count | None = None
    # By label.
    recall: dict[str, LabelRecall] = {}
    transferable: TransferableScore | None = None
    share_with_case: Fraction
    mean_realised_degree: float | None = None
    # Samples that have a case at this degree.
    n_samples: Count
    n_cases: Count
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}


class Aggregate(Value):
    """One number for many degrees, or for many dimensions."""

    ewma: Fraction
    ci: Interval | None = None


class Pair(Estimated, Value):
    """The average and the worst estimate of the same thing."""

    average: Aggregate
    worst: Aggregate


class SettingScore(Estimated, Value):
    """Scores of one task, dimension and setting; `average` and `worst` are null when not scored.

    Without a degree that is used there is nothing to score: every figure over degrees is null or left out.
    """

    degrees: dict[str, DegreeScore]
    degrees_used: tuple[str, ...]
    average: Aggregate | None
    worst: Aggregate | None
    not_scored: str | None = None
    # The label whose robust recall falls farthest below its clean recall, over the degrees that are used.
    most_hurt_label: str | None = None
    # Over all degrees; each case counts once.
    transferable: TransferableScore | None = None
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
        # Cases of degrees that are not used count there, too.
        figures += ["transferable"] if self.transferable and not self.degrees else []
        if figures and not self.degrees_used:
            raise ValueError(
                f"has {', '.join(f'`{name}`' for name in figures)} but uses no degree, so that nothing can be"
                " scored; score the predictions again with `hardfrost score`"
            )
        return self


_OVER_DEGREES = tuple(
    name
    for name in SettingScore.model_fields
    if name not in {"degrees", "degrees_used", "not_scored", "transferable"}
)


class TaskScore(Value):
    """Scores of one task: clean, then dimension, then setting; `clean` is null without clean rows."""

    # Where texts have many labels, recalls are of tokens by tag, or of each label's texts; `accuracy` is then
    # over tokens, or over labels of texts, and a case that is right is right in all of it.
    kind: TaskKindName = CLASSIFICATION
    clean: CleanScore | None
    # How the figures of the labels are joined.
    mean: Mean
    dimensions: dict[str, dict[str, SettingScore]]
    # By group of dimensions, where degrees are probabilities.
    attackers: dict[str, Attackers] = {}
    # By dimension, where a fold can take cases back.
    folds: dict[str, FoldSavings] = {}

    @model_serializer(mode="wrap")
    def _without_what_few_have(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what results of before do not name: the usual kind, and figures that are not there."""
        value: dict[str, Any] = handler(self)
        unused = {name for name in ("attackers", "folds") if not value.get(name)}
        if self.kind == CLASSIFICATION:
            unused.add("kind")
        return {name: own for name, own in value.items() if name not in unused}


class Overall(Estimated, Value):
    """The headline numbers: mean over tasks of the means of `covers`, each a mean over `core` dimensions.

    Models are ranked by `worst`, which pages call robustness; `average` stands beside it.
    `attacked` is the mean over the attacked settings that a dimension has. Nothing below the headline mixes
    settings: `settings` has rule, attacked and each attacked setting; `groups`, `tags` and `dimensions` have
    these by setting.
    """

    # The halves of the headline: rule and attacked, or the one that the release has.
    covers: tuple[Literal["rule", "attacked", "imported"], ...]
    # The mean over tasks of their clean scores, and of their plain clean accuracies.
    clean: Fraction | None
    clean_ci: Interval | None = None
    clean_accuracy: Fraction | None = None
    average: Aggregate
    worst: Aggregate
    settings: dict[str, Pair]
    groups: dict[str, dict[str, Pair]] = {}
    tags: dict[str, dict[str, Pair]] = {}
    dimensions: dict[str, dict[str, Pair]]
    # Over all tasks, dimensions and attacked settings; each case counts once.
    transferable: TransferableScore | None = None
    # By name of the weights, then average or worst: `robtest-table3/average`.
    validity_weighted: dict[str, Fraction] = {}
    validity_weighted_ci: dict[str, Interval] = {}
    metrics: dict[str, float] = {}
    metrics_ci: dict[str, RatioInterval] = {}


class Replicates(Estimated, Value):
    """`overall` on bootstrap draws shared by all models, so that any two results compare in pairs."""

    average: tuple[Fraction, ...]
    worst: tuple[Fraction, ...]


class WithoutFamily(Estimated, Value):
    """The overall scores without the attempts made against a family, and tiers formed without its votes."""

    n_dropped: Count
    average: Fraction | None
    worst: Fraction | None
    # Plain accuracy on the cases that are transferable without the family's votes.
    transferable: TransferableScore | None = None


class Kin(Value):
    """How much a model's errors on random cases agree with a surrogate's, beyond what accuracies explain."""

    surrogate: str
    family: str
    # Cohen's kappa of being right; the mean over tasks.
    consistency: float
    is_kin: bool


def signature_of(
    scored: BenchmarkInfo | AuditedRelease, settings: ScoreSettings, evaluator_version: str
) -> str:
    """Return everything that can move a score, in one line to cite."""
    named = (
        {"benchmark": f"{scored.name}@{scored.version}"}
        if isinstance(scored, BenchmarkInfo)
        else {"audit": scored.data}
    )
    parts = {
        **named,
        "manifest": scored.manifest_sha256[:12],
        "beta": degree_key(settings.beta),
        "start": settings.ewma_start,
        **({} if settings.mean is None else {"mean": settings.mean}),
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

    SCHEMA: ClassVar[str] = "hardfrost/result/2"
    REMEDY: ClassVar[str] = (
        "its scores are defined otherwise: score the predictions again with `hardfrost score`"
    )

    schema_: Literal["hardfrost/result/2"] = Field(alias="schema", default="hardfrost/result/2")
    # Null in the result of an audit, whose cases were made against this very model.
    benchmark: BenchmarkInfo | None
    audit: AuditedRelease | None = None
    model: ModelInfo
    evaluator_version: str
    predictions: PredictionsInfo
    settings: ScoreSettings
    signature: str
    tasks: dict[str, TaskScore]
    absent: tuple[str, ...] = ()
    overall: Overall | None
    replicates: Replicates | None = None
    # By family of surrogates; empty where a release does not say which attempts were made against which.
    without_families: dict[str, WithoutFamily] = {}
    # For each surrogate that voted on random cases.
    kin: tuple[Kin, ...] = ()
    measurements: dict[str, float | str | None] = {}
    # Where the model was also scored as a detector of one label.
    detector: DetectorScore | None = None
    # What its figures are called and how they are shown; results of before say nothing of it.
    metrics: tuple[MetricInfo, ...] = ()

    @model_validator(mode="after")
    def _check_benchmark(self) -> Self:
        if (self.benchmark is None) == (self.audit is None):
            raise ValueError("expected either `benchmark` or `audit`; score the predictions again")
        return self

    @property
    def scored_release(self) -> BenchmarkInfo | AuditedRelease:
        """The benchmark, or the audit where there is none."""
        scored = self.benchmark or self.audit
        if scored is None:
            raise ValueError("a result without benchmark and audit")
        return scored

    @property
    def needed_benchmark(self) -> BenchmarkInfo:
        """The benchmark, where only results of one are taken."""
        if self.benchmark is None:
            raise bad_input(f"{self.model.name}: {AUDIT_REFUSED}")
        return self.benchmark

    @model_validator(mode="after")
    def _check_signature(self) -> Self:
        expected = signature_of(self.scored_release, self.settings, self.evaluator_version)
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
