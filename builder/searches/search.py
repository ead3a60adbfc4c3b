"""What a search is: samples and degrees in; candidates, and counts of what was dropped, out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference
from contract.schema.drop_reasons import Reason
from contract.schema.manifest import DegreeKind, Level, TextField
from contract.schema.records import Record

# Where counts and units have a degree: that of cases without one. No case has this degree.
NO_DEGREE = 0.0


@dataclass(frozen=True, kw_only=True)
class Source:
    """An attacked surrogate, and how it is asked."""

    name: str
    inference: Inference
    # A cheaper classifier that picks the candidates which an expensive source is shown.
    screener: Inference | None = None
    # How many candidates the source is shown for one case; after that, operations are drawn at random.
    max_queries: int = 1000


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """What to search: the samples of one task in one dimension, at all its degrees."""

    task: str
    perturbed: TextField
    samples: Sequence[Sample]
    dimension: AnyDimension
    degrees: Sequence[float]
    # How many cases are wanted of each sample and degree; in settings that attack a source, of this source.
    n_cases: int
    seed: int
    resources: Resources = field(default_factory=Resources)
    # In the settings that attack one, and the number of the first case made against it.
    source: Source | None = None
    first_case: int = 0
    # An attack returns up to so many attempts more, since filters may drop some.
    n_spare: int = 1
    # Another tool that searches, as textattack:NAME, and the dimensions of ours that it makes its edits with.
    tool: str | None = None
    tool_dimensions: Mapping[str, AnyDimension] = field(default_factory=dict)
    # Whether samples that the source has wrong are attacked, too: then no case tells what a source answers.
    attacks_all: bool = False
    # Whether every token has a label, so that a case must have as many as its original.
    keeps_tokens: bool = False
    # By label, the words that flip most texts of the source, for dimensions that take them.
    strong_words: Sequence[Sequence[str]] = ()

    @property
    def n_attempts(self) -> int:
        """How many attempts an attack returns at most for each sample and degree."""
        return self.n_cases + self.n_spare

    @property
    def attacked_source(self) -> Source:
        """The source, in the settings that attack one."""
        if self.source is None:
            raise ValueError("this setting attacks a source, and none was given")
        return self.source


@dataclass(slots=True)
class DegreeCounts:
    """What became of the samples and candidates of one degree."""

    n_samples: int = 0
    n_carrying: int = 0
    n_candidates: int = 0
    # By the name of the reason.
    n_dropped: dict[str, int] = field(default_factory=dict)
    # Of these, what a search has dropped, by sample and name of the reason.
    dropped: dict[tuple[str, str], int] = field(default_factory=dict)
    # Operations on the words of all samples that the dimension thought of, and those of them that it refused
    # itself, by the name of the reason; the same at every degree.
    n_proposed: int = 0
    n_refused: dict[str, int] = field(default_factory=dict)
    # In settings that attack a source: samples that carry the degree and that the source has right; of these,
    # those that have an attempt; of these, those of which an attempt fools the source, and those whose
    # strongest attempt hurts the source less than one of a lower degree.
    n_attackable: int = 0
    n_attacked: int = 0
    n_fooled: int = 0
    n_weaker: int = 0

    def count_dropped(self, reason: Reason, n: int = 1) -> None:
        """Count candidates that are dropped for a reason."""
        if n:
            self.n_dropped[reason.name] = self.n_dropped.get(reason.name, 0) + n

    def drop(self, reason: Reason, sample_id: str, n: int = 1) -> None:
        """Count candidates of a sample that the search drops, and note them so that they can be traced."""
        self.count_dropped(reason, n)
        if n:
            self.dropped[sample_id, reason.name] = self.dropped.get((sample_id, reason.name), 0) + n

    def refuse(self, reason: Reason, sample_id: str, n: int = 1) -> None:
        """Count candidates of a sample that are dropped as soon as they are counted."""
        self.n_candidates += n
        self.drop(reason, sample_id, n)

    def add(self, other: "DegreeCounts") -> None:
        """Add the counts of other samples."""
        self.n_samples += other.n_samples
        self.n_carrying += other.n_carrying
        self.n_candidates += other.n_candidates
        self.n_attackable += other.n_attackable
        self.n_attacked += other.n_attacked
        self.n_fooled += other.n_fooled
        self.n_weaker += other.n_weaker
        self.n_proposed += other.n_proposed
        for ours, theirs in ((self.n_dropped, other.n_dropped), (self.n_refused, other.n_refused)):
            for name, n in theirs.items():
                ours[name] = ours.get(name, 0) + n


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """The candidates that a search made, and its counts by degree; nothing is frozen yet."""

    records: list[Record]
    counts: dict[float, DegreeCounts]


@dataclass(frozen=True, kw_only=True)
class Search:
    """A setting: what the attacker knows, and how cases are found with it."""

    name: str
    summary: str
    run: Callable[[SearchRequest], SearchResult]
    levels: tuple[Level, ...] = ("char", "word", "sentence")
    degree_kinds: tuple[DegreeKind, ...] = ("budget", "bin")

    def can_make(self, dimension: AnyDimension) -> bool:
        """Whether the setting makes cases of a dimension."""
        return dimension.level in self.levels and dimension.degree_kind in self.degree_kinds
