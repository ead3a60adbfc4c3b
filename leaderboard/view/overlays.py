"""Charts that show several models; each model has its own colour and marker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contract.schema.estimates import Estimate
from contract.schema.figures import Scored
from contract.schema.results import SettingScore
from leaderboard.text.formatting import TableCell, percent
from leaderboard.view.charts import (
    Chart,
    DrawnDegree,
    Outline,
    Radar,
    Stop,
    axis_of,
    drawn_degrees,
    radar_of,
    series_of,
    stops_of,
    xs_of,
)

N_COLOURS = 6
# Each colour is used twice: with filled markers and solid lines, then with hollow markers and dashed lines.
MOST_MODELS = 2 * N_COLOURS
# More bands would hide each other.
MOST_BANDS = 3

SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M-3.5-3.5h7v7h-7z",
    "M0-4.6L4.4 3.4H-4.4z",
    "M0-5L5 0L0 5L-5 0z",
    "M-4.2-2.4L-2.4-4.2L0-1.8L2.4-4.2L4.2-2.4L1.8 0L4.2 2.4L2.4 4.2L0 1.8L-2.4 4.2L-4.2 2.4L-1.8 0z",
    "M0 4.6L-4.4-3.4H4.4z",
)


@dataclass(frozen=True, kw_only=True)
class Overlay:
    """The curves of several models in one cell (task × dimension × setting)."""

    chart: Chart
    stops: tuple[Stop, ...]


def colour_of(place: int) -> str:
    """Return the CSS classes of a model's colour; `again` marks the second use of a colour."""
    return f"c{place % N_COLOURS}" + (" again" if place >= N_COLOURS else "")


def shape_of(place: int) -> str:
    """Return the path of a model's marker."""
    return SHAPES[place % N_COLOURS]


def marker_of(place: int) -> str:
    """Return the id of the marker on a model's line."""
    return f"shape-{place}"


def overlay_of(
    scores: Sequence[SettingScore | None], names: Sequence[str], estimate: Estimate, *, min_samples: int
) -> Overlay | None:
    """Return one curve for each model that was scored here, or None if there is no degree to draw."""
    by_model = [drawn_degrees(score, min_samples) if score else {} for score in scores]
    degrees = sorted({degree for by_degree in by_model for degree in by_degree})
    if not degrees:
        return None
    xs = dict(zip(degrees, xs_of(tuple(degrees)), strict=True))
    has_bands = sum(map(bool, by_model)) <= MOST_BANDS
    series = [
        series_of(
            f"outline {colour_of(place)}",
            marker_of(place),
            [xs[degree] for degree in by_degree],
            [
                Scored(figure.value, figure.interval if has_bands else None)
                for drawn in by_degree.values()
                for figure in (getattr(drawn, estimate),)
            ],
            [drawn.is_few for drawn in by_degree.values()],
        )
        for place, by_degree in enumerate(by_model)
        if by_degree
    ]
    texts = [_text_at(degree, by_model, names, estimate) for degree in degrees]
    # The first model is drawn last, on top of the others.
    chart = Chart(series=tuple(series[::-1]), axis=axis_of(tuple(degrees)), clean_y=None)
    return Overlay(chart=chart, stops=stops_of(degrees, texts))


def overlay_radar(
    labels: Sequence[str], models: Sequence[Sequence[TableCell]], estimate: Estimate
) -> Radar | None:
    """Return a radar of the dimensions that the most complete models have; others need all of these too."""
    # A model without cells is not drawn.
    figures: list[list[Any]] = [
        [getattr(cell, estimate) for cell in cells] if cells else [None] * len(labels) for cells in models
    ]
    n_scored = [sum(figure is not None for figure in row) for row in figures]
    complete = [row for row, n in zip(figures, n_scored, strict=True) if n == max(n_scored)]
    axes = [axis for axis in range(len(labels)) if all(row[axis] is not None for row in complete)]
    outlines = [
        Outline(
            name=f"outline {colour_of(place)}",
            marker=marker_of(place),
            scores=tuple(row[axis].score for axis in axes),
        )
        for place, row in enumerate(figures)
        if axes and all(row[axis] is not None for axis in axes)
    ]
    return radar_of([labels[axis] for axis in axes], outlines[::-1])


def _text_at(
    degree: float, by_model: Sequence[Mapping[float, DrawnDegree]], names: Sequence[str], estimate: Estimate
) -> str:
    lines = [
        f"{name}: {percent(getattr(by_degree[degree], estimate).value)}"
        for name, by_degree in zip(names, by_model, strict=True)
        if degree in by_degree
    ]
    return "\n".join([f"degree {degree:g}, {estimate}", *lines])
