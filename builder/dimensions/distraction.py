"""Distraction: irrelevant text appended after everything else; nothing of the original is touched.

In an entailment task the recipe should perturb the premise: a longer hypothesis may no longer follow from it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from builder.language.sentences.neutral_sentences import FILLERS, NeutralSentences, neutral_sentences
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Rewrite, SentenceDimension, TextToRewrite
from builder.values.associations import cores_of
from builder.values.randomness import Draw
from contract.schema.edits import Edit, words_of

# A series begins with this many handles, links and empty clauses: a whole sentence would move a short text
# too far.
N_SLIGHT = 8
# How many clauses and sentences a text may get after these: some for any text, more for a long one, which
# moves less.
FEWEST_PIECES = 40
WORDS_A_PIECE = 2
MOST_PIECES = 160
# Of these pieces, the shares of tautologies (StressTest's idea), of handles and links (CheckList's), of
# pieces said again, and of sentences off the topic. The rest stays with it: sentences that agree with each
# other outweigh the text sooner than a mixture does.
TAUTOLOGIES = 0.12
WEB = 0.05
REPEATED = 0.05
OTHER_TOPIC = 0.1

# No vowels: no word, and so no opinion, turns up by chance.
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_CONSONANTS_AND_DIGITS = _CONSONANTS + "0123456789"
# Reserved for examples, so that no link leads anywhere.
_HOSTS = ("example.com", "example.net", "example.org")

_NAMES = frozenset({*FILLERS["day"], *FILLERS["month"]})

_SPACED = re.compile(r"\s[.,!?;:](?:\s|$)|(?:^|\s)[\"(`]\s")
_ATTACHED = re.compile(r"\w[.,!?;:](?:\s|$)")
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)\]\s]*$")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something to append; only clauses and sentences need a full stop."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Style:
    """How the text is written: whether spaces stand before punctuation, and whether it has no capitals."""

    is_spaced: bool
    is_small: bool

    def written(self, piece: _Piece, *, is_first_word: bool = True) -> str:
        """Return a piece in the style of the text, after a full stop or within a sentence."""
        if piece.kind == "web":
            return piece.text
        text = piece.text if self.is_small else _with_names(piece.text)
        if is_first_word and not self.is_small:
            text = text[0].upper() + text[1:]
        return f"{text} ." if self.is_spaced else f"{text}."


def write_series(texts: Sequence[TextToRewrite], _resources: Resources) -> list[list[Rewrite]]:
    """Return for each text a series of ever longer pieces to append to it."""
    return [_series(text) for text in texts]


def _series(to_rewrite: TextToRewrite) -> list[Rewrite]:
    text, draw = to_rewrite.text, to_rewrite.draw
    n_words = len(words_of(text))
    if not n_words:
        return []
    grammar = neutral_sentences(to_rewrite.avoid)
    slight = _slight_pieces(grammar, draw, to_rewrite.avoid)
    n_pieces = min(MOST_PIECES, max(FEWEST_PIECES, n_words // WORDS_A_PIECE))
    pieces = _pieces(grammar, draw, n_pieces, to_rewrite.avoid)
    starts = [slight[:1], *_starts(slight[1:]), *_starts(pieces)]
    style = _style_of(text)
    return [_rewrite(text, start, style) for start in starts]


def _starts(pieces: Sequence[_Piece]) -> list[Sequence[_Piece]]:
    """Return the first piece, the first two, and so on."""
    return [pieces[:n] for n in range(1, len(pieces) + 1)]


def _slight_pieces(grammar: NeutralSentences, draw: Draw, avoid: frozenset[str]) -> list[_Piece]:
    """Return pieces that mean almost nothing; the first moves a text the least."""
    rest = [_slight_piece(grammar, draw, avoid) for _ in range(N_SLIGHT - 1)]
    if not grammar.empty_tautologies:
        return [_web_piece(draw, avoid), *rest]
    return [_tautology(grammar.empty_tautologies, draw), *rest]


def _slight_piece(grammar: NeutralSentences, draw: Draw, avoid: frozenset[str]) -> _Piece:
    if draw.fraction() < 0.5 and grammar.empty_tautologies:
        return _tautology(grammar.empty_tautologies, draw)
    return _web_piece(draw, avoid)


def _pieces(grammar: NeutralSentences, draw: Draw, n: int, avoid: frozenset[str]) -> list[_Piece]:
    """Return clauses and sentences, most of them about one thing."""
    if not grammar.topics:
        return [_slight_piece(grammar, draw, avoid) for _ in range(n)]
    topic = draw.choice(grammar.topics)
    pieces: list[_Piece] = []
    for _ in range(n):
        chance = draw.fraction()
        if chance < TAUTOLOGIES and grammar.tautologies:
            pieces.append(_tautology(grammar.tautologies, draw))
        elif chance < TAUTOLOGIES + WEB and pieces:
            pieces.append(_web_piece(draw, avoid))
        elif chance < TAUTOLOGIES + WEB + REPEATED and pieces:
            pieces.append(pieces[-1])
        else:
            about = draw.choice(grammar.topics) if draw.fraction() < OTHER_TOPIC else topic
            pieces.append(_Piece("sentence", grammar.sentence(about, draw)))
    return pieces


def _tautology(clauses: Sequence[str], draw: Draw) -> _Piece:
    return _Piece("tautology", draw.choice(clauses))


def _web_piece(draw: Draw, avoid: frozenset[str]) -> _Piece:
    """Return a random handle or link; no link where its fixed words are typical of a class."""
    name = draw.choice(_CONSONANTS) + _letters(draw, 3 + draw.below(5))
    link = f"https://{draw.choice(_HOSTS)}/{name}"
    is_handle = draw.fraction() < 0.5 or not avoid.isdisjoint(cores_of(link))
    return _Piece("web", f"@{name}" if is_handle else link)


def _letters(draw: Draw, n: int) -> str:
    return "".join(draw.choice(_CONSONANTS_AND_DIGITS) for _ in range(n))


def _rewrite(text: str, pieces: Sequence[_Piece], style: _Style) -> Rewrite:
    first, *rest = pieces
    # A text without a full stop goes on: "… a film and seven is seven."
    is_going_on = first.kind == "tautology" and not _ENDS.search(text)
    written = [style.written(first, is_first_word=not is_going_on), *map(style.written, rest)]
    appended = _joint(text, first.kind, style) + " ".join(written)
    kinds = "+".join(sorted({piece.kind for piece in pieces}))
    return Rewrite((Edit(len(text), len(text), "", appended),), kinds)


def _joint(text: str, first_kind: str, style: _Style) -> str:
    """Return what stands between the text and what is appended: a space, and the full stop it lacks."""
    if text[-1].isspace():
        return ""
    is_open = first_kind == "sentence" and text[-1].isalnum() and "/" not in text.rsplit(maxsplit=1)[-1]
    if is_open:
        return " . " if style.is_spaced else ". "
    return " "


def _style_of(text: str) -> _Style:
    return _Style(
        is_spaced=bool(_SPACED.search(text)) and not _ATTACHED.search(text),
        is_small=text != text.upper() and text == text.lower(),
    )


def _with_names(text: str) -> str:
    """Return a clause with the capitals that English gives to days and months."""
    return " ".join(word.capitalize() if word in _NAMES else word for word in text.split())


DISTRACTION = SentenceDimension(
    name="distraction",
    summary="irrelevant text appended after everything else",
    stands_for="text padded with things that do not matter: signatures, links, small talk, stuffing",
    tag="malicious",
    degrees=ALL_DEGREES,
    write_series=write_series,
)
