"""Writes the static site of a leaderboard: plain pages that open from a folder, a server or a sub-path."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment

from contract.errors import bad_input
from contract.leaderboards import Leaderboard
from contract.names import SITE_MARKER
from contract.release import Release
from leaderboard.answer_key import answer_key
from leaderboard.data_scripts import model_script, table_script
from leaderboard.downloads import figures_of, table_csv, table_latex, write_figures
from leaderboard.examples import examples_of
from leaderboard.model_pages import model_page
from leaderboard.rendering import ASSETS_PATH, template_engine
from leaderboard.strangers import visible
from leaderboard.tables import Row, Table, scopes_of, table_of


@dataclass(frozen=True, kw_only=True)
class SiteWriter:
    """Renders templates into the files of a site."""

    folder: Path
    environment: Environment
    shared: dict[str, Any]

    def write_page(self, template: str, path: str, **values: Any) -> None:
        """Render one page; links inside it climb back to the site's root."""
        root = "../" * path.count("/")
        text = self.environment.get_template(template).render(root=root, **self.shared, **values)
        self.write(path, text)

    def write(self, path: str, text: str) -> None:
        """Write one file of the site."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def write_site(leaderboard: Leaderboard, site_dir: Path, *, release_dir: Path | None = None) -> Path:
    """Write the whole site or nothing and return the path of its first page."""
    release = None if release_dir is None else _release_of(leaderboard, release_dir)
    table = table_of(leaderboard)
    with writing_site(site_dir) as folder:
        writer = SiteWriter(
            folder=folder,
            environment=template_engine(),
            shared={
                "leaderboard": leaderboard,
                "table": table,
                "manifest": None if release is None else release.manifest,
            },
        )
        writer.write_page(
            "index.html", "index.html", n_cases=_n_cases(release), scopes=scopes_of(leaderboard)
        )
        writer.write_page("compare.html", "compare.html")
        _write_submit_page(writer, leaderboard, table, release)
        for entry, row in zip(leaderboard.entries, table.rows, strict=True):
            page = model_page(entry, row, leaderboard, table)
            writer.write_page("model.html", f"models/{row.model.page}.html", page=page)
            writer.write(f"data/{row.model.page}.js", model_script(entry, row, leaderboard))
        writer.write("data/table.js", table_script(leaderboard, table))
        _write_dimensions(writer, leaderboard, table, release)
        _write_downloads(writer, leaderboard, table)
        shutil.copytree(ASSETS_PATH, folder / "assets", ignore=shutil.ignore_patterns("report.css"))
    return site_dir / "index.html"


@contextlib.contextmanager
def writing_site(site_dir: Path) -> Iterator[Path]:
    """Yield a new folder that takes the site's place only when everything is in it."""
    _check_replaceable(site_dir)
    site_dir.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=site_dir.parent, prefix=f".{site_dir.name}.", suffix=".part"))
    old = folder.with_suffix(".old")
    try:
        folder.chmod(0o755)
        yield folder
        (folder / SITE_MARKER).write_text("This folder is written by `hardfrost site` and replaced whole.\n")
        if site_dir.exists():
            site_dir.rename(old)
        folder.rename(site_dir)
    finally:
        if old.exists() and not site_dir.exists():
            old.rename(site_dir)
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def _check_replaceable(site_dir: Path) -> None:
    """Refuse to write over anything but an older site or an empty folder."""
    if not site_dir.exists():
        return
    if not site_dir.is_dir():
        raise bad_input(f"{site_dir}: is a file; give a folder for the site")
    if any(site_dir.iterdir()) and not (site_dir / SITE_MARKER).is_file():
        raise bad_input(
            f"{site_dir}: holds files that are not a site of ours;"
            " give a new or an empty folder, or one with an older site"
        )


def _release_of(leaderboard: Leaderboard, release_dir: Path) -> Release:
    """Return the release that the leaderboard is about, refusing any other."""
    release = Release.open(release_dir)
    ours = leaderboard.benchmark
    if release.manifest_sha256 != ours.manifest_sha256:
        theirs = release.manifest
        raise bad_input(
            f"{release_dir}: is {theirs.name} {theirs.version} (manifest {release.manifest_sha256[:12]}),"
            f" but the leaderboard is of {ours.name} {ours.version} (manifest {ours.manifest_sha256[:12]});"
            " give the release on which its results were scored"
        )
    return release


def _write_dimensions(
    writer: SiteWriter, leaderboard: Leaderboard, table: Table, release: Release | None
) -> None:
    """Write a page for each dimension: what it stands for, who holds up best, example cases."""
    for index, info in enumerate(leaderboard.dimensions):
        column = table.columns[index]
        known = {} if release is None else {known.name: known for known in release.manifest.dimensions}
        writer.write_page(
            "dimension.html",
            f"dimensions/{column.page}.html",
            column=column,
            index=index,
            ordered=_rows_by_dimension(table, index),
            info=known.get(info.name),
            examples=[] if release is None else examples_of(release, info.name),
        )


def _write_submit_page(
    writer: SiteWriter, leaderboard: Leaderboard, table: Table, release: Release | None
) -> None:
    """Write how to submit, with the answers by which the page scores a file where anybody may know them."""
    key = answer_key(release, leaderboard, table)
    writer.write_page("submit.html", "submit.html", why_not=key.why_not)
    if key.script is not None:
        writer.write("data/answer_key.js", key.script)


def _write_downloads(writer: SiteWriter, leaderboard: Leaderboard, table: Table) -> None:
    """Write the figures as files to take away."""
    benchmark = leaderboard.benchmark
    writer.write("leaderboard.json", leaderboard.model_dump_json(by_alias=True))
    writer.write("leaderboard.csv", table_csv(table))
    writer.write("leaderboard.tex", table_latex(table, visible(f"{benchmark.name} {benchmark.version}", 120)))
    figures = figures_of(leaderboard)
    write_figures(figures, writer.folder / "figures.csv")
    write_figures(figures, writer.folder / "figures.parquet")


def _rows_by_dimension(table: Table, index: int) -> list[Row]:
    """Return the rows by their average in one dimension, those without a score last."""
    averages = [(row.dimensions[index].average, row) for row in table.rows]
    scored = [(figure.score, row) for figure, row in averages if figure is not None]
    return [row for _, row in sorted(scored, key=lambda pair: -pair[0])] + [
        row for figure, row in averages if figure is None
    ]


def _n_cases(release: Release | None) -> int | None:
    """Return how many cases the release holds, if it is known."""
    if release is None:
        return None
    return sum(split.rows for split in release.manifest.splits if split.is_adversarial)
