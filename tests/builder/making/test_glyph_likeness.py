"""Rendered again, what stands for something has a glyph and looks like it."""

import importlib.util
from pathlib import Path

import pytest

from builder.dimensions.glyph import ACCENTS, APOSTROPHES, DIGITS, DIGRAPHS, LIGATURES, look_alikes

glyph_likeness = pytest.importorskip(
    "builder.making.glyphs.likeness", reason="rendering needs matplotlib and pillow"
)

PAIRS = [(character, other, alike) for character, pairs in look_alikes().items() for other, alike in pairs]
DEBIAN_FONTS = Path("/usr/share/fonts/truetype")
needs_debian_fonts = pytest.mark.skipif(
    not importlib.util.find_spec("confusable_homoglyphs")
    or not all((DEBIAN_FONTS / family).is_dir() for family in glyph_likeness.DEBIAN),
    reason="deriving needs confusable-homoglyphs and the fonts of Debian",
)


def replacements() -> list[str]:
    """Return all that stands for something, in either flavour."""
    accents = [*ACCENTS.values(), *(accents.upper() for accents in ACCENTS.values())]
    characters = "".join([*accents, *DIGITS.values(), *APOSTROPHES.values()])
    joined = [*LIGATURES.values(), *(digraph.replacement for digraph in DIGRAPHS)]
    return [*characters, *joined, *(other for _, other, _ in PAIRS)]


def test_every_replacement_has_a_glyph_that_shows() -> None:
    """No reader sees a box or a gap."""
    sans = glyph_likeness.dejavu_fonts()[0]
    assert [text for text in replacements() if not sans.has(text)] == []
    assert [text for text in replacements() if sans.is_blank(text)] == []


def test_look_alikes_look_alike_in_one_font_as_in_all() -> None:
    """In DejaVu Sans alone, near the mean of all the fonts they were chosen in."""
    sans = glyph_likeness.dejavu_fonts()[0]
    unlike = [pair for pair in PAIRS if abs(sans.likeness(*pair[:2]) - pair[2]) > 0.08]
    assert unlike == []


def test_likeness_tells_same_from_other_and_forgives_only_width() -> None:
    """By hand: the ends of the scale and what lies between."""
    fonts = glyph_likeness.dejavu_fonts()[:2]

    def likeness(first: str, second: str) -> float:
        return float(glyph_likeness.likeness(fonts, first, second))

    assert likeness("o", "о") == pytest.approx(1, abs=0.01)
    assert likeness("o", "ọ") > likeness("o", "ø") > likeness("o", "x")
    assert likeness("O", "0") > 0.7 > likeness("O", "o")
    assert likeness("m", "rn") > likeness("d", "cl")
    assert likeness("m", "語") == 0


@needs_debian_fonts
def test_the_derivation_gives_the_shipped_rows() -> None:
    """For a few characters, with the tolerance that versions of fonts need."""
    glyph_table = importlib.import_module("builder.making.glyphs.derive")
    fonts = [*glyph_likeness.dejavu_fonts(), *glyph_likeness.debian_fonts(DEBIAN_FONTS)]
    assert [other for _, other, _ in PAIRS if not glyph_table.is_drawn(other, fonts)] == []
    for character in "3qQç":
        derived = dict(glyph_table.look_alikes(character, fonts))
        assert derived == pytest.approx(dict(look_alikes().get(character, [])), abs=0.02)
