"""Units of work: named by the hash of everything that can change their result."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.models.resources import ResourceName, Resources
from builder.operations.dimension import SentenceDimension
from builder.searches import SEARCHES
from builder.values.samples import Sample
from classifiers import KINDS, TRAINABLE_KINDS
from contract.machine.code import ANSWERS, hash_of_code, installed_version
from contract.machine.files import hash_of
from contract.schema.manifest import Setting, TextField


@dataclass(frozen=True, kw_only=True)
class Weights:
    """A surrogate by name, by its kind and by the hash of its weights."""

    name: str
    kind: str
    sha256: str

    @property
    def fingerprint(self) -> list[str]:
        """What decides its answers: the weights, and the code that asks them."""
        return [self.sha256, answering_code(self.kind)]


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Whom the cases of a unit are made against."""

    source: Weights
    # Cheaper than the source, where there is such a one.
    screener: Weights | None
    max_queries: int
    # The number of the first case: sources do not share numbers.
    first_case: int
    # What searches, if not we.
    tool: str | None = None


@dataclass(frozen=True, kw_only=True)
class CaseUnit:
    """Perturb, measure and filter: some samples of a task in one dimension and setting, at all degrees."""

    task: str
    perturbed: TextField
    samples: tuple[Sample, ...]
    dimension: str
    degrees: tuple[float, ...]
    setting: Setting
    n_cases: int
    seed: int
    filters: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    # The name of the list in the cache; the resources hold the rest.
    associations: str
    resources: Resources
    # None in the setting that asks no model.
    attack: Attack | None = None

    @cached_property
    def key(self) -> str:
        """The hash of everything that can change the cases, the code of the parts included."""
        code = _code_of(self.dimension, self.setting, self.filter_names)
        used = set(self.used)
        resources = self.resources.fingerprint(used - {"associations"})
        if "associations" in used:
            resources["associations"] = self.associations
        answers = [each.fingerprint for each in self.asked]
        own = {**asdict(self), "associations": None, "resources": resources}
        # Only who lets TextAttack search depends on it.
        tool = installed_version("textattack") if self.attack and self.attack.tool else None
        return hash_of({**own, "code": code, "answers": answers, "tool": tool})

    @property
    def asked(self) -> tuple[Weights, ...]:
        """The surrogates that are asked."""
        if self.attack is None:
            return ()
        screener = self.attack.screener
        return (self.attack.source,) if screener is None else (self.attack.source, screener)

    @property
    def used(self) -> Iterator[ResourceName]:
        """The resources that can change the cases."""
        dimension = DIMENSIONS[self.dimension]
        yield from dimension.uses
        for name in self.filter_names:
            if dimension.level in FILTERS[name].levels:
                yield from FILTERS[name].uses

    @property
    def filter_names(self) -> tuple[str, ...]:
        """The filters in the order in which they are asked."""
        return tuple(name for name, _ in self.filters)

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        against = (
            ""
            if self.attack is None
            else f" {self.attack.tool or ''} against {self.attack.source.name}".replace("  ", " ")
        )
        return (
            f"{self.task} {self.dimension} {self.setting}{against} {self.samples[0].id}…{self.samples[-1].id}"
        )


@dataclass(frozen=True, kw_only=True)
class VoteUnit:
    """Ask one surrogate about the cases of one unit."""

    cases: CaseUnit
    surrogate: Weights

    @cached_property
    def key(self) -> str:
        """The hash of the cases and of what decides the votes."""
        return hash_of([self.cases.key, self.surrogate.fingerprint])

    @property
    def asked(self) -> tuple[Weights, ...]:
        """The surrogates that are asked."""
        return (self.surrogate,)

    @property
    def first(self) -> CaseUnit:
        """The unit whose cases are judged."""
        return self.cases

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.cases.title} ← {self.surrogate.name}"


@dataclass(frozen=True, kw_only=True)
class ScreenUnit:
    """Ask surrogates, one after the other, which cases of the attacks on some samples fool the others."""

    # The units of the same samples: one for each source, and for each tool.
    cases: tuple[CaseUnit, ...]
    # In the manifest's order, the sources among them.
    surrogates: tuple[Weights, ...]
    # The names of those that cost much: what the others have left is heard by them later.
    late: tuple[str, ...] = ()
    min_fooled: float

    @property
    def late_numbers(self) -> tuple[int, ...]:
        """The places of those that cost much among the surrogates."""
        return tuple(number for number, each in enumerate(self.surrogates) if each.name in self.late)

    @property
    def n_wanted(self) -> int:
        """How many cases of one sample and degree are kept."""
        return self.cases[0].n_cases

    @cached_property
    def key(self) -> str:
        """The hash of the cases, the weights and the code."""
        answers = [each.fingerprint for each in self.surrogates]
        cases = [unit.key for unit in self.cases]
        return hash_of([cases, answers, self.late, self.min_fooled, _screening_code()])

    @property
    def asked(self) -> tuple[Weights, ...]:
        """The surrogates that are asked."""
        return self.surrogates

    @property
    def first(self) -> CaseUnit:
        """The first of the units whose cases are judged."""
        return self.cases[0]

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.subject} ← all{' but ' * bool(self.late)}{', '.join(self.late)}"

    @property
    def subject(self) -> str:
        """What a person calls the cases."""
        first = self.first
        return f"{first.task} {first.dimension} {first.setting} {first.samples[0].id}…{first.samples[-1].id}"


@dataclass(frozen=True, kw_only=True)
class JuryUnit:
    """Ask the surrogates that cost much about what the others have left of some samples at some degrees."""

    screened: ScreenUnit
    # Pairs of a sample and a degree; None: all.
    groups: tuple[tuple[str, float], ...] | None

    @cached_property
    def key(self) -> str:
        """The hash of what was screened, and of what is heard of it."""
        return hash_of([self.screened.key, self.groups])

    @property
    def asked(self) -> tuple[Weights, ...]:
        """The surrogates that are asked."""
        return tuple(self.screened.surrogates[number] for number in self.screened.late_numbers)

    @property
    def first(self) -> CaseUnit:
        """The first of the units whose cases are judged."""
        return self.screened.first

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.screened.subject} ← {', '.join(self.screened.late)}"


Unit = CaseUnit | VoteUnit | ScreenUnit | JuryUnit


@lru_cache(maxsize=1024)
def _code_of(dimension: str, setting: str, filters: tuple[str, ...]) -> str:
    """Return the hash of the source code that makes a unit's cases, so that new code makes new units."""
    part = DIMENSIONS[dimension]
    functions = [
        part.write_series if isinstance(part, SentenceDimension) else part.propose,
        SEARCHES[setting].run,
        *(FILTERS[name].check for name in filters),
    ]
    return hash_of_code((function.__module__ for function in functions), alone=["builder.run.perturbing"])


@lru_cache(maxsize=1)
def _screening_code() -> str:
    return hash_of_code(["builder.panel.transferability"], alone=["builder.panel.screening"])


@lru_cache(maxsize=64)
def answering_code(kind: str) -> str:
    """Return the hash of the code that turns a surrogate's weights and a text into an answer."""
    found = TRAINABLE_KINDS[kind] if kind in TRAINABLE_KINDS else KINDS[kind]
    modules = ["classifiers.machinery.inference", found.load.__module__]
    # What was not trained here may consist of anything that was.
    modules += [] if kind in TRAINABLE_KINDS else ["classifiers.kept.external"]
    return hash_of_code(modules, ANSWERS)
