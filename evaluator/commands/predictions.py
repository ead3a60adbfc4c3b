"""The evaluator's commands: predict, template, check, score, compare."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from evaluator.commands.api_options import api_options, endpoint_of
from evaluator.commands.model_options import model_of, model_options

if TYPE_CHECKING:
    from contract.schema.results import EwmaStart, Result

_RELEASE = click.argument("release", metavar="DIR", type=click.Path(path_type=Path))
_FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))

_LABELS = click.option(
    "--labels", metavar="FILE", type=click.Path(path_type=Path), help="Withheld labels, keyed by id."
)
_BETA = click.option(
    "--beta", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Weight of the past in EWMA."
)
_EWMA_START = click.option(
    "--ewma-start",
    type=click.Choice(["first", "zero"]),
    default="first",
    show_default=True,
    help="Begin EWMA at the first score, or at zero as RobTest's printed tables do.",
)
_RESAMPLES = click.option(
    "--resamples", type=click.IntRange(0), default=1_000, show_default=True, help="Bootstrap draws."
)
_SEED = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap draws.")


def _output(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    # A folder in its place is refused before any work is done.
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("-o", "--output", required=True, metavar="FILE", type=kind, help=what)


@click.command()
@_RELEASE
@click.option("--model", required=True, metavar="SPEC", help="A classifier: KIND or KIND:ARGUMENT.")
@_output("Predictions file to write: .jsonl, .csv or .parquet, also .gz.")
@click.option("--trust", is_flag=True, help="Load files that can run code when loaded (joblib).")
@click.option("--resume", is_flag=True, help="Go on where an interrupted prediction with this model stopped.")
@api_options
@as_json_option
def predict(
    release: Path,
    model: str,
    output: Path,
    *,
    trust: bool,
    resume: bool,
    as_json: bool,
    **api: Any,
) -> None:
    """Predict every row of a release with a classifier.

    SPEC is one of those that `hardfrost list classifiers` shows, such as `majority` or `sklearn:PATH`.

    api:MODEL asks a chat model at an OpenAI-compatible endpoint, with the key in HARDFROST_API_KEY or
    OPENAI_API_KEY. Answers are paid for once: after an interruption the same command goes on. A text whose
    answer names no label is counted, and scored as a guess by chance.
    """
    from contract.machine.progress import Bars
    from evaluator.predicting.predicting import predict as predict_release
    from evaluator.predicting.predicting import resume_path
    from evaluator.predicting.resuming import OtherAnswersError

    endpoint = endpoint_of(**api)
    try:
        with Bars() as progress:
            predicted = predict_release(
                release,
                model,
                output,
                is_trusted=trust,
                is_resumed=resume,
                endpoint=endpoint,
                progress=progress,
            )
    except BaseException as error:
        if resume_path(output).exists() and not isinstance(error, OtherAnswersError):
            click.echo(f"The answers so far are in {resume_path(output)}; add --resume to go on", err=True)
        raise
    for part in predicted.unlabelled:
        click.echo(
            f"{part.task}: {part.n_texts:,} texts ({part.n_rows:,} rows) got no label; they count as guesses"
            " by chance, with equal probabilities and a label drawn from the text",
            err=True,
        )
        for reason in part.reasons:
            click.echo(f"  {reason}", err=True)
    n_unlabelled = sum(part.n_rows for part in predicted.unlabelled)
    words = f"{predicted.n_rows:,} predictions"
    _say_written(output, predicted.n_rows, words, as_json=as_json, unlabelled=n_unlabelled)


@click.command()
@_RELEASE
@_output("File to write: .jsonl, .csv or .parquet, also .gz.")
@click.option("--texts/--no-texts", "has_texts", default=True, show_default=True, help="Include the texts.")
@as_json_option
def template(release: Path, output: Path, *, has_texts: bool, as_json: bool) -> None:
    """Write a predictions file to fill in: one row an id, `prediction` left empty."""
    from evaluator.predicting.predicting import write_template

    n_rows = write_template(release, output, has_texts=has_texts)
    words = f"{n_rows:,} rows to predict; give label names or indices as `prediction`"
    _say_written(output, n_rows, words, as_json=as_json)


def _say(note: str) -> None:
    click.echo(note, err=True)


def _say_written(path: Path, n_rows: int, words: str, *, as_json: bool, **counts: int) -> None:
    """Say what was written: to people on stderr, to scripts on stdout."""
    if as_json:
        click.echo(json.dumps({"path": str(path), "rows": n_rows, **counts}))
    else:
        click.echo(f"{path}: {words}", err=True)


@click.command()
@_RELEASE
@_FILE
@as_json_option
def check(release: Path, file: Path, *, as_json: bool) -> None:
    """Validate a predictions file and score nothing; all problems are listed together.

    With --json the problems are a list too, each with its kind, line and message; the exit code is still 3.
    """
    from contract.predictions.reading import ReleaseRows, read_predictions
    from contract.release.release import Release
    from evaluator.commands.problem_lists import listed_problems

    rows = ReleaseRows.read(Release.open(release))
    try:
        predictions = read_predictions(file, rows)
    except UserError as error:
        if not as_json:
            raise
        echo_json(listed_problems(rows.benchmark, error))
        sys.exit(error.exit_code)
    if predictions.note:
        _say(predictions.note)
    if as_json:
        found = {
            "benchmark": rows.benchmark,
            "rows": predictions.n_rows,
            "sha256": predictions.sha256,
            "has_probabilities": predictions.probabilities is not None,
            "absent": list(predictions.absent),
            "problems": [],
        }
        echo_json(found)
        return
    click.echo(f"{file}: {predictions.n_rows:,} predictions for {rows.benchmark}, no problems")
    for name in predictions.absent:
        click.echo(f"absent: {name} (the entry will be partial and unranked)")


@click.command()
@_RELEASE
@_FILE
@model_options
@_output("Result file to write.")
@_LABELS
@_BETA
@_EWMA_START
@_RESAMPLES
@_SEED
@click.option(
    "--validity-weights",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Weights by dimension and degree, for a validity-weighted mean beside EWMA.",
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
    resamples: int,
    seed: int,
    validity_weights: Path | None,
    eval_results_dir: Path | None,
    dataset: str | None,
    verify: bool,
    as_json: bool,
    **model: str | int | None,
) -> None:
    """Score a predictions file into a result with EWMA scores, worst cases and confidence intervals."""
    from contract.machine.json_text import pretty_json
    from evaluator.commands.tables import print_result
    from evaluator.scoring.scoring import ScoreOptions
    from evaluator.scoring.scoring import score as score_file

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
        weights_path=validity_weights,
    )
    result = score_file(release, file, info, options=options, labels_path=labels, say=_say)
    result.write(output)
    if eval_results_dir is not None and dataset is not None:
        _write_eval_results(eval_results_dir, result, release, dataset)
    if as_json:
        click.echo(pretty_json(result.to_json()), nl=False)
    else:
        print_result(result)
        click.echo(f"{output}: written", err=True)


def _write_eval_results(folder: Path, result: "Result", release: Path, dataset: str) -> None:
    """Write what a model's repository shows of the result."""
    from contract.release.release import Release
    from contract.transport.hub import check_repo_id
    from evaluator.exporting.eval_results import write_eval_results

    for path in write_eval_results(folder, result, Release.open(release).manifest, check_repo_id(dataset)):
        click.echo(f"{path}: written", err=True)


