"""The commands `leaderboard`, `site` and `report`."""

from pathlib import Path

import click

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("leaderboard")
@click.argument("results_dir", type=FOLDER)
@click.option("--output", "-o", type=FILE, default=Path("leaderboard.json"), show_default=True)
@click.option("--figures", type=FILE, help="Also write every figure as one flat table, .csv or .parquet.")
@click.option(
    "--release", "release_dir", type=FOLDER, help="Take order and tags of dimensions from this release."
)
def leaderboard(results_dir: Path, output: Path, figures: Path | None, release_dir: Path | None) -> None:
    """Collect the results in RESULTS_DIR into one ranked leaderboard.

    Results are read from {organisation}__{model}/{revision}/result.json and from any other JSON file that is
    a result. Results of another benchmark version or scored with other settings are refused.
    """
    from leaderboard.collecting import collect_found, find_results  # noqa: PLC0415

    found = find_results(results_dir)
    for path in found.ignored:
        click.echo(f"{path}: not a result, left out", err=True)
    collected = collect_found(found, release_dir=release_dir)
    if figures is not None:
        from leaderboard.downloads import figures_of, write_figures  # noqa: PLC0415

        write_figures(figures_of(collected), figures)
    collected.write(output)
    n_ranked = sum(entry.status == "ranked" for entry in collected.entries)
    click.echo(f"{len(collected.entries)} in all, {n_ranked} of them ranked", err=True)
    click.echo(output)


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
def site(leaderboard_paths: tuple[Path, ...], output: Path, release_dirs: tuple[Path, ...]) -> None:
    """Write the static site of the leaderboard in the file LEADERBOARD.

    Of several, as for versions of a benchmark, the first is shown first and every page leads to the others.
    The pages need neither a server nor a network: open index.html from the folder, or copy the folder to any
    web server.
    """
    from contract.leaderboards import Leaderboard  # noqa: PLC0415
    from leaderboard.site import write_boards  # noqa: PLC0415
    from leaderboard.versions import boards_of  # noqa: PLC0415

    leaderboards = [Leaderboard.read(path) for path in leaderboard_paths]
    click.echo(write_boards(boards_of(leaderboards, release_dirs), output))


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
def report(
    result_paths: tuple[Path, ...],
    release_dir: Path | None,
    predictions_paths: tuple[Path, ...],
    output: Path,
) -> None:
    """Write a report as one self-contained HTML file: of one RESULT, or comparing several.

    One result: curves over the degrees, tables, a radar, and what to do about weak dimensions. Two or more:
    overlaid curves and radars, and which differences are more than chance. With the release and the
    predictions, also the cases that were lost, with their edits marked.
    """
    from leaderboard.reports import write_report  # noqa: PLC0415

    # After `--predictions *.jsonl` the shell leaves all files but the first among the arguments.
    files = [path for path in result_paths if _holds_predictions(path)]
    results = [path for path in result_paths if path not in files]
    if not results:
        raise click.UsageError("Missing argument 'RESULT...'.")
    click.echo(
        write_report(results, output, release_dir=release_dir, predictions_paths=[*predictions_paths, *files])
    )


def _holds_predictions(path: Path) -> bool:
    """Tell whether a file's name is one that predictions have and results do not."""
    return Path(path.name.lower().removesuffix(".gz")).suffix in {".jsonl", ".csv", ".parquet"}
