"""The options that say which model was scored, shared by the commands that write results."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import bad_input
from contract.machine.json_text import LARGEST_INTEGER

if TYPE_CHECKING:
    from contract.schema.results import ModelInfo

_OPTIONS = (
    click.option("--model-name", "name", required=True, metavar="NAME", help="As leaderboards call it."),
    click.option("--revision", help="The model's revision."),
    click.option("--url", help="Where the model is described."),
    click.option("--organisation", help="The organisation that made the model."),
    click.option(
        "--n-parameters", type=click.IntRange(0, LARGEST_INTEGER), help="How many parameters it has."
    ),
    click.option("--licence", help="The model's licence."),
    click.option("--notes", help="Anything readers should know."),
    click.option(
        "--surrogate-family",
        "surrogate",
        metavar="NAME",
        help="The surrogate of the release that it is related to: listed, not ranked.",
    ),
)


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def model_of(**values: Any) -> "ModelInfo":
    """Return the model that the options describe; refuse what no model can be."""
    from pydantic import ValidationError

    from contract.schema.documents import validation_lines
    from contract.schema.results import ModelInfo

    try:
        return ModelInfo.model_validate({**values, "is_surrogate_family": values["surrogate"] is not None})
    except ValidationError as error:
        raise bad_input("\n".join(f"model {line}" for line in validation_lines(error))) from None
