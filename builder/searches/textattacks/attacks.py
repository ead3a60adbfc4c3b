"""Attacks by name: recipes of TextAttack, with our dimensions instead of what it would download."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension
from builder.searches.textattacks import PREFIX
from builder.searches.textattacks.offline import quiet, textattack_imports
from builder.searches.textattacks.wrappers import as_transformation, wrap
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
    """What an attack is built for: a source, a label, and the dimensions that make its edits."""

    inference: Inference
    resources: Resources
    label: int
    max_queries: int
    dimensions: Mapping[str, AnyDimension]

    def transformation(self, dimension: str) -> Any:
        """Return a dimension as a transformation of TextAttack."""
        return as_transformation(self.dimensions[dimension], self.resources, self.label)


@dataclass(frozen=True, kw_only=True)
class OwnAttack:
    """An attack that needs no downloads, with the names of the dimensions that make its edits."""

    build: Callable[[Any, Target], Any]
    dimensions: tuple[str, ...] = ()


def dimensions_of(tool: str | None) -> tuple[str, ...]:
    """Return the names of the dimensions that a tool, as textattack:NAME, makes its edits with."""
    own = OWN_ATTACKS.get((tool or "").removeprefix(PREFIX))
    return () if own is None else own.dimensions


def build_attack(name: str, target: Target) -> Any:
    """Return a TextAttack attack on a source, by our name of it or by that of its recipe class."""
    with textattack_imports():
        from textattack import attack_recipes

    wrapper = wrap(target.inference)
    if name in OWN_ATTACKS:
        with quiet():
            attack = OWN_ATTACKS[name].build(wrapper, target)
    elif isinstance(getattr(attack_recipes, name, None), type):
        try:
            with quiet():
                attack = getattr(attack_recipes, name).build(wrapper)
            _sort_candidates(attack.transformation)
        except Exception as error:  # noqa: BLE001
            # A recipe may fail in any way when its downloads do: its own words tell the user most.
            raise UserError(
                f"textattack:{name} cannot be built: {_first_line(error)};"
                " it may need downloads that are not here. These need none: " + ", ".join(OWN_ATTACKS)
            ) from None
    else:
        classes = [key for key, value in vars(attack_recipes).items() if isinstance(value, type)]
        raise UserError(f"unknown attack textattack:{name};{did_you_mean(name, [*OWN_ATTACKS, *classes])}")
    attack.goal_function.query_budget = target.max_queries
    return attack


def _sort_candidates(transformation: Any) -> None:
    """Sort words that TextAttack takes out of a set: the order of a set of strings changes by process."""
    for single in getattr(transformation, "transformations", [transformation]):
        if type(single).__name__ in OUT_OF_SETS:
            single._get_replacement_words = _in_order(single._get_replacement_words)  # noqa: SLF001


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

    return _composed(wrapper, target.transformation("synonym"), GreedyWordSwapWIR("weighted-saliency"))


def _textfooler(wrapper: Any, target: Target) -> Any:
    """TextFooler with our synonyms and the recipe's `lexicons`: counter-fitted neighbours, where they are."""
    with textattack_imports():
        from textattack.search_methods import GreedyWordSwapWIR

    return _composed(wrapper, target.transformation("synonym"), GreedyWordSwapWIR("delete"))


def _textbugger(wrapper: Any, target: Target) -> Any:
    """TextBugger with our look-alikes, whose file its package lacks."""
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
        target.transformation("glyph-general"),
    ]
    return _composed(wrapper, CompositeTransformation(bugs), GreedyWordSwapWIR("delete"))


def _particle_swarm(wrapper: Any, target: Target) -> Any:
    with textattack_imports():
        from textattack.search_methods import ParticleSwarmOptimization

    swarm = ParticleSwarmOptimization(pop_size=SWARM, max_iters=ROUNDS)
    return _composed(wrapper, target.transformation("synonym"), swarm)


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


OWN_ATTACKS = {
    "deepwordbug": OwnAttack(build=_deepwordbug),
    "pwws": OwnAttack(build=_pwws, dimensions=("synonym",)),
    "textbugger": OwnAttack(build=_textbugger, dimensions=("glyph-general",)),
    "textfooler": OwnAttack(build=_textfooler, dimensions=("synonym",)),
    "particle-swarm": OwnAttack(build=_particle_swarm, dimensions=("synonym",)),
}
