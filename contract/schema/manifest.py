"""manifest.json: what a release contains, how it was made, and the hashes that freeze it."""

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from contract.schema.annotations import AnnotationInfo
from contract.schema.audits import AuditInfo
from contract.schema.checked_text import Line, Name, Version
from contract.schema.documents import Count, Document, Fraction, Sha256, Value
from contract.schema.names import CLEAN, TRAIN, config_name, split_name, split_path

Level = Literal["char", "word", "sentence"]
Tag = Literal["general", "malicious"]
Measure = Literal["edit", "words", "embedding"]
# imported: from another benchmark, which does not record what the attacker knew.
# live: made against the very model that is scored, by an audit.
Setting = Literal["rule", "score", "gradient", "imported", "live"]
TextField = Literal["text", "text_pair"]
# budget: the degree is met exactly; bin: cases are sorted by realised degree; probability: each word is
# attacked with it, up to this share of all words; none: a split without degrees.
DegreeKind = Literal["budget", "bin", "probability", "none"]
Tier = Literal["transferable"]
# classification: one label a text; multilabel: any number of them; tagging: one a token.
TaskKindName = Literal["classification", "multilabel", "tagging"]
CLASSIFICATION: TaskKindName = "classification"
# How the figures of a task's labels are joined. geometric: their geometric mean; above-chance: how far their
# mean is above guessing, for tasks with so many labels that one of them is often lost.
Mean = Literal["geometric", "above-chance", "balanced", "plain"]
# Dimensions that have a mean of their own; the headline is about `core`.
DimensionGroup = Literal["core", "zeroe", "invisible", "single-word"]
CORE: DimensionGroup = "core"
# Benchmarks of others that can be imported.
ImportedFrom = Literal["advglue", "anli", "advsquad", "checklist", "stresstest", "counterfactual", "contrast"]

# Of these, those whose people changed texts so that labels turn.
TURNED_LABELS: frozenset[ImportedFrom] = frozenset({"counterfactual", "contrast"})


class TaskInfo(Value):
    """A labelled data set of a release."""

    name: Name
    kind: TaskKindName = CLASSIFICATION
    group: str | None = None
    labels: tuple[Line, ...] = Field(min_length=2)
    fields: tuple[Line, ...] = Field(min_length=1, max_length=2)
    perturbed: TextField = "text"
    metrics: tuple[str, ...] = ("accuracy",)
    mean: Mean = "geometric"
    source: str
    source_sha256: Sha256 | None = None
    licence: str
    has_public_labels: bool = True
    # False where others froze cases without their originals: then samples may lack a clean row.
    has_all_originals: bool = True
    n_samples: Count
    n_train: Count


class DimensionInfo(Value):
    """A robustness dimension as this release has it; `order` is its place in tables."""

    name: Name
    level: Level | None = None
    tag: Tag | None = None
    measure: Measure | None = None
    group: DimensionGroup = CORE
    degree_kind: DegreeKind
    degrees: tuple[Fraction, ...]
    order: Count
    summary: str = ""
    stands_for: str = ""


class SurrogateInfo(Value):
    """A classifier used while building, as trained for one task."""

    name: Line
    kind: Line
    # Surrogates of a family read a text in the same way.
    family: Line
    task: Name
    weights_sha256: Sha256
    clean_accuracy: Fraction | None = None
    n_train: Count | None = None
    is_source: bool = False


class AttackInfo(Value):
    """What an attack on one source gave at one degree: samples before filters, and frozen attempts."""

    # Samples that carry the degree and that the source has right.
    n_attackable: Count
    # Of these, those that have an attempt; of these, those of which an attempt fools the source.
    n_attacked: Count
    n_fooled: Count
    # Of the attacked samples, those whose strongest attempt hurts the source less than one of a lower degree.
    n_weaker: Count = 0
    # The attempts that are frozen.
    n_frozen: Count = 0


class QueriesInfo(Value):
    """How many questions a surrogate was asked for one task, dimension and setting.

    `n_search` while cases were searched against it, `n_screening` about finished ones; `n_not_asked` of these
    have no vote of it, since it could change nothing.
    """

    task: str
    dimension: str
    setting: Setting
    surrogate: str
    n_search: Count
    n_screening: Count
    n_not_asked: Count = 0


class MethodInfo(Value):
    """What became of the cases of one method, a published attack, in a cell of the funnel."""

    n_carrying: Count
    # By reason, what filters and people took away; what a search itself drops is counted in the cell.
    n_dropped: dict[str, Count] = {}
    n_frozen: Count = 0
    n_samples_frozen: Count = 0
    n_transferable: Count = 0
    n_samples_transferable: Count = 0


class FunnelInfo(Value):
    """What became of the candidates of one task, dimension, setting and degree."""

    task: str
    dimension: str
    setting: Setting
    degree: Fraction | None
    n_samples: Count
    n_carrying: Count
    n_candidates: Count
    n_dropped: dict[str, Count]
    # Operations on the words of the samples that the dimension thought of, and those that it refused before
    # any search, by reason: the same at every degree. None where a dimension does not count them.
    n_proposed: Count = 0
    n_refused: dict[str, Count] = {}
    n_frozen: Count
    n_samples_frozen: Count
    # Of the frozen cases of attacks, those that fool their source.
    n_source_fooled: Count = 0
    # Of the frozen cases and samples, those of the transferable tier.
    n_transferable: Count = 0
    n_samples_transferable: Count = 0
    # By source, in the settings that attack one.
    attacks: dict[str, AttackInfo] = {}
    # By name, where methods searched.
    methods: dict[str, MethodInfo] = {}


