"""The attacks by name: TextAttack's recipes, with our parts where theirs would have to be downloaded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from builder.models.resources import Resources
from builder.searches.textattacks.offline import quiet, textattack_imports
from builder.searches.textattacks.parts import as_transformation, wrap
from classifiers.machinery.inference import Inference
from contract.machine.errors import UserError
from contract.machine.registry import did_you_mean

# The paper's swarm of 60 for 20 rounds asks thousands of questions a sample; this one some hundreds.
SWARM = 20
ROUNDS = 8
# TextAttack's transformations that offer words in the order of a set.
OUT_OF_SETS = ("WordSwapWordNet", "WordSwapInflections")


@dataclass(frozen=True, kw_only=True)
class Target:
    """Whom an attack is for."""

    inference: Inference
    resources: Resources
    label: int
    max_queries: int


def build_attack(name: str, target: Target) -> Any:
    """Return a TextAttack attack on a source, by our name of it or by that of its recipe class."""
    with textattack_imports():
        from textattack import attack_recipes

    wrapper = wrap(target.inference)
    if name in OURS:
        with quiet():
            attack = OURS[name](wrapper, target)
    elif isinstance(getattr(attack_recipes, name, None), type):
        try:
            with quiet():
                attack = getattr(attack_recipes, name).build(wrapper)
            _sort_candidates(attack.transformation)
        except Exception as error:  # noqa: BLE001
            # A recipe may fail in any way when its downloads do: whatever it says is the user's answer.
            raise UserError(
                f"textattack:{name} cannot be built: {_first_line(error)};"
                " it may need downloads that are not here. These need none: " + ", ".join(OURS)
            ) from None
    else:
        classes = [each for each in vars(attack_recipes) if isinstance(getattr(attack_recipes, each), type)]
        raise UserError(f"unknown attack textattack:{name};{did_you_mean(name, [*OURS, *classes])}")
    attack.goal_function.query_budget = target.max_queries
    return attack


def _sort_candidates(transformation: Any) -> None:
    """Put words that TextAttack takes out of a set in order: that of a set of strings changes by process."""
    for part in getattr(transformation, "transformations", [transformation]):
        if type(part).__name__ in OUT_OF_SETS:
            part._get_replacement_words = _in_order(part._get_replacement_words)  # noqa: SLF001


def _in_order(replacements: Callable[..., list[str]]) -> Callable[..., list[str]]:
    return lambda *arguments, **options: sorted(replacements(*arguments, **options))


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]


def _deepwordbug(wrapper: Any, _target: Target) -> Any:
    with textattack_imports():
        from textattack.attack_recipes import DeepWordBugGao2018

    return DeepWordBugGao2018.build(wrapper)


def _pwws(wrapper: Any, target: Target) -> Any:
    """PWWS with our synonyms, which know a word's sense, where theirs take every sense of WordNet."""
    with textattack_imports():
        from textattack.search_methods import GreedyWordSwapWIR

    return _composed(wrapper, _ours("synonym", target), GreedyWordSwapWIR("weighted-saliency"))


def _textfooler(wrapper: Any, target: Target) -> Any:
    """TextFooler with our synonyms and the recipe's `lexicons`: counter-fitted neighbours, where they are."""
    with textattack_imports():
        from textattack.search_methods import GreedyWordSwapWIR

    return _composed(wrapper, _ours("synonym", target), GreedyWordSwapWIR("delete"))


def _textbugger(wrapper: Any, target: Target) -> Any:
    """TextBugger with our look-alikes, whose file its package lacks, and our synonyms."""
    with textattack_imports():
        from textattack.search_methods import GreedyWordSwapWIR
        from textattack.transformations import (
            CompositeTransformation,
            WordSwapNeighboringCharacterSwap,
            WordSwapRandomCharacterDeletion,
        )

    inner = {"random_one": True, "skip_first_char": True, "skip_last_char": True}
    bugs = [
        WordSwapRandomCharacterDeletion(**inner),
        WordSwapNeighboringCharacterSwap(**inner),
        _ours("glyph-general", target),
    ]
    return _composed(wrapper, CompositeTransformation(bugs), GreedyWordSwapWIR("delete"))


def _particle_swarm(wrapper: Any, target: Target) -> Any:
    with textattack_imports():
        from textattack.search_methods import ParticleSwarmOptimization

    swarm = ParticleSwarmOptimization(pop_size=SWARM, max_iters=ROUNDS)
    return _composed(wrapper, _ours("synonym", target), swarm)


def _ours(dimension: str, target: Target) -> Any:
    return as_transformation(dimension, target.resources, target.label)


def _composed(wrapper: Any, transformation: Any, search: Any) -> Any:
    with textattack_imports():
        from textattack import Attack
        from textattack.constraints.pre_transformation import (
            RepeatModification,
            StopwordModification,
        )
        from textattack.goal_functions import UntargetedClassification

    constraints = [RepeatModification(), StopwordModification()]
    return Attack(UntargetedClassification(wrapper), constraints, transformation, search)


OURS: dict[str, Callable[[Any, Target], Any]] = {
    "deepwordbug": _deepwordbug,
    "pwws": _pwws,
    "textbugger": _textbugger,
    "textfooler": _textfooler,
    "particle-swarm": _particle_swarm,
}
