"""Curves and radars: the coordinates of their lines and labels, for templates to draw."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from contract.schema.figures import Scored
from contract.schema.results import DegreeScore, SettingScore
from leaderboard.text.formatting import TableCell

# TOP leaves room for the name of the upright axis.
WIDTH, HEIGHT = 340, 212
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 22, 24
LEVELS = (0, 25, 50, 75, 100)

RADAR_WIDTH, RADAR_HEIGHT, RADAR_RADIUS = 520, 340, 128
# With fewer axes a radar is a line or a point.
FEWEST_AXES = 3
# A curve ends at the highest degree at which this share of the samples has a case.
FEWEST_WITH_CASE = 0.1


class DrawnDegree(NamedTuple):
    """The scores at one degree of a curve, and whether they are of few samples."""

    average: Scored
    worst: Scored
    is_few: bool


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line of a chart; `band` is the outline of its confidence intervals, or empty."""

    name: str
    line: str
    marker: str
    band: str = ""
    # Points from few samples, which are drawn faded.
    faded: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A horizontal axis; charts with the same degrees have the same axis, which a page draws once."""

    name: str
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Score against degree in one cell (task × dimension × setting); `clean_y` is None without clean line."""

    series: tuple[Series, ...]
    axis: Axis
    clean_y: float | None


@dataclass(frozen=True, kw_only=True)
class Stop:
    """The area of a chart around one degree, and the text shown when the pointer is in it."""

    x: float
    left: float
    width: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Outline:
    """The scores that a radar joins, one for each axis."""

    name: str
    marker: str
    scores: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Spoke:
    """An axis of a radar with its label."""

    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Radar:
    """Scores by dimension, one axis for each dimension in which all shown models were scored."""

    spokes: tuple[Spoke, ...]
    rings: tuple[str, ...]
    series: tuple[Series, ...]


@lru_cache
def degree_of(key: str) -> float | None:
    """Return the degree of a key in a result, or None for a key that is not a degree."""
    try:
        degree = float(key)
    except ValueError:
        return None
    return degree if math.isfinite(degree) and degree >= 0 else None


def y_ticks() -> tuple[Tick, ...]:
    """Return the marks of the upright axis, the same for all charts."""
    return tuple(Tick(at=_y(level / 100), text=str(level)) for level in LEVELS)


def axes_of(drawings: Iterable[Chart | None]) -> dict[str, tuple[Tick, ...]]:
    """Return the horizontal axes of a page's charts, each once."""
    return {drawing.axis.name: drawing.axis.ticks for drawing in drawings if drawing is not None}


def scores_by_degree(degrees: Mapping[str, DegreeScore]) -> dict[float, DegreeScore]:
    """Return the scores that have a degree, low degrees first."""
    return {degree: degrees[key] for degree, key in _sorted_degrees(tuple(degrees))}


def drawn_degrees(score: SettingScore, min_samples: int = 0) -> dict[float, DrawnDegree]:
    """Return the scores that a curve shows, low degrees first: none of a cell that was not scored."""
    if score.average is None:
        return {}
    by_degree = scores_by_degree(score.degrees)
    highest = max(
        (degree for degree, value in by_degree.items() if value.share_with_case >= FEWEST_WITH_CASE),
        default=-1.0,
    )
    return {
        degree: DrawnDegree(
            Scored(value.average, value.average_ci),
            Scored(value.worst, value.worst_ci),
            value.n_samples < min_samples,
        )
        for degree, value in by_degree.items()
        if degree <= highest and value.average is not None and value.worst is not None
    }


# Large sites draw tens of thousands of charts over the same few degrees: these functions keep their results.


