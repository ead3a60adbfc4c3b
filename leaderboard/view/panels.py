"""One task, dimension and setting as pages show it: curves, figures by degree, recall by label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contract.schema.figures import Scored, curve_points, figure_of, further_figures, has_scope
from contract.schema.metrics import MetricInfo
from contract.schema.results import CleanScore, DegreeScore, Interval, Overall, SettingScore
from leaderboard.text.formatting import NO_FIGURE, HeatScale, TableCell, figure, percent
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import Chart, degree_chart
from leaderboard.view.figure_rows import FigureRow
from leaderboard.view.label_tables import LabelTable, label_table, low_first
from leaderboard.view.tables import Column


class NamedText(NamedTuple):
    """A figure as pages show it, with its name."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ShownMetrics:
    """The metrics that the pages of a result show."""

    on_pages: tuple[MetricInfo, ...]
    # Those that have a column in tables of degrees: the result has figures of them at some degree.
    at_degrees: tuple[MetricInfo, ...]

    @property
    def curves(self) -> tuple[MetricInfo, ...]:
        """The metrics that depend on how many cases an attacker may try."""
        return tuple(info for info in self.on_pages if has_scope(info, "curve"))


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A metric by how many cases an attacker may try: a row for each number of cases."""

    info: MetricInfo
    # Whether the rows end with the number of samples that have so many cases.
    has_samples: bool
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One dimension and setting of one task on a page."""

    column: Column
    setting: str
    score: TableCell
    not_scored: str
    chart: Chart | None
    rows: tuple[FigureRow, ...]
    # Whether the rows have a column for transferable accuracy.
    has_tier: bool
    labels: LabelTable | None
    curves: tuple[Curve, ...]
    further: tuple[NamedText, ...]


def clean_text(score: CleanScore | None, infos: Sequence[MetricInfo]) -> str:
    """Return a task's clean score, its accuracy and its other clean figures as one phrase."""
    if score is None:
        return "without clean predictions"
    main = (
        f"clean score {with_interval(score.score, score.score_ci)},"
        f" accuracy {with_interval(score.accuracy, score.ci)} on {score.n_samples:,} samples"
    )
    return ", ".join([main, *(f"{name} {text}" for name, text in further_texts(score, infos))])


def further_texts(
    score: CleanScore | SettingScore | Overall, infos: Sequence[MetricInfo]
) -> tuple[NamedText, ...]:
    """Return the figures of metrics that have no field of their own; curves have a table instead."""
    return tuple(
        NamedText(visible(named.label, 80), figure_text(named.info, named.figure))
        for named in further_figures(score, infos)
        if not named.is_on_curve
    )


def figure_text(info: MetricInfo, figure: Scored | None) -> str:
    """Return a figure in its metric's unit, with its interval in brackets where the metric shows it."""
    if figure is None:
        return NO_FIGURE
    if figure.interval is None or not info.with_interval:
        return info.shown(figure.value)
    low, high = map(info.shown, figure.interval)
    return f"{info.shown(figure.value)} ({low}–{high})"


def panel_of(
    column: Column,
    setting: str,
    score: SettingScore,
    clean: CleanScore | None,
    *,
    scale: HeatScale,
    metrics: ShownMetrics,
    min_samples: int,
) -> Panel:
    """Return what a page shows of one task, dimension and setting."""
    has_tier = any(degree.transferable is not None for degree in score.degrees.values())
    return Panel(
        column=column,
        setting=visible(setting),
        score=TableCell(average=figure(score.average, scale), worst=figure(score.worst, scale)),
        not_scored=visible(score.not_scored or ""),
        chart=degree_chart(score, None if clean is None else clean.score, min_samples),
        rows=tuple(
            FigureRow(
                key in score.degrees_used,
                _degree_cells(key, score.degrees[key], metrics.at_degrees, has_tier=has_tier),
            )
            for key in low_first(tuple(score.degrees))
        ),
        has_tier=has_tier,
        labels=label_table(score, clean),
        curves=tuple(curve for info in metrics.curves if (curve := _curve(score, info)).rows),
        further=further_texts(score, metrics.on_pages),
    )


def _curve(score: SettingScore, info: MetricInfo) -> Curve:
    points = curve_points(score, info)
    has_samples = any(point.n_samples is not None for point in points)
    rows = [
        (
            f"{point.n_cases}",
            figure_text(info, point.figure),
            NO_FIGURE if point.n_samples is None else f"{point.n_samples:,}",
        )
        for point in points
    ]
    return Curve(
        info=info,
        has_samples=has_samples,
        rows=tuple(FigureRow(is_used=True, cells=cells if has_samples else cells[:-1]) for cells in rows),
    )


def _degree_cells(
    key: str, score: DegreeScore, infos: Sequence[MetricInfo], *, has_tier: bool
) -> tuple[str, ...]:
    """Return the figures of a degree in the order of the table's columns."""
    realised, tier = score.mean_realised_degree, score.transferable
    return (
        visible(key),
        NO_FIGURE if realised is None else f"{realised:.3f}",
        *_figure_texts(score, infos),
        *([NO_FIGURE if tier is None else f"{percent(tier.accuracy)} (n {tier.n_cases:,})"] * has_tier),
        percent(score.share_with_case),
        f"{score.n_samples:,}",
        f"{score.n_cases:,}",
    )


def _figure_texts(score: DegreeScore, infos: Sequence[MetricInfo]) -> Iterator[str]:
    """Yield the figures of metrics as texts; those in per cent that have a field are written at once."""
    fields = vars(score)
    for info in infos:
        value = fields.get(info.key)
        # A large site has a million of these cells.
        if isinstance(value, float) and info.unit == "percent":
            bounds = fields.get(f"{info.key}_ci") if info.with_interval else None
            if bounds is None:
                yield f"{100 * value:.1f}"
            else:
                yield f"{100 * value:.1f} ({100 * bounds[0]:.1f}–{100 * bounds[1]:.1f})"
        else:
            yield figure_text(info, figure_of(score, info))


def with_interval(score: float, interval: Interval | None) -> str:
    """Return a score with its interval in brackets, where it has one."""
    if interval is None:
        return percent(score)
    return f"{100 * score:.1f} ({100 * interval[0]:.1f}–{100 * interval[1]:.1f})"
