"""The command `stability`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option
from contract.machine.terminal import echo, echo_data
from evaluator.commands.arguments import LABELS, RELEASE

if TYPE_CHECKING:
    from contract.schema.stability import Stability


@click.command()
@RELEASE
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--predictions",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A model's predictions, to count the cases that everybody or nobody gets; may be given again.",
)
@LABELS
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write stability.json, which `hardfrost site --stability` shows.",
)
@as_json_option
def stability(
    release: Path,
    results: Path,
    *,
    predictions: tuple[Path, ...],
    labels: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Tell how far the ranks of results depend on what the release was made of.

    RESULTS is a folder of results of the release DIR. Ranks are made again with each family of surrogates,
    dimension, degree, task and setting left out; tau says how far the order stays the same.
    """
    from contract.machine.json_text import pretty_json
    from contract.release.release import Release
    from evaluator.scoring.labelled_rows import read_labelled_rows
    from evaluator.stability.stability import read_results, stability_of, with_agreement

    opened = Release.open(release)
    found = stability_of(opened.manifest, read_results(results, opened))
    if predictions:
        found = with_agreement(found, read_labelled_rows(opened, labels), predictions)
    if output is not None:
        found.write(output)
        echo(f"{output}: written", err=True)
    if as_json:
        echo_data(pretty_json(found.to_json()), nl=False)
    else:
        _print(found)


def _print(found: "Stability") -> None:
    """Print what is left out with its tau and the model whose rank moves most."""
    from rich.table import Table
    from rich.text import Text

    from evaluator.commands.consoles import result_console

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in ("left out", "", "tau", "moves most"):
        table.add_column(name, justify="right" if name == "tau" else "left")
    for part in found.without:
        moves = [
            (abs(after.rank - before.rank), before, after)
            for before, after in zip(found.ranks, part.ranks, strict=True)
        ]
        far, before, after = max(moves, key=lambda move: move[0])
        moved = Text(f"{before.model}: {before.rank} to {after.rank}" if far else "nobody")
        table.add_row(part.what, Text(part.name), "-" if part.tau is None else f"{part.tau:.2f}", moved)
    console = result_console()
    console.print(f"Kendall's tau with the ranks of {len(found.ranks)} models by the whole headline", table)
    if found.power is not None and found.power.smallest_difference is not None:
        power = found.power
        console.print(
            f"{power.n_samples:,} samples tell models apart that differ by"
            f" {100 * (power.smallest_difference or 0):.1f} points (median pair); a difference of"
            f" {100 * power.difference:.0f} points needs {power.n_samples_needed:,} samples."
            f" {power.n_pairs_apart} of {power.n_pairs} pairs are told apart."
        )
    for row in found.agreement:
        name = f"{row.task}/{row.dimension}/{row.setting}"
        console.print(
            Text(
                f"{name}: of {row.n_cases:,} cases {row.n_everybody:,} are right for all"
                f" {found.n_predictions} models, {row.n_nobody:,} for none"
            )
        )
