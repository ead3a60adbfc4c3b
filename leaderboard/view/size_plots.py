"""Robustness against size: one point for each ranked model whose number of parameters is known."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.view.charts import Tick
from leaderboard.view.tables import Row

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 18, 26, 34
FEWEST_MODELS = 3


@dataclass(frozen=True, kw_only=True)
class Point:
    """A model in the plot; `label` is drawn beside it where there is room."""

    x: float
    y: float
    name: str
    title: str
    page: str
    label: str


@dataclass(frozen=True, kw_only=True)
class SizePlot:
    """Points with the marks of both axes; sizes are on a logarithmic axis."""

    points: tuple[Point, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    n_unknown: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def size_plot(rows: Sequence[Row]) -> SizePlot | None:
    """Return the plot of the ranked models, or None if the sizes of fewer than three are known."""
    ranked = [row for row in rows if row.model.status == "ranked" and row.score is not None]
    known = [row for row in ranked if row.n_parameters]
    if len(known) < FEWEST_MODELS:
        return None
    exponents = [math.log10(row.n_parameters or 1) for row in known]
    low, high = math.floor(min(exponents)), math.ceil(max(exponents))
    high = max(high, low + 1)
    scores = [row.score.score for row in known if row.score is not None]
    bottom, top = math.floor(min(scores) * 10) / 10, math.ceil(max(scores) * 10) / 10
    top = max(top, bottom + 0.1)

    def x_of(exponent: float) -> float:
        return round(LEFT + (exponent - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    def y_of(score: float) -> float:
        return round(HEIGHT - BOTTOM - (score - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM), 1)

    step = max(1, (high - low) // 6)
    n_levels = round((top - bottom) * 10)
    return SizePlot(
        points=_labelled(
            [
                Point(
                    x=x_of(exponent),
                    y=y_of(score),
                    name=row.model.distinct,
                    title=f"{row.model.distinct}: {row.n_parameters:,} parameters,"
                    f" robustness {100 * score:.1f}",
                    page=row.model.page,
                    label="",
                )
                for row, exponent, score in zip(known, exponents, scores, strict=True)
            ]
        ),
        x_ticks=tuple(Tick(at=x_of(power), text=_size_text(power)) for power in range(low, high + 1, step)),
        y_ticks=tuple(
            Tick(at=y_of(bottom + level / 10), text=f"{100 * bottom + 10 * level:.0f}")
            for level in range(n_levels + 1)
        ),
        n_unknown=len(ranked) - len(known),
    )


def _labelled(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points, with the name of each beside which no other name stands yet."""
    taken: list[tuple[float, float, float]] = []
    labelled = []
    for point in points:
        width = 6.2 * min(len(point.name), 22)
        is_free = point.x + 8 + width < WIDTH and all(
            abs(point.y - y) > 13 or point.x > right or point.x + 8 + width < left for left, right, y in taken
        )
        if is_free:
            taken.append((point.x - 6, point.x + 8 + width, point.y))
        text = point.name if len(point.name) <= 22 else f"{point.name[:21]}…"
        labelled.append(
            Point(
                x=point.x,
                y=point.y,
                name=point.name,
                title=point.title,
                page=point.page,
                label=text if is_free else "",
            )
        )
    return tuple(labelled)


def _size_text(power: int) -> str:
    """Return ten to a power with the letter for thousands, millions and so on."""
    letters = ("", "k", "M", "G", "T")
    group = min(power // 3, len(letters) - 1)
    return f"{10 ** (power - 3 * group)}{letters[group]}" if power - 3 * group < 6 else f"10^{power}"
