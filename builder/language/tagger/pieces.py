"""Splits what stands between spaces into pieces that have a tag each: words, clitics, marks."""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["address", "smiley", "clitic", "initials", "number", "word", "mark"]
# Pieces of these kinds can be the core of a word; the others are attached to it.
LEXICAL: frozenset[Kind] = frozenset({"address", "initials", "number", "word"})

_MARKS = (
    re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + "\u2010-\u2027\u2030-\u203e\u00a1\u00ab\u00bb\u00bf"
)
# A letter is whatever is neither space nor mark, so that no script and no combining mark is cut apart.
_LETTER = rf"[^\s{_MARKS}]"
_END = rf"(?!{_LETTER})"
_APOSTROPHE = "['\u2019]"
_CLITIC = rf"(?:n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|re|ve|ll|d|m)){_END}"
# Prefixes that the treebank leaves on their word; every other hyphen is a piece of its own.
_PREFIXES = (
    "anti|co|counter|e|ex|inter|micro|mid|mini|multi|non|over|post|pre|pro|psycho|re|semi|sub|un|under|x"
)
_ABBREVIATIONS = "mr|mrs|ms|dr|st|jr|sr|vs|inc|ltd|corp|prof|gen|sen|rep|gov|ft|jan|feb|aug|sept|oct|nov|dec"

_PIECE = re.compile(
    rf"""
    (?P<address> (?:https?://|www\.)\S*[^\s{_MARKS}] | [\w.+-]+@[\w-]+(?:\.[\w-]+)+ | [@#]\w+
        | {_LETTER}+(?:\.{_LETTER}+)*\.(?:com|org|net|edu|gov|co\.uk){_END} )
    | (?P<smiley> [:;=][-o^']?[()\[\]DPp|/\\*3]+{_END} | <3 )
    | (?P<clitic> {_CLITIC} )
    | (?P<initials> (?:[A-Za-z]\.){{2,}} | \b(?:{_ABBREVIATIONS})\.(?!\.) )
    | (?P<number> [.,]?\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?{_END} | \d+(?:[.,:]\d+)*(?=[ap]m{_END}) )
    | (?P<word>
        (?:gon|wan)(?=na{_END}) | got(?=ta{_END}) | can(?=not{_END})
        | (?:{_PREFIXES})-{_LETTER}+
        | (?:do|does|did|ca|wo|is|was|are|were|have|has|had|would|could|should)(?=nt{_END})
        | {_LETTER}+?(?={_CLITIC})
        | {_LETTER}+(?:{_APOSTROPHE}{_LETTER}+)* )
    | (?P<mark> \.{{2,}} | -{{2,}} | [!?]+ | `` | '' | \*+ | _+ | =+ | ~+ | <+ | >+ | [^\s] )
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Piece(NamedTuple):
    """A piece of a chunk of text, counted from the chunk's start."""

    start: int
    end: int
    text: str
    kind: Kind


@lru_cache(maxsize=65_536)
def pieces_of(chunk: str) -> tuple[Piece, ...]:
    """Return the pieces of a chunk without spaces; together they are the chunk."""
    return tuple(
        Piece(match.start(), match.end(), match.group(), match.lastgroup)  # type: ignore[arg-type]
        for match in _PIECE.finditer(chunk)
    )
