"""The report that compares models: scores side by side, curves in one chart, differences beyond chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from contract.schema.figures import Scored
from contract.schema.leaderboards import Leaderboard
from contract.schema.manifest import DimensionInfo, Manifest
from contract.schema.metrics import MetricInfo
from contract.schema.results import Overall, Pair, Result
from leaderboard.board.ranking import Estimate
from leaderboard.text.formatting import clean_accuracy, coverage_of, dimension_pairs
from leaderboard.text.untrusted_text import visible
from leaderboard.view.advice import Advice, advice_for
from leaderboard.view.charts import Radar, Tick, axes_of, degree_of
from leaderboard.view.compared_metrics import (
    ComparedMetric,
    ComparedRow,
    compare_measurements,
    compare_overall,
    compare_setting,
    further_metrics,
)
from leaderboard.view.findings import Finding, near_guessing
from leaderboard.view.marks import MarkedCell, mark_degrees, mark_pairs, mark_scores, scored
from leaderboard.view.model_pages import measured_texts
from leaderboard.view.overlays import Overlay, colour_of, marker_of, overlay_of, overlay_radar, shape_of
from leaderboard.view.pairing import ESTIMATES, NamedResult, PairTable, findings_of_pairs, pair_table
from leaderboard.view.tables import Column, Row, Table
from leaderboard.view.worst_hit import HitCase

MOST_CHARACTERS_ON_RADARS = 22


@dataclass(frozen=True, kw_only=True)
class ComparedModel:
    """A model with its colour and the marker of its lines."""

    row: Row
    place: int
    colour: str
    marker: str
    shape: str


@dataclass(frozen=True, kw_only=True)
class DegreeFigures:
    """The scores of every model at one degree."""

    degree: str
    cells: tuple[MarkedCell, ...]


@dataclass(frozen=True, kw_only=True)
class ComparedPlot:
    """One task and setting of a dimension: the curves of all models in one chart, and their figures."""

    task: str
    setting: str
    overlays: Mapping[Estimate, Overlay]
    degrees: tuple[DegreeFigures, ...]
    metrics: tuple[ComparedMetric, ...]
    not_scored: str = ""


@dataclass(frozen=True, kw_only=True)
class ComparedDimension:
    """All that the report shows about one dimension."""

    column: Column
    info: DimensionInfo | None
    advice: Advice
    cells: tuple[MarkedCell, ...]
    plots: tuple[ComparedPlot, ...]
    hits: tuple[HitCase, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All that the report of several models shows."""

    models: tuple[ComparedModel, ...]
    findings: tuple[Finding, ...]
    overall: tuple[ComparedRow, ...]
    pairs: tuple[PairTable, ...]
    radars: Mapping[Estimate, Radar]
    sections: tuple[ComparedDimension, ...]

    @property
    def axes(self) -> dict[str, tuple[Tick, ...]]:
        """The horizontal axes of its charts, each once."""
        return axes_of(
            overlay.chart
            for section in self.sections
            for plot in section.plots
            for overlay in plot.overlays.values()
        )


