"""Text from outside as pages show it: what is invisible, or reorders its surroundings, is spelled out."""

import unicodedata

MOST_CHARACTERS_ON_PAGES = 2_000

# Control, format, surrogate, private-use and unassigned characters, and line separators: invisible, or able
# to reorder the text around them.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

# Letters, marks and signs that are invisible as well: fillers, joiners, the empty Braille pattern.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
# No living script needs more marks on a letter; more of them would cover the lines above.
_MOST_MARKS = 3


def visible(text: str, most_characters: int = MOST_CHARACTERS_ON_PAGES) -> str:
    """Return the text with invisible characters spelled out, cut to the given length."""
    cut = text if len(text) <= most_characters else text[: most_characters - 1] + "…"
    if not cut or (cut.isascii() and cut.isprintable() and not cut.isspace()):
        return cut
    if all(character.isspace() or _is_invisible(character) for character in cut):
        return "".join(map(_spelled, cut))
    shown = []
    n_marks = _MOST_MARKS  # A mark at the very start would join the text before it.
    for character in cut:
        is_mark = unicodedata.category(character) in {"Mn", "Me"}
        n_marks = n_marks + 1 if is_mark else 0
        shown.append(_spelled(character) if n_marks > _MOST_MARKS else _visible_character(character))
    return "".join(shown)


def _visible_character(character: str) -> str:
    if character in "\t\n\r":
        return " "
    # Variation selectors are kept: emoji need them.
    is_spelled = unicodedata.category(character) in _INVISIBLE or character in _BLANKS
    return _spelled(character) if is_spelled else character


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE | {"Mn", "Me"} or character in _BLANKS


def _spelled(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"
