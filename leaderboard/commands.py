"""The commands `leaderboard` and `site`."""

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
@click.argument("leaderboard_path", metavar="LEADERBOARD", type=FILE)
@click.option("--output", "-o", type=FOLDER, default=Path("site"), show_default=True)
@click.option("--release", "release_dir", type=FOLDER, help="Show example cases and facts of this release.")
def site(leaderboard_path: Path, output: Path, release_dir: Path | None) -> None:
    """Write the static site of the leaderboard in the file LEADERBOARD.

    The pages need neither a server nor a network: open index.html from the folder, or copy the folder to any
    web server.
    """
    from contract.leaderboards import Leaderboard  # noqa: PLC0415
    from leaderboard.site import write_site  # noqa: PLC0415

    click.echo(write_site(Leaderboard.read(leaderboard_path), output, release_dir=release_dir))