def comparison_of(
    leaderboard: Leaderboard,
    table: Table,
    *,
    manifest: Manifest | None,
    hits: Mapping[str, tuple[HitCase, ...]],
    guessing: Mapping[str, float],
) -> Comparison:
    """Return what the report of all entries shows, in their order."""
    results = [entry.result for entry in leaderboard.entries]
    coverage = coverage_of(results)
    pairs = [dimension_pairs(result, coverage) for result in results]
    infos = {info.name: info for info in manifest.dimensions} if manifest else {}
    names = [row.model.name for row in table.rows]
    named = [NamedResult(name=name, result=result) for name, result in zip(names, results, strict=True)]
    labels = [visible(info.name, MOST_CHARACTERS_ON_RADARS) for info in leaderboard.dimensions]
    cells = [row.dimensions for row in table.rows]
    radars = {estimate: overlay_radar(labels, cells, estimate) for estimate in ESTIMATES}
    metrics = further_metrics(table.metrics)
    sections = [
        ComparedDimension(
            column=column,
            info=infos.get(info.name),
            advice=advice_for(info.name, infos.get(info.name)),
            cells=mark_pairs([by_dimension.get(info.name) for by_dimension in pairs]),
            plots=_plots(results, info.name, names, metrics),
            hits=hits.get(info.name, ()),
        )
        for info, column in zip(leaderboard.dimensions, table.columns, strict=True)
    ]
    return Comparison(
        models=tuple(
            ComparedModel(
                row=row,
                place=place,
                colour=colour_of(place),
                marker=marker_of(place),
                shape=shape_of(place),
            )
            for place, row in enumerate(table.rows)
        ),
        findings=(*findings_of_pairs(named), *_guessers(named, guessing)),
        overall=(
            *_overall_rows(results),
            *compare_overall(results, metrics),
            *compare_measurements([measured_texts(result) for result in results]),
        ),
        pairs=tuple(pair_table(results, estimate) for estimate in ESTIMATES),
        radars={estimate: drawing for estimate, drawing in radars.items() if drawing is not None},
        sections=tuple(section for section in sections if section.plots),
    )


def _guessers(named: Sequence[NamedResult], guessing: Mapping[str, float]) -> Iterator[Finding]:
    for item in named:
        for finding in near_guessing(item.result, guessing):
            yield replace(finding, head=f"{item.name}: {finding.head[:1].lower()}{finding.head[1:]}")


def _overall_rows(results: Sequence[Result]) -> tuple[ComparedRow, ...]:
    """Return the overall scores that any of the results has."""
    cleans = [clean_accuracy(result) for result in results]
    rows = {"Clean": [None if clean is None else Scored(clean, None) for clean in cleans]}
    for estimate in ESTIMATES:
        rows[estimate.capitalize()] = [
            None if result.overall is None else scored(getattr(result.overall, estimate))
            for result in results
        ]
    for tag in ("general", "malicious"):
        for estimate in ESTIMATES:
            pairs = [_tag_pair(result.overall, tag) for result in results]
            rows[f"{tag.capitalize()}, {estimate}"] = [
                None if pair is None else scored(getattr(pair, estimate)) for pair in pairs
            ]
    return tuple(
        ComparedRow(name=name, figures=mark_scores(scores))
        for name, scores in rows.items()
        if any(score is not None for score in scores)
    )


def _tag_pair(overall: Overall | None, tag: str) -> Pair | None:
    pair: Pair | None = getattr(overall, tag) if overall else None
    return pair


def _plots(
    results: Sequence[Result], dimension: str, names: Sequence[str], metrics: Sequence[MetricInfo]
) -> tuple[ComparedPlot, ...]:
    """Return a plot for each task and setting in which any of the models has figures."""
    by_model = [
        {
            (task, setting): score
            for task, task_score in result.tasks.items()
            for setting, score in task_score.dimensions.get(dimension, {}).items()
        }
        for result in results
    ]
    plots = []
    for task, setting in dict.fromkeys(cell for scores in by_model for cell in scores):
        scores_here = [scores.get((task, setting)) for scores in by_model]
        overlays = {estimate: overlay_of(scores_here, names, estimate) for estimate in ESTIMATES}
        degrees = {key for score in scores_here if score for key in score.degrees}
        plots.append(
            ComparedPlot(
                task=visible(task, 40),
                setting=visible(setting, 40),
                overlays={estimate: overlay for estimate, overlay in overlays.items() if overlay is not None},
                degrees=tuple(
                    DegreeFigures(
                        degree=visible(key, 20),
                        cells=mark_degrees(
                            [score.degrees.get(key) if score else None for score in scores_here]
                        ),
                    )
                    for key in sorted(degrees, key=lambda key: (degree_of(key) or 0.0, key))
                ),
                metrics=compare_setting(scores_here, metrics),
                not_scored=visible(next((score.not_scored for score in scores_here if score), None) or ""),
            )
        )
    return tuple(plots)
