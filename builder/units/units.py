"""Units of work: named by the hash of everything that can change their result."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.methods import METHODS
from builder.models.resources import ResourceName, Resources
from builder.operations.dimension import (
    AnyDimension,
    ProbabilityDimension,
    SentenceDimension,
    SingleWordDimension,
)
from builder.searches import SEARCHES
from builder.searches.textattacks.attacks import dimensions_of
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.values.samples import Sample
from contract.machine.code import hash_of_code, installed_version
from contract.machine.hashes import hash_of
from contract.schema.manifest import Setting, TextField


@dataclass(frozen=True, kw_only=True)
class Attack:
    """The source that the cases of a unit are made against, and how it is attacked."""

    source: SurrogateRef
    # A cheaper surrogate that ranks candidates before the source sees them, where there is one.
    screener: SurrogateRef | None
    max_queries: int
    # The number of the first case: no two sources share numbers.
    first_case: int
    # The external tool that searches instead of our own search, as textattack:NAME.
    tool: str | None = None
    # Whether samples that the source has wrong are attacked, too.
    attacks_all: bool = False


def attack_title(source: str, attacker: str | None) -> str:
    """Return what counts call an attack: its source, or the method or tool against it."""
    return source if attacker is None else f"{attacker} against {source}"


@dataclass(frozen=True, kw_only=True)
class CaseUnit:
    """Perturbs, measures and filters some samples of a task in one dimension and setting, at all degrees."""

    task: str
    perturbed: TextField
    samples: tuple[Sample, ...]
    dimension: str
    degrees: tuple[float, ...]
    setting: Setting
    n_cases: int
    # Further attempts against a source, for those that filters drop.
    n_spare: int = 0
    seed: int
    filters: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    # The name of the word list in the cache; `resources` holds the rest.
    associations: str
    resources: Resources
    # None in the setting that asks no model.
    attack: Attack | None = None
    # The published attack that searches instead of our own search, by name.
    method: str | None = None
    # The number of the first random case: no two methods share numbers.
    first_case: int = 0
    # Whether a case must have as many tokens as its original.
    keeps_tokens: bool = False
    # By label, the words of the source that a dimension takes; empty for all others.
    strong_words: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def key(self) -> str:
        """The hash of everything that can change the cases, the code of the parts included."""
        code = _code_of((self.dimension, *self.tool_dimensions), self.setting, self.filter_names, self.method)
        used = set(self.used)
        resources = self.resources.fingerprint(used - {"associations"})
        if "associations" in used:
            resources["associations"] = self.associations
        answers = [surrogate.fingerprint for surrogate in self.asked]
        fields = {**asdict(self), "associations": None, "resources": resources}
        if not self.keeps_tokens:
            # Units of before this field keep their names.
            del fields["keeps_tokens"]
        if not self.strong_words:
            # So that the names of other units are what they were before there were such words.
            del fields["strong_words"]
        # Only units that let TextAttack search depend on its version.
        tool = installed_version("textattack") if self.attack and self.attack.tool else None
        return hash_of({**fields, "code": code, "answers": answers, "tool": tool})

    @property
    def asked(self) -> tuple[SurrogateRef, ...]:
        """The surrogates that are asked."""
        if self.attack is None:
            return ()
        screener = self.attack.screener
        return (self.attack.source,) if screener is None else (self.attack.source, screener)

    @property
    def inputs(self) -> "tuple[Unit, ...]":
        """The units whose files this one reads."""
        return ()

    @property
    def first(self) -> "CaseUnit":
        """The unit itself: it says which samples, dimension and setting its work is about."""
        return self

    @property
    def used(self) -> Iterator[ResourceName]:
        """The resources that can change the cases."""
        dimension = DIMENSIONS[self.dimension]
        yield from dimension.uses
        for name in self.tool_dimensions:
            yield from DIMENSIONS[name].uses
        if self.method is not None:
            yield from METHODS[self.method].uses
        for name in self.filter_names:
            if dimension.level in FILTERS[name].levels:
                yield from FILTERS[name].uses

    @property
    def tool_dimensions(self) -> tuple[str, ...]:
        """The dimensions that another tool makes its edits with."""
        return dimensions_of(self.attack.tool) if self.attack else ()

    @property
    def filter_names(self) -> tuple[str, ...]:
        """The filters in the order in which they are applied."""
        return tuple(name for name, _ in self.filters)

    @property
    def subject(self) -> str:
        """What a person calls the cases: task, dimension, setting and samples."""
        return " ".join([*self._place, self._sample_range])

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        attacker = [] if self.attacker is None else [self.attacker]
        against = [] if self.attack is None else ["against", self.attack.source.name]
        return " ".join([*self._place, *attacker, *against, self._sample_range])

    @property
    def attacker(self) -> str | None:
        """The method or tool that searches instead of our own search."""
        return self.method or (None if self.attack is None else self.attack.tool)

    @property
    def attack_title(self) -> str | None:
        """What counts call the attack on a source; nothing in the setting that attacks none."""
        return None if self.attack is None else attack_title(self.attack.source.name, self.attacker)

    @property
    def _place(self) -> tuple[str, str, str]:
        return self.task, self.dimension, self.setting

    @property
    def _sample_range(self) -> str:
        return f"{self.samples[0].id}…{self.samples[-1].id}"


@dataclass(frozen=True, kw_only=True)
class VoteUnit:
    """Asks one surrogate about the random cases of one unit."""

    cases: CaseUnit
    surrogate: SurrogateRef

    @cached_property
    def key(self) -> str:
        """The hash of the cases and of what decides the votes."""
        return hash_of([self.cases.key, self.surrogate.fingerprint])

    @property
    def asked(self) -> tuple[SurrogateRef, ...]:
        """The surrogates that are asked."""
        return (self.surrogate,)

    @property
    def inputs(self) -> "tuple[Unit, ...]":
        """The units whose files this one reads."""
        return (self.cases,)

    @property
    def first(self) -> CaseUnit:
        """The unit whose cases are voted on."""
        return self.cases

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.cases.title} ← {self.surrogate.name}"


@dataclass(frozen=True, kw_only=True)
class PanelUnit:
    """Chooses among the cases of all attacks on some samples, asks the panel, and forms the tier."""

    # The units of the same samples: one for each source, and for each external tool.
    cases: tuple[CaseUnit, ...]
    # In the manifest's order, the sources among them.
    surrogates: tuple[SurrogateRef, ...]
    # The family of each.
    families: tuple[str, ...]
    # The names of the expensive surrogates: they are asked last, and about as few cases as possible.
    expensive: tuple[str, ...] = ()
    min_fooled: float
    # How many cases of one sample and degree are kept.
    n_wanted: int

    @property
    def expensive_numbers(self) -> tuple[int, ...]:
        """The positions of the expensive surrogates in the manifest's order."""
        return tuple(
            number for number, surrogate in enumerate(self.surrogates) if surrogate.name in self.expensive
        )

    @cached_property
    def key(self) -> str:
        """The hash of the cases, the weights and the code."""
        answers = [surrogate.fingerprint for surrogate in self.surrogates]
        cases = [unit.key for unit in self.cases]
        rules = [self.families, self.expensive, self.min_fooled, self.n_wanted]
        return hash_of([cases, answers, rules, _panel_code()])

    @property
    def asked(self) -> tuple[SurrogateRef, ...]:
        """The surrogates that are asked."""
        return self.surrogates

    @property
    def inputs(self) -> "tuple[Unit, ...]":
        """The units whose files this one reads."""
        return self.cases

    @property
    def first(self) -> CaseUnit:
        """The first of the units whose cases are voted on."""
        return self.cases[0]

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.first.subject} ← all surrogates"


Unit = CaseUnit | VoteUnit | PanelUnit


@lru_cache(maxsize=1024)
def _code_of(dimensions: tuple[str, ...], setting: str, filters: tuple[str, ...], method: str | None) -> str:
    """Return the hash of the source code that makes a unit's cases, so that new code makes new units."""
    parts = [DIMENSIONS[name] for name in dimensions]
    functions = [
        *map(_maker, parts),
        SEARCHES[setting].run,
        *(FILTERS[name].check for name in filters),
        *(() if method is None else (METHODS[method].function,)),
    ]
    return hash_of_code((function.__module__ for function in functions), alone=["builder.run.make_cases"])


def _maker(dimension: AnyDimension) -> Callable[..., object]:
    """Return the function with which a dimension changes texts."""
    match dimension:
        case SentenceDimension():
            return dimension.write_series
        case ProbabilityDimension():
            return dimension.attack
        case SingleWordDimension():
            return dimension.propose_words
    return dimension.propose


@lru_cache(maxsize=1)
def _panel_code() -> str:
    return hash_of_code(
        ["builder.panel.places", "builder.panel.transferability"], alone=["builder.panel.voting"]
    )
