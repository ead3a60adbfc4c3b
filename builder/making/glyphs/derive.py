"""Derives the table of look-alikes from Unicode's confusables, decompositions and rendered shapes.

Run it as `python -m builder.making.glyphs.derive`. It needs confusable-homoglyphs, matplotlib, pillow and
Debian's fonts-liberation, fonts-freefont-ttf and fonts-noto-core; a build needs only the file it writes.
"""

import importlib.util
import json
import string
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import click

from builder.dimensions.glyph import TABLE_PATH
from builder.making.glyphs.likeness import Font, debian_fonts, dejavu_fonts, likeness
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file
from contract.machine.whole_files import write_text

# ASCII, Latin-1 and Latin Extended-A, then basic Greek and Cyrillic.
BLOCKS = (range(0x30, 0x7B), range(0xC0, 0x180), range(0x391, 0x3CA), range(0x410, 0x460))
# Letters with marks, outside the scripts that compose syllables, come before this one.
_END = 0x3000

# As strict as it takes to read a sentence in which more than half of the characters are replaced:
# a mark leaves the letter whole, another letter's shape must be nearer.
LEAST_LIKENESS = 0.88
LEAST_LIKENESS_OF_SHAPE = 0.93
# For what is no ASCII letter or digit, with or without a mark: no nearest one can be asked for.
LEAST_LIKENESS_ALONE = 0.98
# What is farther behind the best of a character is left out.
MOST_BEHIND = 0.06
# Upper case may stand for lower case, and the reverse, only where it is the same glyph.
SAME_GLYPH = 0.97
MOST_LOOK_ALIKES = 10
LEAST_FONTS = 3
LEAST_FAMILIES = 2
CATEGORIES = frozenset({"Ll", "Lu", "Lt", "Lo", "Nd", "Nl"})
BIDIRECTIONAL = frozenset({"L", "EN"})


def derive(fonts: Sequence[Font]) -> dict[str, list[tuple[str, float]]]:
    """Return the look-alikes of every character that has any."""
    characters = [chr(code) for block in BLOCKS for code in block if chr(code).isalnum()]
    found = {character: look_alikes(character, fonts) for character in characters}
    return {character: pairs for character, pairs in found.items() if pairs}


def look_alikes(character: str, fonts: Sequence[Font]) -> list[tuple[str, float]]:
    """Return what can stand for a character, most alike first."""
    base = base_of(character)
    rivals = next((kind for kind in (string.ascii_letters, string.digits) if base in kind), "")
    found = []
    for candidate in candidates_of(character):
        alike = round(likeness(fonts, character, candidate), 2)
        if (
            alike >= _least_likeness(candidate, base)
            and (alike >= SAME_GLYPH or is_of_case(candidate, character))
            and is_drawn(candidate, fonts)
            and not is_another_letter(candidate, base)
            and is_nearest(candidate, base, rivals, tuple(fonts))
        ):
            found.append((candidate, alike))
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return [pair for pair in found if round(found[0][1] - pair[1], 2) <= MOST_BEHIND][:MOST_LOOK_ALIKES]


def _least_likeness(candidate: str, base: str) -> float:
    """Return how alike a candidate must be at least."""
    if not base.isascii():
        return LEAST_LIKENESS_ALONE
    has_only_a_mark = unicodedata.normalize("NFD", candidate)[0] == base
    return LEAST_LIKENESS if has_only_a_mark or base.isdigit() else LEAST_LIKENESS_OF_SHAPE


def candidates_of(character: str) -> list[str]:
    """Return what Unicode holds for confusable, and the same letter with other marks or none."""
    confusables = _confusables()
    base = base_of(character)
    found = {base} | _with_marks().get(base, set())
    for near in (character, *confusables.get(character, ())):
        found |= {near, *confusables.get(near, ())}
    return sorted(near for near in found if len(near) == 1 and near != character and is_sound(near))


def base_of(character: str) -> str:
    """Return the letter without its mark or, if Latin, stroke; a letter that has none is its own base."""
    decomposed = unicodedata.normalize("NFD", character)
    if decomposed != character or not unicodedata.name(character).startswith("LATIN"):
        return decomposed[0]
    struck = [near[0] for near in _confusables().get(character, ()) if _is_letter_with_marks(near)]
    return min(struck, default=character)


