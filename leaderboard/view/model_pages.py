"""The page of one model: scores, charts, figures by degree, and where the result comes from."""

from dataclasses import dataclass

from contract.schema.figures import degree_metrics
from contract.schema.leaderboards import Entry, Leaderboard
from contract.schema.results import Result
from leaderboard.text.untrusted_text import visible, web_link
from leaderboard.view.attackers import AttackersView, FoldsView, attackers_views, folds_views
from leaderboard.view.by_setting import Tab
from leaderboard.view.charts import Radar, Tick, axes_of, radar
from leaderboard.view.kinship import kinship_text, without_families_rows
from leaderboard.view.panels import NamedText, Panel, ShownMetrics, clean_text, further_texts, panel_of
from leaderboard.view.tables import Row, SettingCells, Table


@dataclass(frozen=True, kw_only=True)
class TaskSection:
    """One task on a model's page."""

    task: str
    clean: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, kw_only=True)
class SettingSection:
    """All dimensions of a model in one setting, and their radar if there are enough."""

    tab: Tab
    cells: SettingCells
    radar: Radar | None


@dataclass(frozen=True, kw_only=True)
class ModelPage:
    """All that the page of one model shows."""

    row: Row
    full_name: str
    link: str | None
    facts: tuple[tuple[str, str], ...]
    notes: str
    settings: tuple[SettingSection, ...]
    further: tuple[NamedText, ...]
    metrics: ShownMetrics
    tasks: tuple[TaskSection, ...]
    absent: tuple[str, ...]
    kinship: str
    without_families: tuple[tuple[str, ...], ...]
    attackers: tuple[AttackersView, ...]
    folds: tuple[FoldsView, ...]

    @property
    def axes(self) -> dict[str, tuple[Tick, ...]]:
        """The horizontal axes of its charts, each once."""
        return axes_of(panel.chart for section in self.tasks for panel in section.panels)


def model_page(entry: Entry, row: Row, leaderboard: Leaderboard, table: Table) -> ModelPage:
    """Return what the page of one entry shows."""
    result = entry.result
    on_pages = tuple(info for info in table.metrics if info.on_pages)
    metrics = ShownMetrics(on_pages=on_pages, at_degrees=tuple(degree_metrics(result, on_pages)))
    columns = {info.name: column for info, column in zip(leaderboard.dimensions, table.columns, strict=True)}
    labels = [column.name for column in table.columns]
    return ModelPage(
        row=row,
        full_name=visible(result.model.name),
        link=web_link(result.model.url),
        facts=_facts(entry, row),
        notes=visible(result.model.notes or ""),
        settings=tuple(
            SettingSection(tab=tab, cells=cells, radar=radar(labels, cells.dimensions))
            for tab in table.tabs
            for cells in [row.settings[tab.name]]
            if any(cell.score for cell in cells.dimensions)
        ),
        further=() if result.overall is None else further_texts(result.overall, on_pages),
        metrics=metrics,
        tasks=tuple(
            TaskSection(
                task=visible(task),
                clean=clean_text(score.clean, on_pages),
                panels=tuple(
                    panel_of(
                        columns[name],
                        setting,
                        value,
                        score.clean,
                        scale=table.scale,
                        metrics=metrics,
                        min_samples=result.settings.min_samples,
                    )
                    for name in columns
                    for setting, value in score.dimensions.get(name, {}).items()
                ),
            )
            for task, score in result.tasks.items()
        ),
        absent=tuple(visible(name) for name in result.absent),
        kinship=kinship_text(result),
        without_families=without_families_rows(result),
        attackers=attackers_views(result, columns),
        folds=folds_views(result),
    )


def _facts(entry: Entry, row: Row) -> tuple[tuple[str, str], ...]:
    """Return where a result comes from, as pairs of a name and a text."""
    result, model = entry.result, entry.result.model
    facts = {
        "Organisation": model.organisation,
        "Revision": model.revision,
        "Parameters": None if model.n_parameters is None else f"{model.n_parameters:,}",
        "Licence": model.licence,
        "Date": row.date,
        "Predictions": f"{result.predictions.rows:,} rows, sha256 {result.predictions.sha256}",
        "Evaluator": result.evaluator_version,
        "Result file": entry.path,
        "Signature": result.signature,
    }
    texts = {visible(name, 80): visible(value) for name, value in facts.items() if value}
    return tuple((texts | measured_texts(result)).items())


def measured_texts(result: Result) -> dict[str, str]:
    """Return the measurements of a result by name."""
    # The names come from the result's file: with the prefix they cannot look like other facts of the page.
    return {
        visible(f"Measured: {name}", 80): visible(str(value))
        for name, value in result.measurements.items()
        if value not in {None, ""}
    }