def _verify(release: Path) -> None:
    """Refuse a release that is not what its manifest says."""
    from contract.machine.progress import Bars
    from contract.release.verification import open_and_verify

    with Bars() as progress:
        differences = open_and_verify(release, progress)
    if differences:
        message = "\n".join([*differences, f"{release}: not scored; download the release again"])
        raise UserError(message, exit_code=ExitCode.MISMATCH)


@click.command()
@_RELEASE
@click.argument("first", metavar="FILE", type=click.Path(path_type=Path))
@click.argument("second", metavar="FILE", type=click.Path(path_type=Path))
@_LABELS
@_BETA
@_EWMA_START
@_RESAMPLES
@_SEED
@as_json_option
def compare(
    release: Path,
    first: Path,
    second: Path,
    *,
    labels: Path | None,
    beta: float,
    ewma_start: "EwmaStart",
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Test whether two predictions files differ: paired bootstrap on scores, McNemar on samples."""
    from contract.machine.json_text import pretty_json
    from evaluator.commands.tables import print_comparison
    from evaluator.comparing.comparing import compare as compare_files
    from evaluator.scoring.scoring import ScoreOptions

    options = ScoreOptions(beta=beta, ewma_start=ewma_start, resamples=resamples, seed=seed)
    comparison = compare_files(release, first, second, options=options, labels_path=labels, say=_say)
    if as_json:
        click.echo(pretty_json(comparison.model_dump(mode="json")), nl=False)
    else:
        print_comparison(comparison)
