"""The arguments and options that several commands share, and how they say what they have done."""

import json
from collections.abc import Callable
from pathlib import Path

import click

from contract.machine.json_text import LARGEST_INTEGER
from contract.machine.terminal import echo, echo_data

RELEASE = click.argument("release", metavar="DIR", type=click.Path(path_type=Path))
FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))

LABELS = click.option(
    "--labels", metavar="FILE", type=click.Path(path_type=Path), help="Withheld labels, keyed by id."
)
BETA = click.option(
    "--beta", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Weight of the past in EWMA."
)
EWMA_START = click.option(
    "--ewma-start",
    type=click.Choice(["first", "zero"]),
    default="first",
    show_default=True,
    help="Begin EWMA at the first score, or at zero as RobTest's printed tables do.",
)
MEAN = click.option(
    "--mean",
    type=click.Choice(["geometric", "above-chance", "balanced", "plain"]),
    help="How the recalls of labels are joined, in place of what the release says for each task.",
)
RESAMPLES = click.option(
    "--resamples", type=click.IntRange(0), default=1_000, show_default=True, help="Bootstrap draws."
)
SEED = click.option(
    "--seed",
    type=click.IntRange(-LARGEST_INTEGER, LARGEST_INTEGER),
    default=0,
    show_default=True,
    help="Seed of the bootstrap draws.",
)


def output_option(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option that names the file to write."""
    # A folder in its place is refused before any work is done.
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("-o", "--output", required=True, metavar="FILE", type=kind, help=what)


def say(note: str) -> None:
    """Print a note for people."""
    echo(note, err=True)


def say_written(path: Path, n_rows: int, words: str, *, as_json: bool, **counts: int) -> None:
    """Say what was written: to people on stderr, to scripts on stdout."""
    if as_json:
        echo_data(json.dumps({"path": str(path), "rows": n_rows, **counts}))
    else:
        echo(f"{path}: {words}", err=True)
