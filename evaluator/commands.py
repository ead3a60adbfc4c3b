"""The evaluator's commands: predict, template, check, score."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.errors import bad_input

if TYPE_CHECKING:
    from contract.results import EwmaStart

_RELEASE = click.argument("release", metavar="DIR", type=click.Path(path_type=Path))
_FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")


def _output(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "-o", "--output", required=True, metavar="FILE", type=click.Path(path_type=Path), help=what
    )


@click.command()
@_RELEASE
@click.option("--model", required=True, metavar="SPEC", help="A classifier: KIND or KIND:ARGUMENT.")
@_output("Predictions file to write: .jsonl, .csv or .parquet, also .gz.")
@click.option("--trust", is_flag=True, help="Load files that can run code when loaded (joblib).")
def predict(release: Path, model: str, output: Path, *, trust: bool) -> None:
    """Predict every row of a release with a classifier.

    SPEC is one of those that `hardfrost list classifiers` shows, such as `majority` or `sklearn:PATH`.
    """
    from contract.progress import Bars  # noqa: PLC0415
    from evaluator.predicting import predict as predict_release  # noqa: PLC0415

    with Bars() as progress:
        n_rows = predict_release(release, model, output, is_trusted=trust, progress=progress)
    click.echo(f"{output}: {n_rows:,} predictions", err=True)


@click.command()
@_RELEASE
@_output("File to write: .jsonl, .csv or .parquet, also .gz.")
@click.option("--texts/--no-texts", "has_texts", default=True, show_default=True, help="Include the texts.")
def template(release: Path, output: Path, *, has_texts: bool) -> None:
    """Write a predictions file to fill in: one row an id, `prediction` left empty."""
    from evaluator.predicting import write_template  # noqa: PLC0415

    n_rows = write_template(release, output, has_texts=has_texts)
    click.echo(f"{output}: {n_rows:,} rows to predict; give label names or indices as `prediction`", err=True)


@click.command()
@_RELEASE
@_FILE
@_AS_JSON
def check(release: Path, file: Path, *, as_json: bool) -> None:
    """Validate a predictions file and score nothing; all problems are listed together."""
    import json  # noqa: PLC0415

    from contract.predictions import ReleaseRows, read_predictions  # noqa: PLC0415
    from contract.release import Release  # noqa: PLC0415

    rows = ReleaseRows.read(Release.open(release))
    predictions = read_predictions(file, rows)
    if as_json:
        found = {
            "benchmark": rows.benchmark,
            "rows": predictions.n_rows,
            "sha256": predictions.sha256,
            "has_probabilities": predictions.probabilities is not None,
            "absent": list(predictions.absent),
        }
        click.echo(json.dumps(found, sort_keys=True, indent=2))
        return
    click.echo(f"{file}: {predictions.n_rows:,} predictions for {rows.benchmark}, no problems")
    for name in predictions.absent:
        click.echo(f"absent: {name} (the entry will be partial and unranked)")


@click.command()
@_RELEASE
@_FILE
@click.option("--model-name", required=True, metavar="NAME", help="The model as leaderboards call it.")
@_output("Result file to write.")
@click.option(
    "--labels", metavar="FILE", type=click.Path(path_type=Path), help="Withheld labels, keyed by id."
)
@click.option(
    "--beta", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Weight of the past in EWMA."
)
@click.option(
    "--ewma-start",
    type=click.Choice(["first", "zero"]),
    default="first",
    show_default=True,
    help="Begin EWMA at the first score, or at zero as RobTest's printed tables do.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1_000,
    show_default=True,
    help="Bootstrap draws; 0 for none.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap draws.")
@click.option("--revision", help="The model's revision.")
@click.option("--url", help="Where the model is described.")
@click.option("--organisation", help="Who made the model.")
@click.option("--n-parameters", type=click.IntRange(0), help="How many parameters it has.")
@click.option("--licence", help="The model's licence.")
@click.option("--notes", help="Anything readers should know.")
@click.option(
    "--surrogate-family", "is_surrogate_family", is_flag=True, help="Related to a surrogate: not ranked."
)
@_AS_JSON
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
    as_json: bool,
    **model: str | int | bool | None,
) -> None:
    """Score a predictions file into a result with EWMA scores, worst cases and confidence intervals."""
    from pydantic import ValidationError  # noqa: PLC0415

    from contract.documents import validation_lines  # noqa: PLC0415
    from contract.files import pretty_json  # noqa: PLC0415
    from contract.results import ModelInfo  # noqa: PLC0415
    from evaluator.scoring import ScoreOptions  # noqa: PLC0415
    from evaluator.scoring import score as score_file  # noqa: PLC0415
    from evaluator.tables import print_result  # noqa: PLC0415

    try:
        info = ModelInfo.model_validate({"name": model.pop("model_name"), **model})
    except ValidationError as error:
        raise bad_input("\n".join(f"model {line}" for line in validation_lines(error))) from None
    options = ScoreOptions(beta=beta, ewma_start=ewma_start, resamples=resamples, seed=seed)
    result = score_file(release, file, info, options=options, labels_path=labels)
    result.write(output)
    if as_json:
        click.echo(pretty_json(result.to_json()), nl=False)
    else:
        print_result(result)
        click.echo(f"{output}: written", err=True)
