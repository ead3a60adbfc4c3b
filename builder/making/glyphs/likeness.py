"""How alike two graphemes look when rendered; only for deriving and checking the table."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import cast

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.ft2font import FT2Font
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Bitmap = npt.NDArray[np.float32]

SIZE_PIXELS = 48
_WIDTH, _HEIGHT, _BASELINE = 160, 96, 64
# Outlines of one shape differ a little between the scripts of a font: a blur forgives it.
_BLUR_PIXELS = 1.2
# How far a glyph may stand beside its place: side bearings are nothing a reader sees.
_MOST_SHIFT = 8
# A reader forgives a wider or narrower shape, but not wholly and not any width.
STRETCHED = 0.95
NARROWEST = 0.6

DEJAVU = ("DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf")
# Package of Debian, then the files in it.
DEBIAN = {
    "liberation": ("LiberationSans-Regular.ttf", "LiberationSerif-Regular.ttf"),
    "freefont": ("FreeSans.ttf",),
    "noto": ("NotoSans-Regular.ttf", "NotoSerif-Regular.ttf"),
}


@dataclass(frozen=True, kw_only=True)
class Font:
    """A font file, its family, and the shapes it draws."""

    family: str
    path: Path

    def has(self, text: str) -> bool:
        """Whether every character has a glyph of its own here, so that no box is drawn."""
        return all(ord(character) in self._charmap for character in text)

    def likeness(self, first: str, second: str) -> float:
        """Return 1 for the same shape down to 0 for no ink in common; height above the baseline counts."""
        shape, other = _bitmap(self.path, first), _bitmap(self.path, second)
        plain = _best_overlap(shape, other)
        width, other_width = _ink_width(shape), _ink_width(other)
        if not width or not other_width or min(width, other_width) / max(width, other_width) < NARROWEST:
            return plain
        return max(plain, STRETCHED * _best_overlap(shape, _to_width(other, width)))

    def is_blank(self, text: str) -> bool:
        """Whether nothing is drawn."""
        return not _bitmap(self.path, text).any()

    @cached_property
    def _charmap(self) -> dict[int, int]:
        return cast("dict[int, int]", FT2Font(str(self.path)).get_charmap())


def dejavu_fonts() -> list[Font]:
    """Return the DejaVu fonts that come with matplotlib."""
    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    return [Font(family="dejavu", path=folder / name) for name in DEJAVU]


def debian_fonts(folder: Path) -> list[Font]:
    """Return the fonts of Debian's packages in a folder such as /usr/share/fonts/truetype."""
    return [
        Font(family=family, path=folder / family / name) for family, names in DEBIAN.items() for name in names
    ]


def likeness(fonts: Iterable[Font], first: str, second: str) -> float:
    """Return the mean likeness over the fonts that have both; 0 when none has."""
    values = [font.likeness(first, second) for font in fonts if font.has(first) and font.has(second)]
    return sum(values) / len(values) if values else 0.0


@lru_cache(maxsize=65_536)
def _bitmap(path: Path, text: str) -> Bitmap:
    """Return the text's ink, its middle on the canvas's middle and its baseline where every other's is."""
    image = Image.new("L", (_WIDTH, _HEIGHT), 0)
    drawing = ImageDraw.Draw(image)
    drawing.text((_WIDTH / 2, _BASELINE), text, fill=255, font=_font(path), anchor="ms")
    blurred = image.filter(ImageFilter.GaussianBlur(_BLUR_PIXELS))
    return np.asarray(blurred, dtype=np.float32) / np.float32(255)


@lru_cache(maxsize=64)
def _font(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, SIZE_PIXELS, layout_engine=ImageFont.Layout.BASIC)


def _best_overlap(shape: Bitmap, other: Bitmap) -> float:
    """Return the share of ink in common at the sideways shift where it is largest."""
    rows = shape.any(axis=1) & other.any(axis=1)
    if not rows.any():
        return 0.0
    ink = float(shape.sum() + other.sum())
    left, right = np.flatnonzero(shape.any(axis=0))[[0, -1]]
    own = shape[rows, left : right + 1]
    shifted = sliding_window_view(other[rows, left - _MOST_SHIFT : right + 1 + _MOST_SHIFT], own.shape)[0]
    return 2 * float(np.minimum(shifted, own).sum(axis=(1, 2)).max()) / ink


def _ink_columns(shape: Bitmap) -> npt.NDArray[np.intp]:
    return np.flatnonzero(shape.max(axis=0) > 0.25)


def _ink_width(shape: Bitmap) -> int:
    columns = _ink_columns(shape)
    return int(columns[-1] - columns[0] + 1) if len(columns) else 0


def _to_width(shape: Bitmap, width: int) -> Bitmap:
    """Return the shape with its ink made wider or narrower, in the middle of the canvas."""
    columns = _ink_columns(shape)
    margin = 3
    ink = shape[:, columns[0] - margin : columns[-1] + 1 + margin]
    image = Image.fromarray(ink).resize((width + 2 * margin, _HEIGHT), Image.Resampling.BILINEAR)
    resized = np.zeros_like(shape)
    left = (_WIDTH - image.width) // 2
    resized[:, left : left + image.width] = np.asarray(image)
    return resized
