"""The report that compares models: scores side by side, curves in one chart, differences beyond chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from contract.schema.estimates import ESTIMATES, Estimate, estimate_of
from contract.schema.figures import Scored
from contract.schema.leaderboards import Leaderboard
from contract.schema.manifest import DimensionInfo, Manifest
from contract.schema.metrics import MetricInfo
from contract.schema.results import Result
from leaderboard.text.formatting import clean_score, overall_heading
from leaderboard.text.untrusted_text import visible
from leaderboard.text.validity import weighted_figures
from leaderboard.view.advice import Advice, advice_for
from leaderboard.view.by_setting import Tab, coverage_of, pairs_of, setting_pair, tag_pair
from leaderboard.view.charts import Radar, Tick, axes_of, degree_of
from leaderboard.view.compared_metrics import (
    ComparedMetric,
    ComparedRow,
    compare_measurements,
    compare_overall,
    compare_setting,
    further_metrics,
)
from leaderboard.view.findings import Finding, without_skill
from leaderboard.view.marks import MarkedCell, Places, mark_degrees, mark_pairs, mark_scores, scored
from leaderboard.view.model_pages import measured_texts
from leaderboard.view.overlays import Overlay, colour_of, marker_of, overlay_of, overlay_radar, shape_of
from leaderboard.view.pairing import NamedResult, PairTable, findings_of_pairs, pair_table
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
class ComparedSetting:
    """All models in one setting: overall, by tag and by dimension, and their radars."""

    tab: Tab
    overall: tuple[ComparedRow, ...]
    dimensions: tuple[tuple[Column, tuple[MarkedCell, ...]], ...]
    radars: Mapping[Estimate, Radar]


@dataclass(frozen=True, kw_only=True)
class ComparedDimension:
    """All that the report shows about one dimension."""

    column: Column
    info: DimensionInfo | None
    advice: Advice
    plots: tuple[ComparedPlot, ...]
    hits: tuple[HitCase, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All that the report of several models shows."""

    models: tuple[ComparedModel, ...]
    findings: tuple[Finding, ...]
    overall: tuple[ComparedRow, ...]
    pairs: tuple[PairTable, ...]
    settings: tuple[ComparedSetting, ...]
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
) -> Comparison:
    """Return what the report of all entries shows, in their order."""
    results = [entry.result for entry in leaderboard.entries]
    infos = {info.name: info for info in manifest.dimensions} if manifest else {}
    names = [row.model.name for row in table.rows]
    named = [NamedResult(name=name, result=result) for name, result in zip(names, results, strict=True)]
    metrics = further_metrics(table.metrics)
    unranked = unranked_places(table)
    sections = [
        ComparedDimension(
            column=column,
            info=infos.get(info.name),
            advice=advice_for(info.name, infos.get(info.name)),
            plots=_plots(results, info.name, names, metrics, unranked),
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
        findings=(*findings_of_pairs(named), *_guessers(named)),
        overall=(
            *_overall_rows(results, unranked),
            *compare_overall(results, metrics, unranked),
            *compare_measurements([measured_texts(result) for result in results]),
        ),
        pairs=tuple(pair_table(results, estimate) for estimate in ESTIMATES),
        settings=tuple(_compared_setting(tab, leaderboard, table) for tab in table.tabs),
        sections=tuple(section for section in sections if section.plots),
    )


def unranked_places(table: Table) -> Places:
    """Return the places of the models without a rank: they are shown, but never marked as the best."""
    return frozenset(place for place, row in enumerate(table.rows) if row.model.status != "ranked")


def _compared_setting(tab: Tab, leaderboard: Leaderboard, table: Table) -> ComparedSetting:
    """Return the scores of all models in one setting; a dimension without it shows a dash."""
    results = [entry.result for entry in leaderboard.entries]
    coverage, unranked = coverage_of(results), unranked_places(table)
    pairs = [pairs_of(result, tab, coverage) for result in results]
    labels = [visible(info.name, MOST_CHARACTERS_ON_RADARS) for info in leaderboard.dimensions]
    # No attack fools a constant answer: a model without skill is not drawn as if it were robust.
    drawn = [
        () if row.model.status == "no-skill" else row.settings[tab.name].dimensions for row in table.rows
    ]
    radars = {estimate: overlay_radar(labels, drawn, estimate) for estimate in ESTIMATES}
    return ComparedSetting(
        tab=tab,
        overall=_setting_rows(results, tab, unranked),
        dimensions=tuple(
            (column, mark_pairs([by_dimension.get(info.name) for by_dimension in pairs], unranked))
            for info, column in zip(leaderboard.dimensions, table.columns, strict=True)
        ),
        radars={estimate: drawing for estimate, drawing in radars.items() if drawing is not None},
    )


def _guessers(named: Sequence[NamedResult]) -> Iterator[Finding]:
    for item in named:
        for finding in without_skill(item.result):
            yield replace(finding, head=f"{item.name}: {finding.head[:1].lower()}{finding.head[1:]}")


def _overall_rows(results: Sequence[Result], unranked: Places) -> tuple[ComparedRow, ...]:
    """Return the overall scores that any of the results has."""
    rows: dict[str, list[Scored | None]] = {}
    for estimate in ESTIMATES:
        heading = overall_heading(estimate)
        rows[heading] = [
            None if result.overall is None else scored(estimate_of(result.overall, estimate))
            for result in results
        ]
        weighted = [
            {} if result.overall is None else weighted_figures(result.overall, estimate) for result in results
        ]
        for name in dict.fromkeys(name for figures in weighted for name in figures):
            rows[f"{heading}, by validity {visible(name, 40)}".strip()] = [
                Scored(figures[name], None) if name in figures else None for figures in weighted
            ]
    cleans = [clean_score(result) for result in results]
    rows["Clean"] = [None if clean is None else Scored(clean, None) for clean in cleans]
    rows["Clean accuracy"] = [
        None
        if result.overall is None or result.overall.clean_accuracy is None
        else Scored(result.overall.clean_accuracy, None)
        for result in results
    ]
    return _marked_rows(rows, unranked)


def _setting_rows(results: Sequence[Result], tab: Tab, unranked: Places) -> tuple[ComparedRow, ...]:
    """Return the scores of a setting over all its dimensions and by tag."""
    rows = {}
    for estimate in ESTIMATES:
        for name, pairs in {
            "All": [setting_pair(result.overall, tab) for result in results],
            "General": [tag_pair(result.overall, "general", tab) for result in results],
            "Malicious": [tag_pair(result.overall, "malicious", tab) for result in results],
        }.items():
            rows[f"{name}, {estimate}"] = [
                None if pair is None else scored(estimate_of(pair, estimate)) for pair in pairs
            ]
    return _marked_rows(rows, unranked)


def _marked_rows(rows: Mapping[str, Sequence[Scored | None]], unranked: Places) -> tuple[ComparedRow, ...]:
    return tuple(
        ComparedRow(name=name, figures=mark_scores(scores, unranked))
        for name, scores in rows.items()
        if any(score is not None for score in scores)
    )


def _plots(
    results: Sequence[Result],
    dimension: str,
    names: Sequence[str],
    metrics: Sequence[MetricInfo],
    unranked: Places,
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
    min_samples = results[0].settings.min_samples
    plots = []
    for task, setting in dict.fromkeys(cell for scores in by_model for cell in scores):
        scores_here = [scores.get((task, setting)) for scores in by_model]
        overlays = {
            estimate: overlay_of(scores_here, names, estimate, min_samples=min_samples)
            for estimate in ESTIMATES
        }
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
                            [score.degrees.get(key) if score else None for score in scores_here], unranked
                        ),
                    )
                    for key in sorted(degrees, key=lambda key: (degree_of(key) or 0.0, key))
                ),
                metrics=compare_setting(scores_here, metrics, unranked),
                not_scored=visible(next((score.not_scored for score in scores_here if score), None) or ""),
            )
        )
    return tuple(plots)
