"""The command `score`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option
from contract.machine.terminal import echo, echo_data
from evaluator.commands.arguments import (
    BETA,
    EWMA_START,
    FILE,
    LABELS,
    MEAN,
    RELEASE,
    RESAMPLES,
    SEED,
    output_option,
    say,
)
from evaluator.commands.model_options import model_of, model_options

if TYPE_CHECKING:
    from contract.schema.manifest import Mean
    from contract.schema.results import EwmaStart, Result


@click.command()
@RELEASE
@FILE
@model_options
@output_option("Result file to write.")
@LABELS
@BETA
@EWMA_START
@MEAN
@RESAMPLES
@SEED
@click.option(
    "--weights",
    metavar="NAME|FILE",
    help="Validity weights for a mean beside EWMA: robtest-table3, blind-readings (both unless one is named)"
    " or a file.",
)
@click.option(
    "--eval-results",
    "eval_results_dir",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Also write .eval_results/ and model-index.yaml for a model's repository on the Hub.",
)
@click.option("--dataset", metavar="ORG/NAME", help="The release's data set on the Hub, for --eval-results.")
@click.option("--verify", is_flag=True, help="Check every hash of the release first.")
@as_json_option
def score(
    release: Path,
    file: Path,
    *,
    output: Path,
    labels: Path | None,
    beta: float,
    ewma_start: "EwmaStart",
    mean: "Mean | None",
    resamples: int,
    seed: int,
    weights: str | None,
    eval_results_dir: Path | None,
    dataset: str | None,
    verify: bool,
    as_json: bool,
    **model: str | int | None,
) -> None:
    """Score a predictions file into a result: robust recall, worst cases, confidence intervals."""
    from contract.machine.json_text import pretty_json
    from evaluator.commands.tables import print_result
    from evaluator.scoring.score import ScoreOptions
    from evaluator.scoring.score import score as score_file

    if (eval_results_dir is None) != (dataset is None):
        raise click.UsageError("--eval-results DIR and --dataset ORG/NAME go together")
    info = model_of(**model)
    if verify:
        _verify(release)
    options = ScoreOptions(
        beta=beta,
        ewma_start=ewma_start,
        resamples=resamples,
        seed=seed,
        mean=mean,
        weights=weights,
    )
    result = score_file(release, file, info, options=options, labels_path=labels, say=say)
    result.write(output)
    if eval_results_dir is not None and dataset is not None:
        _write_eval_results(eval_results_dir, result, release, dataset)
    if as_json:
        echo_data(pretty_json(result.to_json()), nl=False)
    else:
        print_result(result)
        echo(f"{output}: written", err=True)


def _write_eval_results(folder: Path, result: "Result", release: Path, dataset: str) -> None:
    """Write what a model's repository shows of the result."""
    from contract.release.release import Release
    from contract.transport.hub import check_repo_id
    from evaluator.exporting.eval_results import write_eval_results

    for path in write_eval_results(folder, result, Release.open(release).manifest, check_repo_id(dataset)):
        echo(f"{path}: written", err=True)


def _verify(release: Path) -> None:
    """Refuse a release that is not what its manifest says."""
    from contract.machine.progress import Bars
    from contract.release.verification import open_and_verify

    with Bars() as progress:
        differences = open_and_verify(release, progress)
    if differences:
        message = "\n".join([*differences, f"{release}: not scored; download the release again"])
        raise UserError(message, exit_code=ExitCode.MISMATCH)
