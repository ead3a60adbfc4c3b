"""Draws gains as a heat map: an SVG file that reads the same on light and on dark pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

CELL_WIDTH, CELL_HEIGHT = 52, 26
LEFT, TOP = 118, 118
# Points at which a cell has its full colour.
STRONGEST = 15.0
BETTER, WORSE = (0, 112, 79), (176, 58, 0)


@dataclass(frozen=True, kw_only=True)
class HeatRow:
    """A defence: its change when clean, and its gain under each attack; `framed` is its own attack."""

    name: str
    clean: float
    gains: tuple[float | None, ...]
    framed: int | None = None


def heat_map(rows: Sequence[HeatRow], columns: Sequence[str], title: str) -> str:
    """Return the picture; the first column is the change when clean."""
    width = LEFT + CELL_WIDTH * (len(columns) + 1) + 40
    height = TOP + CELL_HEIGHT * len(rows) + 10
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="8" y="18" font-size="13" fill="#1a2430">{escape(title)}</text>',
    ]
    for place, name in enumerate(("clean texts", *columns)):
        x = LEFT + CELL_WIDTH * place + CELL_WIDTH / 2
        lines.append(
            f'<text transform="translate({x:g} {TOP - 8}) rotate(-40)" fill="#1a2430">{escape(name)}</text>'
        )
    for number, row in enumerate(rows):
        lines += _row(number, row)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _row(number: int, row: HeatRow) -> list[str]:
    y = TOP + CELL_HEIGHT * number
    lines = [f'<text x="{LEFT - 8}" y="{y + 17}" text-anchor="end" fill="#1a2430">{escape(row.name)}</text>']
    for place, gain in enumerate((row.clean, *row.gains)):
        if gain is None:
            continue
        x, points = LEFT + CELL_WIDTH * place, 100 * gain
        frame = ' stroke="#1a2430" stroke-width="2"' if row.framed == place - 1 else ""
        lines.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT - 2}"'
            f' fill="{_colour(points)}"{frame}/>'
        )
        text = f"{points:+.1f}".replace("-", "\N{MINUS SIGN}")
        lines.append(
            f'<text x="{x + CELL_WIDTH / 2:g}" y="{y + 17}" text-anchor="middle" fill="#1a2430">{text}</text>'
        )
    return lines


def _colour(points: float) -> str:
    """Return green for what is won and orange for what is lost, the paler the less it is."""
    share = 0.65 * min(1.0, abs(points) / STRONGEST)
    colour = BETTER if points > 0 else WORSE
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in colour)
