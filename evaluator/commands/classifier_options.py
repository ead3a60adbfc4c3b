"""The options of `predict` that say how a model is run, and what its labels mean."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.errors import ExitCode, UserError

if TYPE_CHECKING:
    from classifiers.machinery.classifier import ModelOptions

_OPTIONS = (
    click.option("--trust", is_flag=True, help="Load files that can run code when loaded (joblib, pickle)."),
    click.option(
        "--labels",
        metavar="[TASK=]A,B",
        multiple=True,
        help="The task's labels in the model's order, where the model only numbers them.",
    ),
    click.option(
        "--python",
        "python_path",
        metavar="PATH",
        type=click.Path(path_type=Path),
        help="python: the interpreter, or the virtual environment, in which your function runs.",
    ),
    click.option("--device", metavar="NAME", help="hf, onnx: cpu, cuda, mps …; the fastest if not given."),
    click.option(
        "--batch-size", type=click.IntRange(1, 100_000), help="How many texts the model gets at a time."
    ),
)


def classifier_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options; all but `trust` are keywords for `options_of`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def options_of(
    *, labels: Sequence[str], python_path: Path | None, device: str | None, batch_size: int | None
) -> "ModelOptions":
    """Return what the options say."""
    from classifiers.machinery.classifier import ModelOptions

    return ModelOptions(labels=_labels(labels), python_path=python_path, device=device, batch_size=batch_size)


def _labels(given: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return labels by task; those for all tasks stand under the empty name."""
    labels: dict[str, tuple[str, ...]] = {}
    for value in given:
        task, equals, names = value.partition("=")
        if not equals:
            task, names = "", value
        if task in labels:
            raise _wrong_use(f"--labels: given twice for {task or 'all tasks'}; give them once")
        labels[task] = tuple(name.strip() for name in names.split(","))
        if len(labels[task]) < 2 or not all(labels[task]):
            raise _wrong_use(f"--labels {value}: write the labels with commas, as in negative,positive")
    return labels


def _wrong_use(message: str) -> UserError:
    return UserError(message, exit_code=ExitCode.WRONG_USE)
