"""Sources: which surrogates are attacked, and which are too weak to take part in attacks."""

from collections.abc import Sequence

from builder.recipe.recipe import ATTACKED, KINDS_WITH_GRADIENTS, Recipe
from builder.surrogates.ready import ReadySurrogate
from contract.machine.errors import UserError
from contract.schema.manifest import Setting


def chosen_sources(recipe: Recipe, setting: Setting, panel: Sequence[ReadySurrogate]) -> list[ReadySurrogate]:
    """Return the surrogates of one task that a setting attacks, in the order of the recipe.

    Those that the recipe names; else of each family the cheapest that is better than a constant answer, for
    gradients the cheapest that has some. Where none is better and the recipe allows weak ones, any.
    """
    named = getattr(recipe.sources, setting)
    if named:
        return [surrogate for surrogate in panel if surrogate.info.name in named]
    suited = [
        surrogate
        for surrogate in panel
        if setting != "gradient" or surrogate.info.kind in KINDS_WITH_GRADIENTS
    ]
    skilled = [surrogate for surrogate in suited if surrogate.has_skill]
    cheapest: dict[str, ReadySurrogate] = {}
    for surrogate in skilled or (suited if recipe.allow_weak else []):
        before = cheapest.setdefault(surrogate.info.family, surrogate)
        if surrogate.cost < before.cost:
            cheapest[surrogate.info.family] = surrogate
    return [surrogate for surrogate in panel if surrogate in cheapest.values()]


def check_skill(recipe: Recipe, surrogates: Sequence[ReadySurrogate]) -> None:
    """Refuse attacks with a surrogate that cannot be told from a constant answer.

    Such a source has few samples to attack, and such a family is fooled by chance. Where nothing is attacked,
    votes decide nothing and every surrogate may vote.
    """
    weak = [surrogate for surrogate in surrogates if not surrogate.has_skill]
    if recipe.allow_weak or not weak or not any(setting in ATTACKED for setting in recipe.settings):
        return
    lines = [
        f"surrogate {surrogate.info.name} of task {surrogate.info.task}: no better than a constant answer"
        f" (balanced accuracy on the clean samples {surrogate.balanced:.3f}, at least"
        f" {surrogate.balanced_low:.3f} with 95 % certainty; a constant answer has {surrogate.chance:.3f})"
        for surrogate in weak
    ]
    remedy = (
        "train it on more rows (`train_rows`, `epochs`), take more `samples`, leave it out,"
        " or go on with --allow-weak"
    )
    raise UserError("\n".join([*lines, remedy]))


def marked_sources(recipe: Recipe, surrogates: Sequence[ReadySurrogate]) -> list[ReadySurrogate]:
    """Return the surrogates, each with a note in its entry whether it is attacked."""
    attacked: set[tuple[str, str]] = set()
    for task in dict.fromkeys(surrogate.info.task for surrogate in surrogates):
        panel = [surrogate for surrogate in surrogates if surrogate.info.task == task]
        for setting in recipe.settings:
            if setting in ATTACKED:
                sources = chosen_sources(recipe, setting, panel)
                if not sources:
                    raise UserError(
                        f"task {task}: no surrogate suits the setting {setting}; name one under"
                        f" sources.{setting}, or add surrogates that are better than a constant answer"
                    )
                attacked |= {(task, source.info.name) for source in sources}
    return [
        surrogate.model_copy(
            update={
                "info": surrogate.info.model_copy(
                    update={"is_source": (surrogate.info.task, surrogate.info.name) in attacked}
                )
            }
        )
        for surrogate in surrogates
    ]
