"""Writes the static site of a leaderboard: plain pages that open from a folder or from any web server."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from contract.release.release import MANIFEST, Release
from contract.schema.leaderboards import Leaderboard
from leaderboard.pages.extras import Extras
from leaderboard.pages.rendering import ASSETS_PATH, template_engine
from leaderboard.pages.site_folder import SiteWriter, writing_site
from leaderboard.pages.versions import Board, Version, board_of, links_between, versions_of
from leaderboard.text.untrusted_text import visible
from leaderboard.view import advice
from leaderboard.view.answer_key import answer_key, asked_of
from leaderboard.view.by_setting import Tab
from leaderboard.view.citations import benchmark_citation, result_citation
from leaderboard.view.data_cards import card_html, recipe_yaml
from leaderboard.view.data_scripts import model_script, table_script
from leaderboard.view.downloads import figures_of, write_figures
from leaderboard.view.examples import examples_of
from leaderboard.view.model_pages import model_page
from leaderboard.view.rank_check import rank_check
from leaderboard.view.size_plots import size_plot
from leaderboard.view.table_downloads import table_csv, table_latex
from leaderboard.view.tables import Row, Table, as_listed, table_of, tasks_of

NO_EXTRAS = Extras()


def write_site(
    leaderboard: Leaderboard,
    site_dir: Path,
    *,
    release_dir: Path | None = None,
    extras: Extras = NO_EXTRAS,
) -> Path:
    """Write the whole site of one leaderboard, or nothing, and return the path of its first page."""
    return write_boards([board_of(leaderboard, release_dir)], site_dir, extras=extras)


def write_boards(boards: Sequence[Board], site_dir: Path, *, extras: Extras = NO_EXTRAS) -> Path:
    """Write a site of several leaderboards and return the path of its first page, that of the first one."""
    versions = versions_of(boards)
    with writing_site(site_dir) as folder:
        for version in versions:
            _write_version(folder / version.path, version, versions, extras)
    return site_dir / "index.html"


def _write_version(folder: Path, version: Version, versions: Sequence[Version], extras: Extras) -> None:
    """Write the pages of one leaderboard."""
    leaderboard, release = as_listed(version.board.leaderboard), version.board.release
    table = table_of(leaderboard, extras.dates)
    card = None if release is None else card_html(release.path)
    recipe = None if release is None else recipe_yaml(release.manifest)
    writer = SiteWriter(
        folder=folder,
        environment=template_engine(),
        shared={
            "leaderboard": leaderboard,
            "table": table,
            "manifest": None if release is None else release.manifest,
            "versions": links_between(version, versions),
            "has_card": card is not None,
            "has_recipe": recipe is not None,
            "links": extras.links,
        },
    )
    _write_tabs(writer, leaderboard, table, release)
    stability = extras.stability
    if stability is not None and stability.manifest_sha256 != leaderboard.benchmark.manifest_sha256:
        stability = None
    writer.write_page(
        "reading.html", "reading.html", stability=stability, rank_check=rank_check(), words=advice
    )
    writer.write_page("compare.html", "compare.html")
    if card is not None:
        writer.write_page("card.html", "card.html", card=card)
    if release is not None and recipe is not None:
        writer.write("recipe.yaml", recipe)
        shutil.copyfile(release.path / MANIFEST, folder / MANIFEST)
    _write_submit_page(writer, leaderboard, table, release)
    for entry, row in zip(leaderboard.entries, table.rows, strict=True):
        page = model_page(entry, row, leaderboard, table)
        citation = result_citation(entry.result)
        writer.write_page("model.html", f"models/{row.model.page}.html", page=page, citation=citation)
        writer.write(f"data/{row.model.page}.js", model_script(entry, row, leaderboard, table))
    _write_dimensions(writer, leaderboard, table, release)
    _write_downloads(writer, version.board.leaderboard, table)
    shutil.copytree(ASSETS_PATH, folder / "assets", ignore=shutil.ignore_patterns("report.css"))


def _write_tabs(writer: SiteWriter, leaderboard: Leaderboard, table: Table, release: Release | None) -> None:
    """Write the first page, and the same page for each further setting: tabs are links between them."""
    for place, tab in enumerate(table.tabs or (None,)):
        is_first = place == 0
        writer.write_page(
            "index.html",
            "index.html" if is_first or tab is None else f"{tab.page}.html",
            tab=tab,
            is_first=is_first,
            data=f"data/{tab.page}.js" if tab else "",
            n_cases=_n_cases(release),
            tasks=tasks_of(leaderboard),
            plot=size_plot(table.rows) if is_first else None,
            citation=benchmark_citation(leaderboard),
        )
        if tab is not None:
            writer.write(f"data/{tab.page}.js", table_script(leaderboard, table, tab))


def _write_dimensions(
    writer: SiteWriter, leaderboard: Leaderboard, table: Table, release: Release | None
) -> None:
    """Write a page for each dimension: what it means, the models by their score, example cases."""
    for index, info in enumerate(leaderboard.dimensions):
        column = table.columns[index]
        infos = {} if release is None else {known.name: known for known in release.manifest.dimensions}
        writer.write_page(
            "dimension.html",
            f"dimensions/{column.page}.html",
            column=column,
            index=index,
            ordered={tab.name: _rows_by_dimension(table, tab, index) for tab in table.tabs},
            info=infos.get(info.name),
            examples=[] if release is None else examples_of(release, info.name),
        )


def _write_submit_page(
    writer: SiteWriter, leaderboard: Leaderboard, table: Table, release: Release | None
) -> None:
    """Write the page about submitting; if labels are public, also the labels by which it scores files."""
    key = answer_key(release, leaderboard, table)
    writer.write_page("submit.html", "submit.html", why_not=key.why_not, asked=asked_of(release))
    if key.script is not None:
        writer.write("data/answer_key.js", key.script)


def _write_downloads(writer: SiteWriter, leaderboard: Leaderboard, table: Table) -> None:
    """Write the figures as files to download."""
    benchmark = leaderboard.benchmark
    writer.write("leaderboard.json", leaderboard.model_dump_json(by_alias=True))
    writer.write("leaderboard.csv", table_csv(table))
    writer.write("leaderboard.tex", table_latex(table, visible(f"{benchmark.name} {benchmark.version}", 120)))
    figures = figures_of(leaderboard)
    write_figures(figures, writer.folder / "figures.csv")
    write_figures(figures, writer.folder / "figures.parquet")


def _rows_by_dimension(table: Table, tab: Tab, index: int) -> list[Row]:
    """Return the rows by score in one dimension and setting; without skill or score come last."""

    def order(row: Row) -> tuple[bool, bool, float]:
        found = row.settings[tab.name].dimensions[index].score
        return found is None, row.model.status == "no-skill", 0.0 if found is None else -found.score

    return sorted(table.rows, key=order)


def _n_cases(release: Release | None) -> int | None:
    """Return the number of cases in the release, or None without a release."""
    if release is None:
        return None
    return sum(split.rows for split in release.manifest.splits if split.is_adversarial)
