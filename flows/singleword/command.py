"""The command `singleword`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from flows.singleword.running import SingleWordRequest

VARIANTS = ("euba", "top1", "no-mask")
_AS_GIVEN = (
    "train",
    "text",
    "text_pair",
    "label",
    "limit",
    "variant",
    "vocabulary",
    "max_questions",
    "seed",
    "device",
    "batch_size",
    "python_path",
    "result",
)


@click.command()
@click.option("--model", required=True, metavar="SPEC", help="A classifier, as `predict` takes it.")
@click.option(
    "--data",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Labelled texts that the model was not trained on: .csv, .tsv, .jsonl or .parquet.",
)
@click.option(
    "--train",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Rows that the model was trained on, for ρ on training rows.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("singleword"),
    show_default=True,
    help="The folder for figures, words and page.",
)
@click.option(
    "--m", metavar="N", default="512", show_default=True, help="Failures that end a phase, or none."
)
@click.option("--exact", is_flag=True, help="Brute force: every word at every position.")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default="euba",
    show_default=True,
    help="How gradients are used; the others are for comparison.",
)
@click.option(
    "--vocabulary",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The words to try, one a line; without it, the model's own or those of the data.",
)
@click.option(
    "--attack",
    is_flag=True,
    help="Also attack the rows with the 50 strongest words (SP-Attack), under a label guard.",
)
@click.option("--text", metavar="COLUMN", help="The column of the text; without it, it is found.")
@click.option("--text-pair", metavar="COLUMN", help="The column of the second text, for pairs.")
@click.option("--label", metavar="COLUMN", help="The column of the label; without it, it is found.")
@click.option("--labels", metavar="A,B", help="The labels in the order of their numbers, in data and model.")
@click.option(
    "--limit", type=click.IntRange(4), default=200, show_default=True, help="Rows, balanced by label."
)
@click.option(
    "--max-questions",
    type=click.IntRange(1),
    help="Texts that a model without gradients is asked about at most; paid models need it.",
)
@click.option(
    "--time-budget",
    metavar="10m",
    default="10m",
    show_default=True,
    help="When it ends with what it has: 90s, 10m, 1h or none.",
)
@click.option(
    "--result",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A result.json that gets ρ and the highest κ among its measurements.",
)
@click.option(
    "--python",
    "python_path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="python: the interpreter, or the virtual environment, in which your function runs.",
)
@click.option("--device", metavar="NAME", help="hf, onnx: cpu, cuda, mps …; the fastest if not given.")
@click.option(
    "--batch-size", type=click.IntRange(1, 100_000), help="How many texts the model gets at a time."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of all random choices.")
@click.option("--trust", is_flag=True, help="Load files that can run code when loaded (joblib).")
@as_json_option
def singleword(*, model: str, data: Path, output: Path, as_json: bool, **given: Any) -> None:
    """Measure how often one exchanged word flips a model's answer, and which words do it.

    κ of a word is the share of texts whose answer it flips when it stands in the place of one of their words;
    ρ is the share of texts and words that stay safe. Linear models are measured exactly, models with
    gradients by EUBA (bounds), others by words drawn at random (an estimate). The output says which it is.

    Writes singleword.json, kappa.csv with every word, singleword.html and, with --attack, attacks.jsonl.
    """
    started = time.monotonic()
    from contract.machine.interruption import interruptible
    from contract.machine.progress import Bars
    from flows.singleword.running import PAGE, run_singleword
    from flows.singleword.table import table_lines

    request = _request(model, data, given)
    hint = "nothing was written; use --time-budget to end with what there is"
    with interruptible(hint=hint), Bars() as progress:
        done = run_singleword(request, output, progress=progress, say=progress.say, started=started)
    if as_json:
        echo_json(done.report.to_json())
        return
    for line in table_lines(done.report):
        echo(line)
    echo(f"\nOpen {output / PAGE}")


def _request(model: str, data: Path, given: dict[str, Any]) -> "SingleWordRequest":
    from flows.audit.command import seconds_of
    from flows.singleword.running import SingleWordRequest

    labels = tuple(part.strip() for part in (given["labels"] or "").split(",") if part.strip())
    return SingleWordRequest(
        model=model,
        data=data,
        labels=labels,
        m=m_of(given["m"]),
        is_exact=given["exact"],
        is_attack=given["attack"],
        budget_seconds=seconds_of(given["time_budget"]),
        is_trusted=given["trust"],
        **{name: given[name] for name in _AS_GIVEN},
    )


def m_of(text: str) -> float:
    """Return the early stop; `none` stands for no early stop."""
    if text == "none":
        return float("inf")
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise UserError(
            f"--m {text[:20]}: expected a whole number from 1, or none", exit_code=ExitCode.WRONG_USE
        )
    return int(text)
