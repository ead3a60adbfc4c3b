"""The command `harden`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from contract.schema.hardening import Hardening, Scheme

# As contract.schema.hardening has them, which takes longer to import than `--help` may.
SCHEMES = ("1-1", "leave-one-out", "random", "mixed")


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


@click.command()
@click.argument("release", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--kind",
    default="cnn",
    show_default=True,
    metavar="KIND",
    help="What is trained: a kind of `hardfrost list surrogates`, or python:FILE.py:TRAIN.",
)
@click.option(
    "--scheme",
    "schemes",
    type=click.Choice(SCHEMES),
    multiple=True,
    help="1-1 and leave-one-out if not given; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("hardened"),
    show_default=True,
    help="The folder for models, predictions, figures and report.",
)
@click.option("--task", metavar="NAME", help="The task of the release; needed if it has several.")
@click.option(
    "--attacks", metavar="A,B", help="Dimensions of the release; all with random cases if not given."
)
@click.option("--train-on", metavar="A,B", help="mixed: any dimensions that are shown in training.")
@click.option(
    "--degrees",
    metavar="X,Y",
    help="The degrees of training, equally mixed; those of the release if not given.",
)
@click.option(
    "--train-rows", type=click.IntRange(1), metavar="N", help="Use N of the release's training rows."
)
@click.option("--epochs", type=click.IntRange(1), metavar="N", help="The most epochs, for networks.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of all random choices.")
@click.option(
    "--python",
    "python_path",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="python: the interpreter, or the virtual environment, in which your function runs.",
)
@as_json_option
def harden(  # noqa: PLR0917
    release: Path,
    kind: str,
    schemes: "tuple[Scheme, ...]",
    output: Path,
    task: str | None,
    attacks: str | None,
    train_on: str | None,
    degrees: str | None,
    train_rows: int | None,
    epochs: int | None,
    workers: int,
    seed: int,
    python_path: Path | None,
    *,
    as_json: bool,
) -> None:
    """Train models on attacked rows of RELEASE and measure what that helps.

    Every model learns from the training rows of the release and, for each, one row more that an attack has
    changed, at low and high degrees alike. 1-1: a model for each attack, tested on all. leave-one-out: a
    model for each attack, trained on all others. random: one model, trained on all. mixed: one model, trained
    on the dimensions of --train-on.

    Prints how much of the clean accuracy each scheme wins back. The folder keeps the models (`predict --model
    stored:FOLDER/models/NAME`), their predictions, hardening.json and report.html. The same command goes on
    where an earlier one ended.

    python:FILE.py:TRAIN names a function of yours: TRAIN(texts, labels) returns a function that answers
    texts, or a fitted model with `predict`.

    With --json: the content of hardening.json.
    """
    from contract.machine.progress import Bars
    from flows.harden.running import REPORT, HardenRequest, run_hardening
    from leaderboard.pages.hardening import write_hardening

    request = HardenRequest(
        release_path=release,
        folder=output,
        kind=kind,
        schemes=schemes or ("1-1", "leave-one-out"),
        task=task,
        attacks=_listed(attacks),
        train_on=_listed(train_on),
        degrees=_numbers(degrees),
        train_rows=train_rows,
        epochs=epochs,
        seed=seed,
        python_path=python_path,
    )
    with Bars() as bars:
        found = run_hardening(request, workers, bars)
    write_hardening(found, output / REPORT)
    if as_json:
        echo_json(found.model_dump(mode="json"))
        return
    _show(found)
    echo(output / REPORT)


def _numbers(text: str | None) -> tuple[float, ...]:
    from contract.machine.errors import ExitCode, UserError

    try:
        numbers = tuple(sorted(float(part) for part in _listed(text)))
    except ValueError:
        numbers = (-1.0,)
    if any(not 0 < number <= 1 for number in numbers):
        raise UserError(
            f"--degrees {text}: expected numbers above 0, at most 1, as in 0.2,0.5,0.8",
            exit_code=ExitCode.WRONG_USE,
        )
    return numbers


def _show(found: "Hardening") -> None:
    """Print the schemes by what they win, then each attack with what helps most against it."""
    from rich.table import Table

    from contract.machine.terminal import new_console
    from contract.schema.hardening import ranking_of

    console = new_console()
    schemes = Table(
        "scheme", "won back", "clean", title=f"{found.kind} on {found.task}", title_justify="left"
    )
    for ranked in ranking_of(found):
        schemes.add_row(ranked.name, f"{100 * ranked.gain:+.1f}", f"{100 * ranked.clean_change:+.1f}")
    attacks = Table("attack", "without defence", "helps most", "won back")
    for attack in found.attacks:
        known = [figure for figure in found.plain.accuracies[attack] if figure is not None]
        gains = {
            model.name: gain
            for model in found.models[1:]
            if model.is_tested_on(attack)
            for gain in [found.mean_gain([model], [attack])]
            if gain is not None
        }
        best = max(gains, key=lambda name: gains[name], default=None)
        attacks.add_row(
            attack,
            f"{100 * sum(known) / len(known):.1f}" if known else "–",
            best or "–",
            "–" if best is None else f"{100 * gains[best]:+.1f}",
        )
    for table in (schemes, attacks):
        for column in table.columns[1:]:
            column.justify = "left" if column.header == "helps most" else "right"
        console.print(table)
    console.print(
        f"Clean accuracy without defence {100 * found.plain.clean:.1f} %,"
        f" guessing {100 * found.guessing:.1f} %."
        " Won back: percentage points of clean accuracy, mean over attacks and degrees."
    )
