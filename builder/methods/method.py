"""What a method is: an attack that others published, by its name, inside one of our dimensions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from builder.models.resources import ResourceName
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.manifest import Setting
from contract.schema.names import check_name

# Searches for cases in one of the method's settings; each asks models about many texts at once.
Run = Callable[[SearchRequest, Setting], SearchResult]
# What a parameter is: a number, or words where a number does not say it.
Value = float | int | str


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A number that decides what a method does: the paper's value, and ours as the code has it."""

    name: str
    paper: Value
    # A function where packaged data must be read to know it.
    ours: Value | Callable[[], Value]

    @property
    def value(self) -> Value:
        """Our value."""
        return self.ours() if callable(self.ours) else self.ours

    @property
    def departs(self) -> bool:
        """Whether ours is another value."""
        return self.paper != self.value


@dataclass(frozen=True, kw_only=True)
class Method:
    """A published attack inside a dimension: it gives attempts there, at the dimension's degrees.

    What it makes is measured, filtered and voted on like everything else in its dimension. Each departure
    says in one sentence what the paper does and what we do instead.
    """

    name: str
    summary: str
    # Who published it, when and where.
    paper: str
    dimension: str
    settings: tuple[Setting, ...]
    parameters: tuple[Parameter, ...] = ()
    departures: tuple[str, ...] = ()
    function: Run
    # What its cases depend on beside what the dimension uses.
    uses: tuple[ResourceName, ...] = ()

    def __post_init__(self) -> None:
        """Raise an error that names what a reader of the table would miss."""
        check_name(self.name, "method")
        empty = [key for key in ("summary", "paper", "settings") if not getattr(self, key)]
        if empty:
            raise ValueError(f"method {self.name}: {' and '.join(empty)} must not be empty")

    def fits(self, dimension: str, setting: Setting) -> bool:
        """Whether the method makes cases of a dimension in a setting."""
        return dimension == self.dimension and setting in self.settings


def methods_of(methods: Iterable[Method], dimension: str, setting: Setting) -> list[Method]:
    """Return those that make cases of a dimension in a setting, in their order."""
    return [method for method in methods if method.fits(dimension, setting)]
