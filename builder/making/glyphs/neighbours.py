"""Derives the 20 visual neighbours of each ASCII letter from pixels.

Run it as `python -m builder.making.glyphs.neighbours`. It needs pillow, and matplotlib for its
DejaVu Sans; a build needs only the file it writes.

As in Zéroe, each character is a greyscale image of 24 × 24 pixels. There a trained network turns images into
vectors; here the blurred pixels are the vector, and likeness is their cosine.
"""

import json
import re
import string
import unicodedata
from collections.abc import Sequence

import click
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from builder.dimensions.zeroe.visual import N_NEIGHBOURS, TABLE_PATH
from builder.making.glyphs.likeness import Font, dejavu_fonts
from contract.machine.hashes import hash_of_file
from contract.machine.whole_files import write_text

SIZE_PIXELS = 24
_FONT_SIZE = 15
_BASELINE = 17
_BLUR_PIXELS = 0.8
_END_OF_BMP = 0x10000
CATEGORIES = frozenset({"Ll", "Lu", "Lo"})
SCRIPTS = ("LATIN ", "GREEK ", "CYRILLIC ", "ARMENIAN ", "COPTIC ", "CHEROKEE ", "LISU ")
# A character of another script is taken from here on; by eye, what is below needs a second look.
LEAST_LIKENESS = 0.92
# Dots, lines, rings and hooks below and above, the least ink first.
MARKS = (
    "\u0323\u0307\u0331\u0304\u0325\u030a\u0301\u0300\u0306\u0311"
    "\u0308\u0302\u030c\u0303\u0324\u032d\u0330\u032e\u0309\u0327"
)
_NAME = re.compile(r"LATIN (SMALL|CAPITAL) LETTER ([A-Z])(?: WITH .*)?")

Vectors = npt.NDArray[np.float64]


def derive(font: Font) -> dict[str, list[str]]:
    """Return for each letter its neighbours, nearest first.

    These are forms of the letter, and characters of other scripts that are more like it than like any other
    letter. Where both together are too few, the letter with marks under and over it fills the list.
    """
    candidates = [chr(code) for code in range(0x80, _END_OF_BMP) if is_sound(chr(code), font)]
    alike = vectors_of(string.ascii_letters, font) @ vectors_of(candidates, font).T
    nearest = [string.ascii_letters[index] for index in alike.argmax(axis=0)]
    table = {}
    for letter, likenesses in zip(string.ascii_letters, alike, strict=True):
        near = sorted(
            (-likeness, candidate)
            for likeness, candidate, like in zip(likenesses, candidates, nearest, strict=True)
            if form_of(candidate) == letter
            or (form_of(candidate) is None and like == letter and likeness >= LEAST_LIKENESS)
        )
        marked = [unicodedata.normalize("NFC", letter + mark) for mark in MARKS]
        found = [candidate for _, candidate in near] + [each for each in marked if len(each) > 1]
        table[letter] = found[:N_NEIGHBOURS]
    return table


def is_sound(candidate: str, font: Font) -> bool:
    """Whether a code point is a letter, left to right, that NFC leaves alone and the font draws."""
    name = unicodedata.name(candidate, "")
    return (
        unicodedata.category(candidate) in CATEGORIES
        and name.startswith(SCRIPTS)
        and unicodedata.bidirectional(candidate) == "L"
        and unicodedata.normalize("NFC", candidate) == candidate
        # Of another script's letter with a mark, b and d have the place of the mark, and not the letter.
        and (name.startswith("LATIN ") or unicodedata.normalize("NFD", candidate) == candidate)
        and font.has(candidate)
    )


def form_of(candidate: str) -> str | None:
    """Return the ASCII letter that a character is a form of, by name; "" for a Latin letter of its own."""
    name = unicodedata.name(candidate)
    found = _NAME.fullmatch(name)
    if found is None:
        return "" if name.startswith("LATIN") else None
    case, letter = found.groups()
    return letter if case == "CAPITAL" else letter.lower()


def vectors_of(characters: Sequence[str], font: Font) -> Vectors:
    """Return the pixels of each character as a vector of length 1."""
    drawn = ImageFont.truetype(str(font.path), _FONT_SIZE)
    rows = []
    for character in characters:
        image = Image.new("L", (SIZE_PIXELS, SIZE_PIXELS))
        place = (SIZE_PIXELS / 2, _BASELINE)
        ImageDraw.Draw(image).text(place, character, fill=255, font=drawn, anchor="ms")
        pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(_BLUR_PIXELS)), dtype=np.float64).ravel()
        # What draws nothing is like nothing.
        rows.append(pixels / max(float(np.linalg.norm(pixels)), 1.0))
    return np.array(rows)


@click.command()
def main() -> None:
    """Write the table of visual neighbours anew."""
    table = derive(dejavu_fonts()[0])
    lines = [
        f"{json.dumps(letter)}: {json.dumps(near, ensure_ascii=False)}" for letter, near in table.items()
    ]
    write_text(TABLE_PATH, "{\n" + ",\n".join(lines) + "\n}\n")
    click.echo(
        f"{TABLE_PATH}: set TABLE_SHA256 in builder/dimensions/zeroe/visual.py to {hash_of_file(TABLE_PATH)}"
    )


if __name__ == "__main__":
    main()