class SplitInfo(Value):
    """One file of a release; a split with no rows is listed with 0 and has no file."""

    task: Name
    dimension: Name
    setting: Setting | None
    degree: Fraction | None
    # The file of an attacked split without a tier holds the cases that are in none.
    tier: Tier | None = None
    path: str
    rows: Count
    samples: Count
    mean_realised_degree: float | None = None
    # Of cases and originals, over the characters of the original; where degrees are probabilities, which do
    # not tell it.
    mean_edit_distance: float | None = None
    bytes: Count = 0
    sha256: Sha256 | None = None
    rows_sha256: Sha256 | None = None
    # Of ids, texts and labels alone: the same where only votes or measured figures differ.
    texts_sha256: Sha256 | None = None

    @property
    def config(self) -> str:
        """The Hub config this split belongs to."""
        return config_name(self.task, self.dimension, self.setting)

    @property
    def name(self) -> str:
        """The split's name inside its config."""
        if self.dimension == TRAIN:
            return "train"
        return split_name(None if self.dimension == CLEAN else self.degree)

    @property
    def is_adversarial(self) -> bool:
        """Whether it holds cases, not clean or training rows."""
        return self.dimension not in {CLEAN, TRAIN}


class OverlapInfo(Value):
    """Rows removed from a training source because they equal a benchmark sample on letters and digits."""

    task: str
    training_source: str
    n_removed: Count


class Manifest(Document):
    """The frozen description of a release."""

    SCHEMA: ClassVar[str] = "hardfrost/manifest/2"
    REMEDY: ClassVar[str] = (
        "version 2 keeps every attempt of an attack: build the release again from its recipe, or read it with"
        " the version of Hardfrost that made it"
    )

    schema_: Literal["hardfrost/manifest/2"] = Field(alias="schema", default="hardfrost/manifest/2")
    name: Name
    version: Version
    seed: int
    min_samples: Count
    recipe: dict[str, Any]
    recipe_sha256: Sha256
    columns: tuple[str, ...]
    tasks: tuple[TaskInfo, ...]
    dimensions: tuple[DimensionInfo, ...]
    surrogates: tuple[SurrogateInfo, ...]
    funnel: tuple[FunnelInfo, ...]
    queries: tuple[QueriesInfo, ...] = ()
    overlap: tuple[OverlapInfo, ...]
    libraries: dict[str, str]
    canary: Line
    labels: Literal["public", "withheld"] = "public"
    # The hash of a secret salt and the labels, where these are withheld: proves later that they are the same.
    commitment: Sha256 | None = None
    # Where labels are withheld, the cells (task/dimension/setting) kept back because they would tell labels.
    left_out: tuple[Line, ...] = ()
    # The benchmark that it was imported from, if any; `case` is then the row's place in that benchmark's
    # list of the task.
    imported_from: ImportedFrom | None = None
    # Where the cases are made against one model: then it is no benchmark of others.
    audit: AuditInfo | None = None
    # Where people judged cases, and invalid ones were dropped.
    annotation: AnnotationInfo | None = None
    splits: tuple[SplitInfo, ...]

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        """Refuse a manifest whose parts name others that it does not list, or the same one twice."""
        tasks, dimensions = ([part.name for part in parts] for parts in (self.tasks, self.dimensions))
        _refuse_twice("tasks", tasks)
        _refuse_twice("dimensions", dimensions)
        _refuse_twice("surrogates", [(info.task, info.name) for info in self.surrogates])
        _refuse_twice("splits", [split.path for split in self.splits])
        for task in self.tasks:
            _refuse_twice(f"labels of task {task.name}", task.labels)
        used = [split.task for split in self.splits] + [info.task for info in self.surrogates]
        for name in used:
            if name not in tasks:
                raise ValueError(f"a split or surrogate is of task {name!r}, which `tasks` does not list")
        for split in self.splits:
            if split.is_adversarial and split.dimension not in dimensions:
                raise ValueError(f"a split is of dimension {split.dimension!r}, which is not listed")
            # Paths of an untrusted manifest are never followed: they must be the ones that the names give.
            expected = split_path(split.task, split.dimension, split.setting, split.degree, split.tier)
            if split.path != expected:
                raise ValueError(f"path {split.path!r} should be {expected!r}")
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as a JSON value; what few releases have is left out of the others."""
        value = super().to_json()
        if self.annotation is None:
            del value["annotation"]
        for split in value["splits"]:
            if split["mean_edit_distance"] is None:
                del split["mean_edit_distance"]
        return value

    def task(self, name: str) -> TaskInfo:
        """Return a task of the release by name."""
        return next(task for task in self.tasks if task.name == name)

    def surrogates_of(self, task: str) -> list[SurrogateInfo]:
        """Return a task's surrogates in the order in which rows list their predictions."""
        return [surrogate for surrogate in self.surrogates if surrogate.task == task]

    def empty_cells(self, task: str) -> list[tuple[str, Setting]]:
        """Return the dimensions and settings of a task that were tried but of which no case was frozen."""
        n_rows: dict[tuple[str, Setting], int] = {}
        for split in self.splits:
            if split.task == task and split.is_adversarial and split.setting is not None:
                cell = (split.dimension, split.setting)
                n_rows[cell] = n_rows.get(cell, 0) + split.rows
        return [cell for cell, n in n_rows.items() if not n]

    def dimension_order(self) -> list[str]:
        """Return the names of the dimensions as tables list them."""
        return [info.name for info in sorted(self.dimensions, key=lambda info: info.order)]


def _refuse_twice(what: str, names: Iterable[Hashable]) -> None:
    listed = list(names)
    if len(set(listed)) != len(listed):
        raise ValueError(f"{what}: the same one stands twice")
