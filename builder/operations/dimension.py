"""What a dimension is: a name, a measure, degrees, and how it changes words or rewrites texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from builder.models.resources import ResourceName, Resources
from builder.operations.operation import Operations
from builder.values.randomness import Draw
from contract.schema.edits import Edit, Word
from contract.schema.manifest import CORE, DegreeKind, DimensionGroup, Level, Measure, Tag
from contract.schema.names import check_name

ALL_DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
HIGHEST_DEGREE = 0.8
# Low, mid and high, as Zéroe has them.
PROBABILITIES = (0.2, 0.5, 0.8)


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
    # Whether it is one of two texts whose relation is the label: a claim that is added may change it.
    is_of_pair: bool = False


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces that can be added to a text, one after the other, to whatever was added before."""

    n: int
    # The pieces with these numbers after a rewrite, or after the text itself.
    extend: Callable[[Rewrite | None, Sequence[int]], Rewrite]


# For each text the pieces among which an attack may choose.
WritePieces = Callable[[Sequence[TextToRewrite], Resources], Sequence[Pieces]]
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
    # Other groups than `core` have a mean of their own and do not enter the headline.
    group: DimensionGroup = CORE

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
        problems += self._degree_problems()
        return problems

    def _degree_problems(self) -> list[str]:
        problems = []
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
    # Where rewrites are made of pieces, an attack chooses these by what they do to its source.
    write_pieces: WritePieces | None = None

    def _problems(self) -> list[str]:
        problems = super()._problems()
        if self.level != "sentence" or self.measure != "embedding":
            problems.append(
                "level must be sentence and measure embedding,"
                f" found {self.level} and {self.measure}; for words use Dimension"
            )
        return problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A word whose coin fell on attack, and all that the attack may look at."""

    word: str
    # The words after it, as far as the attack may join them to it: none was attacked before, and only white
    # space stands between them.
    following: Sequence[str]
    # What a method does to each character, where it does not change the whole word.
    probability: float
    # One of the dimension's methods, the same for all words of a case.
    method: str
    draw: Draw
    resources: Resources
    # Whether no white space may be brought in: in tasks with a label for every token.
    stays_one_token: bool = False


class Attacked(NamedTuple):
    """What is written instead of a word, or instead of the first n words of a turn."""

    text: str
    n_words: int = 1


# The attack on one word; None where the word cannot be changed.
Attack = Callable[[Turn], Attacked | None]
# Whether an attacked text can be made the original again, by code that everybody has: original, then case.
IsRestorable = Callable[[str, str], bool]


@dataclass(frozen=True, kw_only=True)
class ProbabilityDimension(DimensionHeader):
    """A dimension whose degree is a probability p: words in random order are attacked with p, up to p of all.

    The realised degree is the share of words that were attacked, so the measure is `words`, and it is at most
    p. Only the setting `rule` makes such cases: a coin, and no attacker, decides about words.
    """

    degree_kind: ClassVar[DegreeKind] = "probability"

    level: Level = "char"
    measure: Measure = "words"
    degrees: tuple[float, ...] = PROBABILITIES
    attack: Attack
    # The ways of attacking, of which each case has one; without any, there is one, named as the dimension.
    methods: tuple[str, ...] = ()
    # Where a dimension promises it, a case for which this is false is marked in the name of its method.
    is_restorable: IsRestorable | None = None
    # Whether a word stays one word, which tasks need that label each word.
    keeps_words: bool = True

    def _problems(self) -> list[str]:
        problems = super()._problems()
        if self.level == "sentence" or self.measure != "words":
            problems.append(
                "level must be char or word and measure words,"
                f" found {self.level} and {self.measure}; for sentences use SentenceDimension"
            )
        return problems


# For each text, the operations on each of its words that put one of the words of the text's label there. The
# words are given by label, those first that flip most texts of it.
ProposeWords = Callable[
    [Sequence[WordsOfText], Sequence[Sequence[str]], Resources], Sequence[Sequence[Operations]]
]


@dataclass(frozen=True, kw_only=True)
class SingleWordDimension(DimensionHeader):
    """A dimension without degrees: one word of a text gives way to a word that flips many texts of a source.

    Only the settings that attack a source make such cases, since a source decides which words these are.
    """

    degree_kind: ClassVar[DegreeKind] = "none"

    level: Level = "word"
    measure: Measure = "words"
    degrees: tuple[float, ...] = ()
    propose_words: ProposeWords

    def _problems(self) -> list[str]:
        problems = super()._problems()
        if self.level != "word" or self.measure != "words":
            problems.append(f"level must be word and measure words, found {self.level} and {self.measure}")
        return problems

    def _degree_problems(self) -> list[str]:
        return [f"degrees must be empty, found {self.degrees}"] if self.degrees else []


AnyDimension = Dimension | SentenceDimension | ProbabilityDimension | SingleWordDimension
