"""Drafts are written out in the style of their text, and as edits that leave the rest alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.language.clauses.articles import article_before
from builder.language.clauses.draft import Draft, Piece, difference, edits_of, in_small_letters
from builder.language.clauses.style import Style, style_of
from builder.language.parser.parse import Parse, Token
from contract.schema.edits import Edit, apply_edits


def parse_of(text: str, *pieces: str) -> Parse:
    """Return a text cut into pieces, each given as WORD/TAG; the first is the root of all."""
    tokens = []
    place = 0
    for number, piece in enumerate(pieces):
        word, _, part = piece.rpartition("/")
        place = text.index(word, place)
        tokens.append(Token(number, word, place, place + len(word), "XX", part, 0, "dep"))
        place += len(word)
    return Parse(text, tuple(tokens), (0,))


def rewrite(parse: Parse, *pieces: Piece, start: int = 0, end: int | None = None) -> str | None:
    """Return what becomes of a text when these pieces stand for some of its own."""
    edits = edits_of(parse, Draft(start, len(parse.tokens) if end is None else end, pieces))
    return None if edits is None else apply_edits(parse.text, edits)


SPACED = parse_of(
    "the film drags , though .", "the/DET", "film/NOUN", "drags/VERB", ",/PUNCT", "though/ADV", "./PUNCT"
)
WRITTEN = parse_of(
    "The film drags, though.", "The/DET", "film/NOUN", "drags/VERB", ",/PUNCT", "though/ADV", "./PUNCT"
)
NAMED = parse_of("Spielberg won.", "Spielberg/PROPN", "won/VERB", "./PUNCT")


@pytest.mark.parametrize(
    ("parse", "expected"),
    [(SPACED, "though , the film drags ."), (WRITTEN, "Though, the film drags.")],
)
def test_moved_words_are_spaced_and_capitalised_as_the_text_is(parse: Parse, expected: str) -> None:
    """A treebank-style text stays one; a sentence has its capital where it begins now."""
    assert rewrite(parse, 4, ",", 0, 1, 2, 5) == expected


def test_a_name_keeps_its_capital_and_a_rare_word_is_left_alone() -> None:
    """What may be a name is not written in small letters."""
    assert rewrite(NAMED, "it is the case that", 0, 1, 2) == "It is the case that Spielberg won."
    spears = NAMED.tokens[0]._replace(text="Spears", universal_tag="NOUN", relation="nsubj", tag="NN")
    assert in_small_letters(NAMED, spears) is None
    odd = parse_of("Zyxgloth won.", "Zyxgloth/NOUN", "won/VERB", "./PUNCT")
    assert rewrite(odd, "it is the case that", 0, 1, 2) is None


def test_clitics_and_marks_lean_on_the_word_before_only_where_the_text_does_so() -> None:
    """The spacing of the text decides; a text may set off marks and yet keep clitics where they belong."""
    assert rewrite(WRITTEN, 0, 1, "'s", "dragging", ",", 4, 5) == "The film's dragging, though."
    assert rewrite(SPACED, 0, 1, "'s", 2, 3, 4, 5) == "the film's drags , though ."


def test_articles_agree_with_what_follows_them() -> None:
    """A swap may need another article."""
    parse = parse_of("an odd and warm film", "an/DET", "odd/ADJ", "and/CCONJ", "warm/ADJ", "film/NOUN")
    assert rewrite(parse, 0, 3, 2, 1, 4) == "a warm and odd film"


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("odd", "an"),
        ("warm", "a"),
        ("hour", "an"),
        ("unique", "a"),
        ("uninspired", "an"),
        ("unimpressive", "an"),
        ("European", "a"),
        ("one-note", "a"),
        ("FBI", "an"),
        ("useful", "a"),
        ("18-year-old", "an"),
    ],
)
def test_the_sound_decides_on_the_article(word: str, article: str) -> None:
    """Not the letter."""
    assert article_before(word) == article


def test_edits_touch_only_what_changed() -> None:
    """Words that stay are outside the edits."""
    assert difference("it is a film", "this is a film") == [Edit(0, 2, "it", "this")]
    assert difference("a  film .", "a  film , too .") == [Edit(8, 8, "", ", too ")]


@given(st.text(max_size=60), st.text(max_size=60))
def test_edits_make_one_text_of_the_other(original: str, text: str) -> None:
    """For any two texts."""
    assert apply_edits(original, difference(original, text)) == text


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("it is n't bad , is it ?", Style(is_spaced=True, is_split=True, is_small=True, apostrophe="'")),
        ("it isn't bad , is it ?", Style(is_spaced=True, is_split=False, is_small=True, apostrophe="'")),
        ("It isn't bad, is it?", Style(is_spaced=False, is_split=False, is_small=False, apostrophe="'")),
        ("It’s fine.", Style(is_spaced=False, is_split=False, is_small=False, apostrophe="’")),
    ],
)
def test_the_style_of_a_text_is_seen(text: str, style: Style) -> None:
    """From its spaces, capitals and apostrophes."""
    assert style_of(text) == style
