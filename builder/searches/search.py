"""What a search is: samples and degrees in; candidates, and counts of what was refused, out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from builder.measures.measure import Change
from builder.measures.words import WORDS
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension, Dimension, WordsOfText
from builder.operations.operation import Operation, Operations
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference
from contract.schema.edits import Edit, Word, words_of
from contract.schema.manifest import Level, TextField
from contract.schema.names import case_id
from contract.schema.records import Record


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """What to search: the samples of one task in one dimension, at all its degrees."""

    task: str
    perturbed: TextField
    samples: Sequence[Sample]
    dimension: AnyDimension
    degrees: Sequence[float]
    n_cases: int
    seed: int
    resources: Resources = field(default_factory=Resources)
    # Who is attacked, in the settings that attack, and the number of the first case made against him.
    attacked: "Victim | None" = None
    first_case: int = 0
    # Another tool to search with, as textattack:NAME.
    tool: str | None = None

    @property
    def victim(self) -> "Victim":
        """The source, in the settings that attack one."""
        if self.attacked is None:
            raise ValueError("this setting attacks a source, and none was given")
        return self.attacked


@dataclass(frozen=True, kw_only=True)
class Victim:
    """A source, and how it is asked."""

    name: str
    inference: Inference
    # A cheaper classifier that sorts out candidates before an expensive source sees them.
    screener: Inference | None = None
    # Candidates that the source is shown for one case; then operations are drawn at random.
    max_queries: int = 1000


@dataclass(slots=True)
class Tally:
    """What became of one degree's samples and candidates; drops are counted by reason."""

    n_samples: int = 0
    n_carrying: int = 0
    n_candidates: int = 0
    n_dropped: dict[str, int] = field(default_factory=dict)
    # Samples attacked with a case at this degree, and those of which a case fools the source.
    n_attacked: int = 0
    n_fooled: int = 0

    def drop(self, reason: str, n: int = 1) -> None:
        """Count candidates that are dropped for a reason."""
        if n:
            self.n_dropped[reason] = self.n_dropped.get(reason, 0) + n

    def add(self, other: "Tally") -> None:
        """Count what another tally has counted, too."""
        self.n_samples += other.n_samples
        self.n_carrying += other.n_carrying
        self.n_candidates += other.n_candidates
        self.n_attacked += other.n_attacked
        self.n_fooled += other.n_fooled
        for reason, n in other.n_dropped.items():
            self.drop(reason, n)


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The candidates of a search and a tally for each degree; nothing is frozen yet."""

    records: list[Record]
    tallies: dict[float, Tally]


@dataclass(frozen=True, kw_only=True)
class Search:
    """A setting: what the attacker knows, and how cases are found with it."""

    name: str
    summary: str
    run: Callable[[SearchRequest], Findings]
    levels: tuple[Level, ...] = ("char", "word", "sentence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Operations with the word each is done to."""

    word: Word
    operation: Operation

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The operation's edits, counted from the start of the text."""
        return tuple(edit.shifted(self.word.start) for edit in self.operation.edits)


def texts_of(request: SearchRequest) -> list[WordsOfText]:
    """Return the texts under attack with their words and labels."""
    texts = [(sample.field(request.perturbed), sample.label) for sample in request.samples]
    return [WordsOfText(text, words_of(text), label) for text, label in texts]


def edits_of(placed: Iterable[Placed]) -> list[Edit]:
    """Return the edits of all operations in the order of the text."""
    return sorted(edit for item in placed for edit in item.edits)


def carries(units: int, budget: int, next_degree: float, available: int) -> bool:
    """Whether a text can show a degree: enough to edit, and a budget that is no higher degree by itself."""
    return 0 < budget <= available and budget <= Fraction(repr(next_degree)) * units


def next_degrees(degrees: Sequence[float]) -> list[float]:
    """Return for each degree the next one of the dimension; at the top, its double."""
    return [*degrees[1:], 2 * degrees[-1]]


def available_units(dimension: Dimension, operations: Sequence[Operations]) -> int:
    """Return how much of the measure's units the operations on all words can change."""
    if dimension.is_one_operation_a_word:
        return sum(1 for of_word in operations if len(of_word))
    return sum(of_word.capacity for of_word in operations)


def record_of(
    request: SearchRequest,
    sample: Sample,
    change: Change,
    *,
    setting: str,
    degree: float,
    case: int,
    method: str,
    realised_degree: float,
    source: str | None = None,
) -> Record:
    """Return the row of a candidate; votes come later."""
    on_text = request.perturbed == "text"
    return Record(
        id=case_id(sample.id, request.dimension.name, setting, degree, case),
        sample_id=sample.id,
        text=change.text if on_text else sample.text,
        text_pair=sample.text_pair if on_text else change.text,
        original_text=sample.text,
        original_text_pair=sample.text_pair,
        label=sample.label,
        task=request.task,
        dimension=request.dimension.name,
        setting=setting,
        degree=degree,
        realised_degree=realised_degree,
        case=case,
        method=method,
        source=source,
        field=request.perturbed,
        edits=tuple((request.perturbed, edit) for edit in change.edits),
        word_modification_rate=WORDS.realised(change),
    )


def numbered(request: SearchRequest, record: Record, case: int) -> Record:
    """Return a candidate of a source under another number, and named after the source."""
    name = case_id(record.sample_id, record.dimension, record.setting or "", record.degree, case)
    return replace(record, id=name, case=case, source=request.victim.name)
