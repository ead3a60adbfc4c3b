"""A parsed text: pieces with tags, and Universal Dependencies between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple


class Token(NamedTuple):
    """A piece of a text; `head` is the number of the piece it depends on, its own for a root."""

    number: int
    text: str
    start: int
    end: int
    # Penn Treebank tag and universal tag.
    tag: str
    universal_tag: str
    head: int
    relation: str

    @property
    def small(self) -> str:
        """The piece in small letters, with a straight apostrophe."""
        return self.text.lower().replace("’", "'")


@dataclass(frozen=True)
class Parse:
    """A text, its pieces in order, and the number of the first piece of each sentence."""

    text: str
    tokens: tuple[Token, ...]
    firsts: tuple[int, ...]

    @cached_property
    def sentences(self) -> list[range]:
        """The numbers of the pieces of each sentence."""
        return [range(first, end) for first, end in pairwise([*self.firsts, len(self.tokens)])]

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.number:
                children[token.head].append(token.number)
        return children

    def children(self, number: int, *relations: str) -> list[Token]:
        """Return what depends on a piece, by these relations or by any; "nsubj" finds "nsubj:pass" too."""
        return [
            token
            for token in (self.tokens[child] for child in self._children[number])
            if not relations or token.relation in relations or token.relation.partition(":")[0] in relations
        ]

    def child(self, number: int, *relations: str) -> Token | None:
        """Return the one piece that depends on a piece by these relations; None if there are none or more."""
        found = self.children(number, *relations)
        return found[0] if len(found) == 1 else None

    def subtree(self, number: int) -> list[int]:
        """Return the numbers of a piece and of all that depends on it, in order."""
        numbers = [number]
        # The list grows while it is read, until no child is left.
        for parent in numbers:
            numbers += self._children[parent]
        return sorted(numbers)

    def span(self, number: int) -> range | None:
        """Return the numbers of a piece and of all that depends on it, if these stand side by side."""
        numbers = self.subtree(number)
        span = range(numbers[0], numbers[-1] + 1)
        return span if len(span) == len(numbers) else None

    def roots(self, sentence: Sequence[int]) -> list[Token]:
        """Return the pieces of a sentence that depend on nothing."""
        return [self.tokens[number] for number in sentence if self.tokens[number].head == number]

    def words(self, numbers: Sequence[int]) -> Iterator[str]:
        """Yield pieces in small letters."""
        return (self.tokens[number].small for number in numbers)

    def text_of(self, numbers: range) -> str:
        """Return the text from the first to the last of some neighbouring pieces."""
        if not numbers:
            return ""
        return self.text[self.tokens[numbers[0]].start : self.tokens[numbers[-1]].end]
