"""The command `compare`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option
from contract.machine.terminal import echo_data
from evaluator.commands.arguments import BETA, EWMA_START, LABELS, MEAN, RELEASE, RESAMPLES, SEED, say

if TYPE_CHECKING:
    from contract.schema.manifest import Mean
    from contract.schema.results import EwmaStart


@click.command()
@RELEASE
@click.argument("first", metavar="FILE", type=click.Path(path_type=Path))
@click.argument("second", metavar="FILE", type=click.Path(path_type=Path))
@LABELS
@BETA
@EWMA_START
@MEAN
@RESAMPLES
@SEED
@as_json_option
def compare(
    release: Path,
    first: Path,
    second: Path,
    *,
    labels: Path | None,
    beta: float,
    ewma_start: "EwmaStart",
    mean: "Mean | None",
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Test whether two predictions files differ: paired bootstrap on scores, McNemar on samples."""
    from contract.machine.json_text import pretty_json
    from evaluator.commands.comparison_tables import print_comparison
    from evaluator.comparing.comparing import compare as compare_files
    from evaluator.scoring.score import ScoreOptions

    options = ScoreOptions(beta=beta, ewma_start=ewma_start, mean=mean, resamples=resamples, seed=seed)
    comparison = compare_files(release, first, second, options=options, labels_path=labels, say=say)
    if as_json:
        echo_data(pretty_json(comparison.model_dump(mode="json")), nl=False)
    else:
        print_comparison(comparison)
