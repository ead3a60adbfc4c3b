"""Zéroe's figures on pages: attackers by harm, what is left at each degree, harm against edit distance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contract.folding import FOLDS
from contract.schema.attackers import Attacker, Attackers, AttackLevel
from contract.schema.results import Result
from leaderboard.text.formatting import NO_FIGURE, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, Tick, degree_of
from leaderboard.view.tables import Column

# Room on the right for ranks, which stand beside the ends of lines.
RIGHT = 30
# Figures of files may be any: what is above is drawn at the edge.
HIGHEST = 1.25
LABEL_HEIGHT = 10.0
N_TICKS = 4
ALL_FOLDS = "all"


class Mark(NamedTuple):
    """A point, or the place of a text, with the text."""

    x: float
    y: float
    text: str
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Lines and points with the marks of both axes; `guessing_y` is where guessing stands, if it does."""

    lines: tuple[str, ...]
    points: tuple[Mark, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_name: str
    y_name: str
    guessing_y: float | None = None
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, kw_only=True)
class AttackerRow:
    """An attacker: what it leaves at each degree, in per cent, and how far its cases are from originals."""

    rank: int
    name: str
    page: str
    left: tuple[str, ...]
    intervals: tuple[str, ...]
    distance: str


@dataclass(frozen=True, kw_only=True)
class AttackersView:
    """The attackers of a group of dimensions on one task."""

    task: str
    group: str
    degrees: tuple[str, ...]
    guessing: str
    rows: tuple[AttackerRow, ...]
    correlation: str
    curves: Plot
    scatter: Plot | None


@dataclass(frozen=True, kw_only=True)
class FoldsView:
    """What each step of the fold would have saved of the lost cases of a dimension on one task."""

    task: str
    dimension: str
    n_lost: int
    rows: tuple[tuple[str, str, int, str], ...]


def attackers_views(result: Result, columns: Mapping[str, Column]) -> tuple[AttackersView, ...]:
    """Return the attackers of every task and group that a result tells of."""
    return tuple(
        found
        for task, score in result.tasks.items()
        for group, attackers in score.attackers.items()
        if (found := _view(task, group, attackers, columns)) is not None
    )


def folds_views(result: Result) -> tuple[FoldsView, ...]:
    """Return the savings of folds on every task and dimension that a result tells of."""
    return tuple(
        FoldsView(
            task=visible(task, 40),
            dimension=visible(dimension, 40),
            n_lost=savings.n_lost,
            rows=tuple(
                (name, summary, n_saved, percent(n_saved / savings.n_lost))
                for name, summary in _steps()
                for n_saved in [savings.n_saved.get(name, 0)]
            ),
        )
        for task, score in result.tasks.items()
        for dimension, savings in score.folds.items()
        if savings.n_lost
    )


def _steps() -> Iterator[tuple[str, str]]:
    yield from ((name, step.summary) for name, step in FOLDS.items())
    yield ALL_FOLDS, "every step, one after the other"


class _Levels(NamedTuple):
    """The levels of an attacker by degree, low degrees first."""

    attacker: Attacker
    by_degree: dict[float, AttackLevel]


def _view(task: str, group: str, attackers: Attackers, columns: Mapping[str, Column]) -> AttackersView | None:
    known = [_levels(attacker) for attacker in attackers.attackers]
    degrees = sorted({degree for own in known for degree in own.by_degree})
    if not degrees or not degrees[-1]:
        return None
    return AttackersView(
        task=visible(task, 40),
        group=visible(group, 40),
        degrees=tuple(f"{degree:g}" for degree in degrees),
        guessing=percent(attackers.guessing),
        rows=tuple(_row(place, own, degrees, columns) for place, own in enumerate(known, 1)),
        correlation="" if attackers.correlation is None else f"{attackers.correlation:.2f}",
        curves=_curves(known, degrees, attackers.guessing),
        scatter=_scatter(known),
    )


