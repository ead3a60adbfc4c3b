"""The command `predict`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo
from evaluator.commands.api_options import api_options, endpoint_of
from evaluator.commands.arguments import RELEASE, say, say_written
from evaluator.commands.classifier_options import classifier_options, options_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from classifiers.machinery.classifier import EndpointOptions, ModelOptions
    from evaluator.predicting.dry_run import Prices, TaskPlan
    from evaluator.predicting.predicting import Predicted


@click.command()
@RELEASE
@click.option(
    "--model", required=True, metavar="SPEC", help="A classifier: a path, a Hub id, a URL or KIND:ARGUMENT."
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Predictions file to write: .jsonl, .csv or .parquet, also .gz.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 999_999_999),
    metavar="N",
    help="Predict N whole samples of each task only; the result is then partial and unranked.",
)
@click.option("--resume", is_flag=True, help="Go on where an interrupted prediction with this model stopped.")
@classifier_options
@click.option("--dry-run", is_flag=True, help="api: show a prompt, requests, tokens and cost; ask nothing.")
@click.option("--price-in", type=click.FloatRange(0), metavar="X", help="api: price of a million tokens in.")
@click.option("--price-out", type=click.FloatRange(0), metavar="X", help="api: … and out.")
@api_options
@as_json_option
def predict(
    release: Path,
    model: str,
    output: Path | None,
    *,
    limit: int | None,
    resume: bool,
    trust: bool,
    labels: tuple[str, ...],
    python_path: Path | None,
    device: str | None,
    batch_size: int | None,
    dry_run: bool,
    price_in: float | None,
    price_out: float | None,
    as_json: bool,
    **api: Any,
) -> None:
    """Predict every row of a release with a classifier.

    SPEC is a .skops, .joblib or .onnx file, a folder of transformers or ONNX, a Hub id, FILE.py:FUNCTION, a
    URL that takes JSON, or one of those that `hardfrost list classifiers` shows, such as `majority`.

    api:MODEL asks a chat model at an OpenAI-compatible endpoint, with the key in HARDFROST_API_KEY or
    OPENAI_API_KEY. Answers are paid for once: after an interruption the same command goes on. A text whose
    answer names no label is counted, and scored as a guess by chance.
    """
    from evaluator.predicting.dry_run import Prices

    options = options_of(labels=labels, python_path=python_path, device=device, batch_size=batch_size)
    prices = Prices(tokens_in=price_in, tokens_out=price_out)
    endpoint = endpoint_of(**api)
    if dry_run:
        from evaluator.predicting.dry_run import plan_requests
        from evaluator.predicting.predicting import PredictRequest

        request = PredictRequest(
            release_path=release, spec=model, endpoint=endpoint, options=options, limit=limit
        )
        _print_plan(plan_requests(request, output), prices, as_json=as_json)
        return
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output': say where the predictions go")
    predicted = _predict(
        release, model, output, endpoint, options, limit=limit, is_trusted=trust, is_resumed=resume
    )
    _say_what_was_done(predicted, prices)
    n_unlabelled = sum(part.n_rows for part in predicted.unlabelled)
    words = f"{predicted.n_rows:,} predictions"
    counts = {"unlabelled": n_unlabelled}
    if predicted.usage is not None:
        counts |= {
            "requests": predicted.usage.n_requests,
            "tokens_in": predicted.usage.n_tokens_in,
            "tokens_out": predicted.usage.n_tokens_out,
        }
    say_written(output, predicted.n_rows, words, as_json=as_json, **counts)


def _predict(
    release: Path,
    model: str,
    output: Path,
    endpoint: "EndpointOptions | None",
    options: "ModelOptions",
    *,
    limit: int | None,
    is_trusted: bool,
    is_resumed: bool,
) -> "Predicted":
    """Write the predictions; if this is cut short, say how to go on."""
    from contract.machine.progress import Bars
    from evaluator.predicting.predicting import predict as predict_release
    from evaluator.predicting.predicting import resume_path
    from evaluator.predicting.resuming import OtherAnswersError

    try:
        with Bars() as progress:
            return predict_release(
                release,
                model,
                output,
                is_trusted=is_trusted,
                is_resumed=is_resumed,
                endpoint=endpoint,
                options=options,
                limit=limit,
                progress=progress,
            )
    except BaseException as error:
        if resume_path(output).exists() and not isinstance(error, OtherAnswersError):
            echo(f"The answers so far are in {resume_path(output)}; add --resume to go on", err=True)
        raise


def _say_what_was_done(predicted: "Predicted", prices: "Prices") -> None:
    """Say which rows have no label, what is left out, and what was paid for."""
    for part in predicted.unlabelled:
        say(
            f"{part.task}: {part.n_texts:,} texts ({part.n_rows:,} rows) got no label; they count as guesses"
            " by chance, with equal probabilities and a label drawn from the text"
        )
        for reason in part.reasons:
            say(f"  {reason}")
    for left_out in predicted.left_out:
        say(f"{left_out} (--limit): the result will be partial and unranked")
    usage = predicted.usage
    if usage is not None and usage.n_requests:
        cost = prices.cost(usage.n_tokens_in, usage.n_tokens_out)
        say(
            f"usage: {usage.n_requests:,} answered requests, {usage.n_tokens_in:,} tokens in,"
            f" {usage.n_tokens_out:,} out, as the endpoint counts them{_cost_text(cost, 'cost')}"
        )


def _print_plan(plans: "Sequence[TaskPlan]", prices: "Prices", *, as_json: bool) -> None:
    """Print what would be asked, and about what it would cost."""
    n_requests = sum(plan.n_requests for plan in plans)
    n_in, n_out = sum(plan.n_tokens_in for plan in plans), sum(plan.n_tokens_out for plan in plans)
    longest = [plan.most_tokens_out for plan in plans]
    most_out = None if None in longest else sum(most or 0 for most in longest)
    cost = prices.cost(n_in, n_out)
    if as_json:
        echo_json(
            {
                "prompts": {plan.task: plan.prompt for plan in plans},
                "requests": n_requests,
                "known": sum(plan.n_known for plan in plans),
                "tokens_in": n_in,
                "tokens_out": n_out,
                "most_tokens_out": most_out,
                "cost": cost,
            }
        )
        return
    for plan in plans:
        if plan.prompt:
            echo(f"A prompt for {plan.task}:\n\n{plan.prompt}\n")
        known = f", {plan.n_known:,} more are answered already" if plan.n_known else ""
        echo(
            f"{plan.task}: {plan.n_requests:,} requests{known}; about {plan.n_tokens_in:,} tokens in and"
            f" {plan.n_tokens_out:,} out"
        )
    if most_out is not None:
        dear = prices.cost(n_in, most_out)
        echo(f"At most {most_out:,} tokens out, if answers ramble{_cost_text(dear, 'cost')}")
    echo(f"About {n_in + n_out:,} tokens in all{_cost_text(cost, 'cost')}; nothing was asked")
    if cost is None:
        echo("Give --price-in and --price-out, of a million tokens, to see the cost", err=True)


def _cost_text(cost: float | None, word: str) -> str:
    return "" if cost is None else f"; {word} {cost:,.4g} in the currency of the prices"
