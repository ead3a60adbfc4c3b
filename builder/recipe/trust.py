"""The gate for recipes: without --trust, nothing that a recipe names runs code."""

from pathlib import Path

from builder.language.parser.parsing import is_installed_pipeline
from builder.models.resources import PACKAGED
from builder.recipe.recipe import Recipe
from builder.recipe.surrogate_specs import members_of_surrogate
from classifiers.kinds.python import PYTHON
from classifiers.kinds.sklearn import SKLEARN, is_pickle, pickle_refused
from contract.machine.errors import ExitCode, UserError


def check_trust(recipe: Recipe, *, are_surrogates_typed: bool = False) -> None:
    """Refuse a recipe that would run unknown code: pickles, its own functions, saved spaCy pipelines.

    A function that is typed on the command line is trusted; a pickle does not show what it would run.
    Encoders and other models of transformers are checked when they are loaded: they never run code.
    """
    for surrogate in recipe.surrogates:
        for member in members_of_surrogate(surrogate.kind):
            name, _, argument = member.partition(":")
            if name == SKLEARN.name and is_pickle(Path(argument)):
                raise pickle_refused(Path(argument))
            if name == PYTHON.name and not are_surrogates_typed:
                raise _refused(f"surrogate {member}", "runs code of its own")
    parser = recipe.parser.removeprefix("spacy:")
    if recipe.parser != PACKAGED and not is_installed_pipeline(parser) and Path(parser).exists():
        raise _refused(f"parser {recipe.parser}", "is a saved pipeline, whose config can call functions")


def _refused(what: str, why: str) -> UserError:
    return UserError(
        f"the recipe's {what} {why}; give --trust if you know the recipe", exit_code=ExitCode.WRONG_USE
    )