def is_sound(candidate: str) -> bool:
    """Whether a code point is a visible letter or digit, left to right, that NFC leaves alone."""
    return (
        unicodedata.category(candidate) in CATEGORIES
        and unicodedata.bidirectional(candidate) in BIDIRECTIONAL
        and unicodedata.normalize("NFC", candidate) == candidate
        # A letter with two marks is hard on the eye.
        and len(unicodedata.normalize("NFD", candidate)) <= 2
    )


def is_drawn(candidate: str, fonts: Sequence[Font]) -> bool:
    """Whether DejaVu Sans and fonts of another family have the character, so that readers see no box."""
    having = [font for font in fonts if font.has(candidate) and not font.is_blank(candidate)]
    families = {font.family for font in having}
    return fonts[0] in having and len(having) >= LEAST_FONTS and len(families) >= LEAST_FAMILIES


def is_of_case(candidate: str, character: str) -> bool:
    """Whether neither is upper case where the other is lower case."""
    return not (
        (candidate.isupper() and character.islower()) or (candidate.islower() and character.isupper())
    )


def is_another_letter(candidate: str, base: str) -> bool:
    """Whether Unicode says that both are forms of ASCII characters, but not of the same: a long s is no f."""
    plain = unicodedata.normalize("NFKD", candidate)[0]
    return base.isascii() and plain.isascii() and plain != base


@lru_cache(maxsize=65_536)
def is_nearest(candidate: str, base: str, rivals: str, fonts: tuple[Font, ...]) -> bool:
    """Whether the candidate is like none of the rivals more than it is like the base."""
    few = [font for font in fonts if font.has(candidate)][:2]
    own = likeness(few, base, candidate)
    return all(likeness(few, rival, candidate) <= own for rival in rivals if rival != base)


@lru_cache(maxsize=1)
def _confusables() -> dict[str, list[str]]:
    """Return Unicode's confusable pairs, both ways."""
    spec = importlib.util.find_spec("confusable_homoglyphs")
    if spec is None or spec.origin is None:
        raise UserError("the table is derived from confusable-homoglyphs; install it with pip")
    raw = json.loads((Path(spec.origin).parent / "confusables.json").read_text(encoding="utf-8"))
    return {text: [pair["c"] for pair in pairs] for text, pairs in raw.items()}


@lru_cache(maxsize=1)
def _with_marks() -> dict[str, set[str]]:
    """Return for each letter what a mark or stroke makes of it."""
    found: dict[str, set[str]] = {}
    for code in range(0x80, _END):
        decomposed = unicodedata.normalize("NFD", chr(code))
        if _is_letter_with_marks(decomposed):
            found.setdefault(decomposed[0], set()).add(chr(code))
    for text, near in _confusables().items():
        if _is_letter_with_marks(text):
            found.setdefault(text[0], set()).update(near)
    return found


def _is_letter_with_marks(text: str) -> bool:
    return len(text) > 1 and all(unicodedata.category(each).startswith("M") for each in text[1:])


def to_json(table: dict[str, list[tuple[str, float]]]) -> str:
    """Return the table with one character a line, in the order of code points."""
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(table[key], ensure_ascii=False)}"
        for key in sorted(table)
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


@click.command()
@click.option(
    "--fonts",
    "fonts_path",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("/usr/share/fonts/truetype"),
    show_default=True,
    help="Where Debian's font packages are installed.",
)
def main(fonts_path: Path) -> None:
    """Write the table of look-alikes anew."""
    fonts = [*dejavu_fonts(), *debian_fonts(fonts_path)]
    missing = [str(font.path) for font in fonts if not font.path.exists()]
    if missing:
        raise UserError(
            f"fonts are missing: {', '.join(missing)}; "
            "install fonts-liberation, fonts-freefont-ttf and fonts-noto-core"
        )
    write_text(TABLE_PATH, to_json(derive(fonts)))
    click.echo(f"{TABLE_PATH}: set TABLE_SHA256 in builder/dimensions/glyph.py to {hash_of_file(TABLE_PATH)}")


if __name__ == "__main__":
    main()