@lru_cache
def _sorted_degrees(keys: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    """Return the degrees with their keys, low degrees first; keys that are not degrees are left out."""
    by_degree = {degree: key for key in keys if (degree := degree_of(key)) is not None}
    return tuple(sorted(by_degree.items()))


@lru_cache
def xs_of(degrees: tuple[float, ...]) -> tuple[float, ...]:
    """Return the positions of degrees on the horizontal axis, the highest degree at its end."""
    furthest = max(degrees) or 1.0
    return tuple(_x(degree / furthest) for degree in degrees)


@lru_cache
def axis_of(degrees: tuple[float, ...]) -> Axis:
    """Return the horizontal axis with its marks."""
    texts = [f"{degree:g}".removeprefix("0") or "0" for degree in degrees]
    return Axis(
        name="axis-" + "-".join(text.replace(".", "p") for text in texts),
        ticks=tuple(Tick(at=x, text=text) for x, text in zip(xs_of(degrees), texts, strict=True)),
    )


def stops_of(degrees: Sequence[float], texts: Sequence[str]) -> tuple[Stop, ...]:
    """Return the areas of a chart around each degree, which reach halfway to its neighbours."""
    xs = xs_of(tuple(degrees))
    middles = [(one + other) / 2 for one, other in pairwise(xs)]
    bounds = [float(LEFT), *middles, float(WIDTH)]
    return tuple(
        Stop(x=x, left=round(left, 1), width=round(right - left, 1), text=text)
        for x, text, (left, right) in zip(xs, texts, pairwise(bounds), strict=True)
    )


def degree_chart(score: SettingScore, clean: float | None, min_samples: int) -> Chart | None:
    """Return the curves over the degrees, or None if there is no degree to draw."""
    by_degree = drawn_degrees(score, min_samples)
    if not by_degree:
        return None
    xs = xs_of(tuple(by_degree))
    drawn = list(by_degree.values())
    few = [value.is_few for value in drawn]
    worst = series_of("worst", "square", xs, [value.worst for value in drawn], few)
    average = series_of("average", "dot", xs, [value.average for value in drawn], few)
    return Chart(
        series=(worst, average), axis=axis_of(tuple(by_degree)), clean_y=None if clean is None else _y(clean)
    )


def radar(labels: Sequence[str], cells: Sequence[TableCell]) -> Radar | None:
    """Return a radar of the dimensions that have a score, or None if there are too few."""
    scored = [
        (label, cell.average.score, cell.worst.score)
        for label, cell in zip(labels, cells, strict=True)
        if cell.average is not None and cell.worst is not None
    ]
    return radar_of(
        [label for label, _, _ in scored],
        [
            Outline(name="worst", marker="square", scores=tuple(worst for _, _, worst in scored)),
            Outline(name="average", marker="dot", scores=tuple(average for _, average, _ in scored)),
        ],
    )


def radar_of(labels: Sequence[str], outlines: Sequence[Outline]) -> Radar | None:
    """Return a radar with one axis for each label, or None if there are too few."""
    n_axes = len(labels)
    if n_axes < FEWEST_AXES:
        return None
    return Radar(
        spokes=_spokes(tuple(labels)),
        rings=_rings(n_axes),
        series=tuple(
            Series(name=outline.name, marker=outline.marker, line=_outline(outline.scores))
            for outline in outlines
        ),
    )


def series_of(
    name: str,
    marker: str,
    xs: Sequence[float],
    scores: Sequence[Scored],
    few: Sequence[bool] = (),
) -> Series:
    """Return a line through the scores, with a band if every score has an interval; few: fade the point."""
    intervals = [interval for _, interval in scores if interval is not None]
    band = ""
    if len(intervals) == len(scores):
        # Along the upper bounds and back along the lower.
        bounds = [high for _, high in intervals] + [low for low, _ in intervals[::-1]]
        band = _line((*xs, *xs[::-1]), bounds)
    faded = tuple(
        (x, _y(score)) for x, (score, _), is_few in zip(xs, scores, few, strict=bool(few)) if is_few
    )
    line = _line(tuple(xs), [score for score, _ in scores])
    return Series(name=name, marker=marker, line=line, band=band, faded=faded)


def _line(xs: tuple[float, ...], scores: Sequence[float]) -> str:
    span, bottom = HEIGHT - TOP - BOTTOM, HEIGHT - BOTTOM
    return _line_without_heights(xs) % tuple([bottom - span * score for score in scores])


@lru_cache
def _line_without_heights(xs: tuple[float, ...]) -> str:
    """Return the points of a line as a format string for its heights."""
    return " ".join(f"{x:.1f},%.1f" for x in xs)


@lru_cache
def _spokes(labels: tuple[str, ...]) -> tuple[Spoke, ...]:
    return tuple(_spoke(index, len(labels), label) for index, label in enumerate(labels))


@lru_cache
def _rings(n_axes: int) -> tuple[str, ...]:
    return tuple(_outline([level / 100] * n_axes) for level in LEVELS[1:])


def _spoke(index: int, n_axes: int, label: str) -> Spoke:
    x, y = _on_axis(index, n_axes, 1.0)
    label_x, label_y = _on_axis(index, n_axes, 1.09)
    side = round(label_x - RADAR_WIDTH / 2)
    anchor = "middle" if abs(side) < 12 else "start" if side > 0 else "end"
    return Spoke(x=x, y=y, label_x=label_x, label_y=round(label_y + 3.5, 1), anchor=anchor, label=label)


def _outline(scores: Sequence[float]) -> str:
    points = [_on_axis(index, len(scores), score) for index, score in enumerate(scores)]
    return " ".join(f"{x},{y}" for x, y in points)


def _on_axis(index: int, n_axes: int, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * index / n_axes
    x = RADAR_WIDTH / 2 + share * RADAR_RADIUS * math.sin(angle)
    y = RADAR_HEIGHT / 2 - share * RADAR_RADIUS * math.cos(angle)
    return round(x, 1), round(y, 1)


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _y(score: float) -> float:
    return round(TOP + (1 - score) * (HEIGHT - TOP - BOTTOM), 1)
