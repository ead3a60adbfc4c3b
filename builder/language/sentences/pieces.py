"""Pieces that distract, drawn from the neutral pool and written in the style of the text before them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.language.sentences.neutral_sentences import NeutralSentences, whole_pool
from builder.values.associations import cores_of
from builder.values.randomness import Draw

# tautology: true of anything; statement: StressTest's, some of them negated; web: CheckList's links and
# handles; tail: an emoji or a hashtag; the others are sentences or lines.
Kind = Literal["tautology", "statement", "web", "tail", "fact", "boilerplate", "quotation"]

# No vowels: no word, and so no opinion, turns up by chance.
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_CONSONANTS_AND_DIGITS = _CONSONANTS + "0123456789"
# Reserved for examples, so that no link leads anywhere.
_HOSTS = ("example.com", "example.net", "example.org")
_HASHTAGS = 0.5

_SPACED = re.compile(r"\s[.,!?;:](?:\s|$)|(?:^|\s)[\"(`]\s")
_ATTACHED = re.compile(r"\w[.,!?;:](?:\s|$)")
_INNER_MARKS = re.compile(r"\s*([,:;\"])\s*")
_FIRST_LETTER = re.compile(r"[^\W\d_]")
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)\]\s]*$")


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to append."""

    kind: Kind
    text: str

    @property
    def is_clause(self) -> bool:
        """Whether it can go on with the sentence before it: "… a film and seven is seven."."""
        return self.kind in {"tautology", "statement"}

    @property
    def is_sign(self) -> bool:
        """Whether it is no sentence, has no full stop and is written as it is."""
        return self.kind in {"web", "tail"}


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is written: whether spaces stand before punctuation, and whether it has no capitals."""

    is_spaced: bool
    is_small: bool

    @classmethod
    def of(cls, text: str) -> "Style":
        """Return the style of a text."""
        return cls(
            is_spaced=bool(_SPACED.search(text)) and not _ATTACHED.search(text),
            is_small=text != text.upper() and text == text.lower(),
        )

    def appended(self, before: str, pieces: Sequence[Piece]) -> str:
        """Return the pieces as they stand after a text that is not empty, with what joins them to it."""
        first, *rest = pieces
        # A text without a full stop goes on.
        is_going_on = first.is_clause and not _ENDS.search(before)
        written = [self._written(first, is_first_word=not is_going_on), *map(self._written, rest)]
        return self._joint(before, first) + " ".join(written)

    def continued(self, pieces: Sequence[Piece]) -> str:
        """Return the pieces as they stand after other pieces."""
        return "".join(f" {self._written(piece)}" for piece in pieces)

    def _written(self, piece: Piece, *, is_first_word: bool = True) -> str:
        if piece.is_sign:
            return piece.text
        text = piece.text if self.is_small else _with_names(piece.text)
        if is_first_word and not self.is_small:
            text = _FIRST_LETTER.sub(lambda letter: letter.group().upper(), text, count=1)
        if not self.is_spaced:
            # A quotation has its full stop inside.
            return f'{text[:-1]}."' if text.endswith('"') else f"{text}."
        spaced = _INNER_MARKS.sub(r" \1 ", text)
        return f"{' '.join(spaced.split())} ."

    def _joint(self, text: str, first: Piece) -> str:
        """Return what stands between a text and a piece: a space, and the full stop it lacks."""
        visible = text.rstrip(" ")
        is_sentence = not first.is_clause and not first.is_sign
        is_open = is_sentence and visible[-1:].isalnum() and "/" not in visible.rsplit(maxsplit=1)[-1]
        if text != visible:
            # News are often cut off within a sentence, after a space.
            return ". " if is_open else ""
        if text[-1].isspace():
            return ""
        if is_open:
            return " . " if self.is_spaced else ". "
        return " "


class PieceMaker:
    """Draws pieces of each kind that can be made without the words to avoid."""

    def __init__(self, grammar: NeutralSentences, avoid: frozenset[str]) -> None:
        self._grammar = grammar
        self._avoid = avoid
        tautologies = grammar.empty_tautologies + grammar.tautologies
        self._makers: dict[Kind, Callable[[Draw], str]] = {
            "tautology": lambda draw: draw.choice(tautologies),
            "statement": lambda draw: draw.choice(grammar.statements),
            "web": self._web,
            "tail": self._tail,
            "fact": grammar.any_sentence,
            "boilerplate": grammar.line,
            "quotation": grammar.quotation,
        }
        found: dict[Kind, bool] = {
            "tautology": bool(tautologies),
            "statement": bool(grammar.statements),
            "fact": bool(grammar.topics),
            "boilerplate": bool(grammar.boilerplate),
            "quotation": bool(grammar.quotations),
        }
        self._can_make = {"web", "tail"} | {kind for kind, is_found in found.items() if is_found}

    def draw(self, kind: Kind, draw: Draw) -> Piece:
        """Return a piece of a kind; a handle where the kind cannot be made."""
        kind = kind if kind in self._can_make else "web"
        return Piece(kind, self._makers[kind](draw))

    def empty(self, draw: Draw) -> Piece:
        """Return a tautology that says next to nothing; a handle where there is none."""
        clauses = self._grammar.empty_tautologies
        return Piece("tautology", draw.choice(clauses)) if clauses else self.draw("web", draw)

    def sign(self, draw: Draw) -> Piece:
        """Return a sign that is no word: an emoji."""
        return Piece("tail", draw.choice(self._grammar.emoji))

    def sentence(self, topic: Sequence[str], draw: Draw) -> Piece:
        """Return a sentence about one thing."""
        return Piece("fact", self._grammar.sentence(topic, draw))

    def _web(self, draw: Draw) -> str:
        """Return a random handle or link; no link where its fixed words are typical of a class."""
        name = draw.choice(_CONSONANTS) + _letters(draw, 3 + draw.below(5))
        link = f"https://{draw.choice(_HOSTS)}/{name}"
        is_handle = draw.fraction() < 0.5 or not self._avoid.isdisjoint(cores_of(link))
        return f"@{name}" if is_handle else link

    def _tail(self, draw: Draw) -> str:
        word = self._grammar.word(draw)
        return f"#{word}" if word and draw.fraction() < _HASHTAGS else draw.choice(self._grammar.emoji)


def _letters(draw: Draw, n: int) -> str:
    return "".join(draw.choice(_CONSONANTS_AND_DIGITS) for _ in range(n))


def _with_names(text: str) -> str:
    """Return a clause with the capitals that English gives to days and months."""
    names = {*whole_pool().fillers["day"], *whole_pool().fillers["month"]}
    return re.sub(
        r"[a-z]+", lambda word: word.group().capitalize() if word.group() in names else word.group(), text
    )
