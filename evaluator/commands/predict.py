"""The command `predict`."""

from pathlib import Path
from typing import Any

import click

from contract.machine.json_option import as_json_option
from contract.machine.terminal import echo
from evaluator.commands.api_options import api_options, endpoint_of
from evaluator.commands.arguments import RELEASE, output_option, say_written


@click.command()
@RELEASE
@click.option("--model", required=True, metavar="SPEC", help="A classifier: KIND or KIND:ARGUMENT.")
@output_option("Predictions file to write: .jsonl, .csv or .parquet, also .gz.")
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
            echo(f"The answers so far are in {resume_path(output)}; add --resume to go on", err=True)
        raise
    for part in predicted.unlabelled:
        echo(
            f"{part.task}: {part.n_texts:,} texts ({part.n_rows:,} rows) got no label; they count as guesses"
            " by chance, with equal probabilities and a label drawn from the text",
            err=True,
        )
        for reason in part.reasons:
            echo(f"  {reason}", err=True)
    n_unlabelled = sum(part.n_rows for part in predicted.unlabelled)
    words = f"{predicted.n_rows:,} predictions"
    say_written(output, predicted.n_rows, words, as_json=as_json, unlabelled=n_unlabelled)
