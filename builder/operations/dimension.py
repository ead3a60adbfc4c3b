"""What a dimension is: a name, a measure, degrees, and how it changes words or rewrites texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from builder.models.resources import ResourceName, Resources
from builder.operations.operation import Operations
from builder.values.randomness import Draw
from contract.schema.edits import Edit, Word
from contract.schema.manifest import DegreeKind, Level, Measure, Tag
from contract.schema.names import check_name

ALL_DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
HIGHEST_DEGREE = 0.8


@dataclass(frozen=True, slots=True)
class WordsOfText:
    """A text with its words, and its label where a dimension may look at it."""

    text: str
    words: Sequence[Word]
    label: int | None = None


# For each text, the operations on each of its words; called with many texts at a time.
Propose = Callable[[Sequence[WordsOfText], Resources], Sequence[Sequence[Operations]]]


class Rewrite(NamedTuple):
    """One way of rewriting a text, and how it was made."""

    edits: tuple[Edit, ...]
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToRewrite:
    """A text, the randomness for it, the words typical of a class of its task, and its label."""

    text: str
    draw: Draw
    avoid: frozenset[str]
    label: int | None = None


# For each text a series of rewrites: all differ from the original, later ones mostly more than earlier ones.
WriteSeries = Callable[[Sequence[TextToRewrite], Resources], Sequence[Sequence[Rewrite]]]


@dataclass(frozen=True, kw_only=True)
class DimensionHeader:
    """What every robustness dimension says about itself; a wrong value is refused when the dimension is made.

    The name is kebab-case. Degrees rise, from above 0 to at most 0.8. Summary and `stands_for` (what happens
    in the world that the dimension imitates) are not empty: they are shown to readers.
    """

    name: str
    summary: str
    stands_for: str
    level: Level
    tag: Tag
    measure: Measure
    degrees: tuple[float, ...]
    # What its cases depend on beside texts and seed.
    uses: tuple[ResourceName, ...] = ()

    def __post_init__(self) -> None:
        """Raise an error that names all rules the dimension breaks."""
        check_name(self.name, "dimension")
        problems = list(self._problems())
        if problems:
            raise ValueError(f"dimension {self.name}: {'; '.join(problems)}")

    def _problems(self) -> list[str]:
        problems = []
        if not self.summary or not self.stands_for:
            problems.append("summary and stands_for must not be empty, since they are shown to readers")
        rising = sorted(set(self.degrees))
        if not rising or list(self.degrees) != rising or not 0 < rising[0] <= rising[-1] <= HIGHEST_DEGREE:
            problems.append(
                f"degrees must rise from above 0 to at most {HIGHEST_DEGREE:g}, found {self.degrees}"
            )
        return problems


@dataclass(frozen=True, kw_only=True)
class Dimension(DimensionHeader):
    """A dimension at character or word level: operations on words that meet a budget exactly.

    Level is `char` or `word`. Tag and measure belong together: a malicious dimension may change a word
    several times, so its degree is counted in characters (`edit`); a general one changes a word at most once,
    as people do by accident, so its degree is counted in words (`words`).
    """

    degree_kind: ClassVar[DegreeKind] = "budget"

    propose: Propose

    def _problems(self) -> list[str]:
        problems = super()._problems()
        if self.level not in {"char", "word"}:
            problems.append(
                f"level must be char or word, found {self.level}; for sentences use SentenceDimension"
            )
        expected = "edit" if self.tag == "malicious" else "words"
        if self.measure != expected:
            problems.append(f"a {self.tag} dimension must have the measure {expected}, found {self.measure}")
        return problems

    @property
    def is_one_operation_a_word(self) -> bool:
        """Whether a word may be changed by one operation only: so for all but malicious character edits."""
        return self.measure == "words"


@dataclass(frozen=True, kw_only=True)
class SentenceDimension(DimensionHeader):
    """A dimension at sentence level: rewrites that are sorted into bins of the measured distance.

    Level is `sentence` and measure is `embedding`, whatever the tag.
    """

    degree_kind: ClassVar[DegreeKind] = "bin"

    level: Level = "sentence"
    measure: Measure = "embedding"
    uses: tuple[ResourceName, ...] = ("encoder", "associations")
    write_series: WriteSeries

    def _problems(self) -> list[str]:
        problems = super()._problems()
        if self.level != "sentence" or self.measure != "embedding":
            problems.append(
                "level must be sentence and measure embedding,"
                f" found {self.level} and {self.measure}; for words use Dimension"
            )
        return problems


AnyDimension = Dimension | SentenceDimension
