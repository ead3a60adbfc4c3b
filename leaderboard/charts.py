"""Degree curves: where the points, lines and bands of a chart stand, ready for a template to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from contract.results import DegreeScore, Interval

WIDTH, HEIGHT = 340, 210
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 10, 30

Shape = Literal["circle", "square"]


@dataclass(frozen=True, kw_only=True)
class Point:
    """A marker with the words that a pointer over it shows."""

    x: float
    y: float
    title: str


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line of a chart; `band` is the outline of its confidence intervals, empty without them."""

    name: str
    shape: Shape
    line: str
    band: str
    points: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Score against degree for one task, dimension and setting."""

    title: str
    series: tuple[Series, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    clean_y: float


def degree_of(key: str) -> float | None:
    """Return the degree that a key of a result stands for, or nothing where degrees are undefined."""
    try:
        return float(key)
    except ValueError:
        return None


def degree_chart(title: str, degrees: Mapping[str, DegreeScore], clean: float) -> Chart | None:
    """Return the curves over the degrees, or nothing when there are none to draw."""
    known = sorted(
        (degree, score) for key, score in degrees.items() if (degree := degree_of(key)) is not None
    )
    if not known:
        return None
    furthest = max(degree for degree, _ in known) or 1.0
    xs = [_x(degree / furthest) for degree, _ in known]
    keys = [f"{degree:g}" for degree, _ in known]
    scores = [score for _, score in known]
    return Chart(
        title=title,
        series=(
            _series("worst", "square", xs, keys, [(s.worst, s.worst_ci) for s in scores]),
            _series("average", "circle", xs, keys, [(s.average, s.average_ci) for s in scores]),
        ),
        x_ticks=tuple(Tick(at=x, text=key.removeprefix("0")) for x, key in zip(xs, keys, strict=True)),
        y_ticks=tuple(Tick(at=_y(level / 100), text=str(level)) for level in (0, 25, 50, 75, 100)),
        clean_y=_y(clean),
    )


def _series(
    name: str,
    shape: Shape,
    xs: Sequence[float],
    keys: Sequence[str],
    scores: Sequence[tuple[float, Interval | None]],
) -> Series:
    """Return a line through the scores, with a band where every score has an interval."""
    points = tuple(
        Point(x=x, y=_y(score), title=f"{name} at degree {key}: {100 * score:.1f} %")
        for x, key, (score, _) in zip(xs, keys, scores, strict=True)
    )
    intervals = [interval for _, interval in scores if interval is not None]
    band = ""
    if len(intervals) == len(scores):
        upper = [f"{x},{_y(high)}" for x, (_, high) in zip(xs, intervals, strict=True)]
        lower = [f"{x},{_y(low)}" for x, (low, _) in zip(xs, intervals, strict=True)]
        band = " ".join(upper + lower[::-1])
    line = " ".join(f"{point.x},{point.y}" for point in points)
    return Series(name=name, shape=shape, line=line, band=band, points=points)


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _y(score: float) -> float:
    return round(TOP + (1 - score) * (HEIGHT - TOP - BOTTOM), 1)