def _levels(attacker: Attacker) -> _Levels:
    found = {
        degree: level for key, level in attacker.levels.items() if (degree := degree_of(key)) is not None
    }
    return _Levels(attacker, dict(sorted(found.items())))


def _row(rank: int, own: _Levels, degrees: Sequence[float], columns: Mapping[str, Column]) -> AttackerRow:
    levels = [own.by_degree.get(degree) for degree in degrees]
    column = columns.get(own.attacker.dimension)
    last = levels[-1]
    has_distance = last is not None and last.edit_distance is not None
    return AttackerRow(
        rank=rank,
        name=visible(own.attacker.dimension, 40),
        page="" if column is None else column.page,
        left=tuple(NO_FIGURE if level is None else percent(level.relative) for level in levels),
        intervals=tuple(
            "" if level is None or level.relative_ci is None else "–".join(map(percent, level.relative_ci))
            for level in levels
        ),
        distance=percent(last.edit_distance) if has_distance and last else NO_FIGURE,
    )


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - min(max(share, 0.0), 1.0) * (HEIGHT - TOP - BOTTOM), 1)


def _curves(known: Sequence[_Levels], degrees: Sequence[float], guessing: float) -> Plot:
    """Return a line an attacker from the clean texts, of which all is left, to the highest degree."""
    figures = [level.relative for own in known for level in own.by_degree.values()]
    top = min(HIGHEST, max(1.0, *figures))
    lines, ends = [], []
    for rank, own in enumerate(known, 1):
        points = [(0.0, 1.0), *((degree, level.relative) for degree, level in own.by_degree.items())]
        places = [(_x(degree / degrees[-1]), _y(value / top)) for degree, value in points]
        lines.append(" ".join(f"{x},{y}" for x, y in places))
        ends.append(Mark(*places[-1], str(rank), visible(own.attacker.dimension, 40)))
    return Plot(
        lines=tuple(lines),
        points=tuple(_apart(ends)),
        x_ticks=tuple(Tick(at=_x(degree / degrees[-1]), text=f"{degree:g}") for degree in (0.0, *degrees)),
        y_ticks=tuple(Tick(at=_y(level / 100 / top), text=str(level)) for level in range(0, 101, 25)),
        x_name="p",
        y_name="s*, per cent",
        guessing_y=_y(guessing / top),
    )


def _apart(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yield texts so far apart that each can be read, from the highest down."""
    last = -LABEL_HEIGHT
    # What does not fit below moves up.
    highest = HEIGHT - BOTTOM - LABEL_HEIGHT * (len(marks) - 1)
    for place, mark in enumerate(sorted(marks, key=lambda mark: mark.y)):
        y = min(max(mark.y, last + LABEL_HEIGHT), highest + LABEL_HEIGHT * place)
        yield mark._replace(y=round(y, 1))
        last = y


def _scatter(known: Sequence[_Levels]) -> Plot | None:
    """Return harm, 1 − s*, against edit distance; None where distances are not known."""
    points = [
        (level.edit_distance, 1 - level.relative, str(rank), f"{own.attacker.dimension}, p {degree:g}")
        for rank, own in enumerate(known, 1)
        for degree, level in own.by_degree.items()
        if level.edit_distance is not None
    ]
    furthest = max((point[0] for point in points), default=0.0)
    if not furthest:
        return None
    top = max(0.1, *(point[1] for point in points))
    return Plot(
        lines=(),
        points=tuple(
            Mark(_x(distance / furthest), _y(harm / top), rank, visible(title, 60))
            for distance, harm, rank, title in points
        ),
        x_ticks=tuple(
            Tick(at=_x(step / N_TICKS), text=f"{100 * furthest * step / N_TICKS:.0f}")
            for step in range(N_TICKS + 1)
        ),
        y_ticks=tuple(
            Tick(at=_y(step / N_TICKS), text=f"{100 * top * step / N_TICKS:.0f}")
            for step in range(N_TICKS + 1)
        ),
        x_name="distance",
        y_name="harm, per cent",
    )
