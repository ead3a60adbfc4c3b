"""Drafts of rewrites: pieces of a parsed text in another order, and new ones, written out as edits."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from builder.language.clauses.articles import article_before
from builder.language.clauses.style import Style, style_of
from builder.language.parser.parse import Parse, Token
from builder.language.words.inflected_forms import lemmas_of
from contract.schema.edits import Edit

# A piece of the original by its number, or something new: one word, or several with spaces between them.
Piece = int | str


class Draft(NamedTuple):
    """Pieces that replace those of the original from `start` to before `end`."""

    start: int
    end: int
    pieces: tuple[Piece, ...]


_CLOSING = frozenset(
    {",", ".", ";", ":", "!", "?", ")", "]", "%", "...", "…", "”", "’", "''", "-rrb-", "-rsb-"}
)
_OPENING = frozenset({"(", "[", "“", "‘", "``", "$", "£", "€", "#", "-lrb-", "-lsb-"})
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_UNITS = re.compile(r"\s+|\w+|[^\w\s]")
# Words that have a capital only where a sentence begins.
_FUNCTION_TAGS = frozenset({"ADP", "ADV", "AUX", "CCONJ", "DET", "PRON", "SCONJ", "PART"})
# Adjectives that may keep their capital: Palestinian, Chinese, Spanish, Iraqi.
_NATIONAL = ("an", "ese", "ish", "qi", "li", "ch")
_OPEN_TAGS = frozenset({"ADJ", "NOUN", "VERB"})


def edits_of(parse: Parse, draft: Draft) -> tuple[Edit, ...] | None:
    """Return the edits that turn the text into the draft; None if a capital cannot be corrected."""
    if draft.start and parse.tokens[draft.start - 1].small in {"a", "an"}:
        # The article may have to agree with another word.
        draft = Draft(draft.start - 1, draft.end, (draft.start - 1, *draft.pieces))
    written = _written(parse, draft, style_of(parse.text))
    if written is None:
        return None
    span = range(draft.start, draft.end)
    start = parse.tokens[span[0]].start
    return tuple(edit.shifted(start) for edit in difference(parse.text_of(span), written))


def difference(original: str, text: str) -> list[Edit]:
    """Return edits, word by word, that turn the original into the text."""
    before, after = _UNITS.findall(original), _UNITS.findall(text)
    starts = [0]
    for unit in before:
        starts.append(starts[-1] + len(unit))
    edits: list[Edit] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, first, last, new_first, new_last in matcher.get_opcodes():
        if kind == "equal":
            continue
        edit = Edit(
            starts[first], starts[last], "".join(before[first:last]), "".join(after[new_first:new_last])
        )
        between = original[edits[-1].end : edit.start] if edits else "-"
        if between.isspace():
            # One change of several words, rather than one of each.
            previous = edits.pop()
            edit = Edit(
                previous.start,
                edit.end,
                previous.original + between + edit.original,
                previous.replacement + between + edit.replacement,
            )
        edits.append(edit)
    return edits


def _written(parse: Parse, draft: Draft, style: Style) -> str | None:
    pieces = [piece for piece in draft.pieces if piece != ""]
    words = [_word(parse, piece, style) for piece in pieces]
    if not _correct_capitals(parse, draft, pieces, words, style):
        return None
    _correct_articles(pieces, words)
    text = words[0]
    for place in range(1, len(pieces)):
        text += (
            _gap(parse, pieces[place - 1], pieces[place], words[place - 1 : place + 1], style) + words[place]
        )
    return text


def _word(parse: Parse, piece: Piece, style: Style) -> str:
    if isinstance(piece, int):
        return parse.tokens[piece].text
    return piece.replace("'", style.apostrophe)


def _gap(parse: Parse, one: Piece, other: Piece, words: Sequence[str], style: Style) -> str:
    """Return what stands between two pieces: what stood there, or what the style puts there."""
    if isinstance(one, int) and isinstance(other, int) and other == one + 1:
        return parse.text[parse.tokens[one].end : parse.tokens[other].start]
    if _CLITIC.match(words[1]):
        return " " if style.is_split else ""
    is_attached = words[1] in _CLOSING or words[0] in _OPENING
    return "" if is_attached and not style.is_spaced else " "


def _correct_capitals(
    parse: Parse, draft: Draft, pieces: Sequence[Piece], words: list[str], style: Style
) -> bool:
    """Give capitals to new first words, take them from old ones, and return whether that was possible."""
    if style.is_small:
        words[:] = [
            word if isinstance(piece, int) else word.lower()
            for piece, word in zip(pieces, words, strict=True)
        ]
        return True
    for place, piece in enumerate(pieces):
        begins = _begins_sentence(parse, draft, place, words)
        if isinstance(piece, str):
            if begins:
                words[place] = words[place][0].upper() + words[place][1:]
            continue
        token = parse.tokens[piece]
        began = piece in parse.firsts
        if begins and not began:
            words[place] = words[place][0].upper() + words[place][1:]
        elif began and not begins and token.text[0].isupper():
            small = in_small_letters(parse, token)
            if small is None:
                return False
            words[place] = small
    return True


def _begins_sentence(parse: Parse, draft: Draft, place: int, words: Sequence[str]) -> bool:
    if place == 0:
        first = parse.tokens[draft.start]
        return draft.start in parse.firsts and first.text[0].isupper()
    return words[place - 1] in {".", "!", "?"}


def in_small_letters(parse: Parse, token: Token) -> str | None:
    """Return the first word of a sentence as it is written elsewhere; None if it may be a name."""
    if (
        token.small in {"i", "i'm"}
        or token.universal_tag == "PROPN"
        or token.text[1:] != token.text[1:].lower()
    ):
        return token.text
    small = token.text[0].lower() + token.text[1:]
    if token.universal_tag in _FUNCTION_TAGS:
        return small
    following = parse.tokens[token.number + 1 : token.number + 2]
    # "Credit Suisse": part of a name, whatever the parser says.
    if any(other.text[0].isupper() for other in following) or token.small.endswith(_NATIONAL):
        return None
    # "Spears is": a noun without an article may be a name, unless it is a plural with a plural's verb.
    is_bare = token.universal_tag == "NOUN" and token.relation.startswith("nsubj")
    if is_bare and (token.tag != "NNS" or any(other.tag == "VBZ" for other in following)):
        return None
    return small if token.universal_tag in _OPEN_TAGS and lemmas_of(token.small) else None


def _correct_articles(pieces: Sequence[Piece], words: list[str]) -> None:
    """Make "a" and "an" agree with what follows them now."""
    for place, word in enumerate(words[:-1]):
        follows_as_before = isinstance(pieces[place], int) and pieces[place + 1] == pieces[place] + 1  # type: ignore[operator]
        if word.lower() in {"a", "an"} and not follows_as_before:
            article = article_before(words[place + 1])
            words[place] = article.capitalize() if word[0].isupper() else article
