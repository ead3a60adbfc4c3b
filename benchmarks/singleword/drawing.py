"""Draws curves of ρ against time as SVG, as the paper's Figure 7 does."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, MARGIN = 640, 400, 60
COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#7b4f9d")


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Points of time and ρ, from left to right."""

    name: str
    points: Sequence[tuple[float, float]]


def draw(curves: Sequence[Curve], *, floor: float, title: str) -> str:
    """Return a figure; `floor` is what brute force finds."""
    longest = max(x for curve in curves for x, _ in curve.points)
    highest = max(y for curve in curves for _, y in curve.points)
    lowest = floor - 0.1 * max(highest - floor, 1e-3)

    def at(x: float, y: float) -> str:
        across = MARGIN + (WIDTH - 2 * MARGIN) * x / longest
        up = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (y - lowest) / (highest - lowest)
        return f"{across:.1f},{up:.1f}"

    left, right, bottom = MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN
    above_floor = float(at(0, floor).split(",")[1]) - 5
    axes = f"{left},{MARGIN} {left},{bottom} {right},{bottom}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{left}" y="30" font-size="16">{escape(title)}</text>',
        f'<polyline fill="none" stroke="black" points="{axes}"/>',
        f'<polyline stroke="black" stroke-dasharray="6 4" points="{at(0, floor)} {at(longest, floor)}"/>',
        _text(left - 6, MARGIN, f"{highest:.3f}"),
        _text(left - 6, bottom, f"{lowest:.3f}"),
        _text(right, bottom + 18, f"{longest:.2f} s"),
        _text(right, above_floor, f"brute force {floor:.4f}"),
    ]
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(at(x, y) for x, y in curve.points)
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>')
        for x, y in curve.points:
            across, up = at(x, y).split(",")
            lines.append(f'<circle cx="{across}" cy="{up}" r="4" fill="{colour}"/>')
        lines.append(_text(right, MARGIN + 18 * number, curve.name, colour))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, colour: str = "black") -> str:
    style = f'font-size="12" fill="{colour}" text-anchor="end"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'
