"""The commands `leaderboard`, `site` and `report`."""

from pathlib import Path

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("leaderboard")
@click.argument("results_dir", type=FOLDER)
@click.option("--output", "-o", type=FILE, default=Path("leaderboard.json"), show_default=True)
@click.option("--figures", type=FILE, help="Also write every figure as one flat table, .csv or .parquet.")
@click.option(
    "--release", "release_dir", type=FOLDER, help="Take order and tags of dimensions from this release."
)
@as_json_option
def leaderboard(
    results_dir: Path, output: Path, figures: Path | None, release_dir: Path | None, *, as_json: bool
) -> None:
    """Collect the results in RESULTS_DIR into one ranked leaderboard.

    Results are read from {organisation}__{model}/{revision}/result.json and from any other JSON file that is
    a result. Results of another benchmark version or scored with other settings are refused.

    With --json: what was written, the files left out, and every entry with status, rank and overall scores.
    """
    from leaderboard.board.collecting import collect_found, find_results

    found = find_results(results_dir)
    for path in found.ignored:
        echo(f"{path}: not a result, left out", err=True)
    collected = collect_found(found, release_dir=release_dir)
    if figures is not None:
        from leaderboard.view.downloads import figures_of, write_figures

        write_figures(figures_of(collected), figures)
    collected.write(output)
    if as_json:
        from leaderboard.commands.json_reports import report_on_leaderboard

        echo_json(report_on_leaderboard(collected, output, figures=figures, ignored=found.ignored))
        return
    n_ranked = sum(entry.status == "ranked" for entry in collected.entries)
    echo(f"{len(collected.entries)} in all, {n_ranked} of them ranked", err=True)
    echo(output)


@click.command("site")
@click.argument("leaderboard_paths", metavar="LEADERBOARD...", nargs=-1, required=True, type=FILE)
@click.option("--output", "-o", type=FOLDER, default=Path("site"), show_default=True)
@click.option(
    "--release",
    "release_dirs",
    type=FOLDER,
    multiple=True,
    help="Show its cases, card and recipe and let visitors score files; one for each LEADERBOARD may follow.",
)
@click.option(
    "--link",
    "links",
    metavar="NAME=URL",
    multiple=True,
    help="Link to the repository, the data set, the paper or a contact; https only; several may follow.",
)
@click.option(
    "--results",
    "results_dir",
    type=FOLDER,
    help="Show for each entry the day of the last commit of its file in this folder, by its Git history.",
)
@click.option(
    "--stability",
    "stability_path",
    type=FILE,
    help="Show on the page How to read it what `hardfrost stability` wrote into this file.",
)
@as_json_option
def site(
    leaderboard_paths: tuple[Path, ...],
    output: Path,
    release_dirs: tuple[Path, ...],
    *,
    links: tuple[str, ...],
    results_dir: Path | None,
    stability_path: Path | None,
    as_json: bool,
) -> None:
    """Write the static site of the leaderboard in the file LEADERBOARD.

    Of several, as for versions of a benchmark, the first is shown first and every page leads to the others.
    The pages need neither a server nor a network: open index.html from the folder, or copy the folder to any
    web server.

    With --json: the folder, the first page, how many files and bytes, and the versions shown.
    """
    from contract.schema.leaderboards import Leaderboard
    from leaderboard.pages.extras import Extras, dates_of, links_of
    from leaderboard.pages.site import write_boards
    from leaderboard.pages.versions import boards_of
    from leaderboard.view.stability import read_stability

    extras = Extras(
        links=links_of(links),
        dates={} if results_dir is None else dates_of(results_dir),
        stability=None if stability_path is None else read_stability(stability_path),
    )
    leaderboards = [Leaderboard.read(path) for path in leaderboard_paths]
    page = write_boards(boards_of(leaderboards, release_dirs), output, extras=extras)
    if as_json:
        from leaderboard.commands.json_reports import report_on_site

        echo_json(report_on_site(leaderboards, page))
        return
    echo(page)


@click.command("report")
@click.argument("result_paths", metavar="RESULT...", nargs=-1, required=True, type=FILE)
@click.option(
    "--release", "release_dir", type=FOLDER, help="Say what the dimensions of this release stand for."
)
@click.option(
    "--predictions",
    "predictions_paths",
    metavar="FILE",
    multiple=True,
    type=FILE,
    help="Show the cases that the models lost, from the files they were scored from; several may follow.",
)
@click.option("--output", "-o", type=FILE, default=Path("report.html"), show_default=True)
@as_json_option
def report(
    result_paths: tuple[Path, ...],
    release_dir: Path | None,
    predictions_paths: tuple[Path, ...],
    output: Path,
    *,
    as_json: bool,
) -> None:
    """Write a report as one self-contained HTML file: of one RESULT, or comparing several.

    One result: curves over the degrees, tables, a radar, and what to do about weak dimensions. Two or more:
    overlaid curves and radars, and which differences are more than chance. With the release and the
    predictions, also the cases that were lost, with their edits marked.

    With --json: the file, its size, and the models that it is about.
    """
    from leaderboard.pages.reports import write_report

    # The shell expands `--predictions *.jsonl`: all files but the first become arguments.
    files = [path for path in result_paths if _holds_predictions(path)]
    results = [path for path in result_paths if path not in files]
    if not results:
        raise click.UsageError("Missing argument 'RESULT...'.")
    write_report(results, output, release_dir=release_dir, predictions_paths=[*predictions_paths, *files])
    if as_json:
        from leaderboard.board.collecting import read_result
        from leaderboard.commands.json_reports import report_on_report_page

        echo_json(report_on_report_page([(path, read_result(path)) for path in results], output))
        return
    echo(output)


def _holds_predictions(path: Path) -> bool:
    """Return whether the file's name ends like that of a predictions file."""
    return Path(path.name.lower().removesuffix(".gz")).suffix in {".jsonl", ".csv", ".parquet"}
