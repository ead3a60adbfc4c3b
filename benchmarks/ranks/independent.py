"""Attacks a model with TextAttack: DeepWordBug, and PWWS with WordNet's synonyms in any sense."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables
from builder.models.resources import Resources
from builder.searches.textattacks.attacks import Target, build_attack
from builder.searches.textattacks.offline import quiet, textattack_imports
from builder.searches.textattacks.wrappers import wrap
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference

ATTACKS = ("deepwordbug", "pwws")
MAX_QUERIES = 300
# Shares of its words that a case may change. With more, nearly every case fools, and what is left says which
# label a model falls back to.
SHARES = (0.1, 0.2)
MOST_SYNONYMS = 10

Flags = NDArray[np.bool_]


def attack(name: str, inference: Inference, samples: Sequence[Sample]) -> Flags:
    """Return for each sample and each share of words whether the model is still right."""
    with textattack_imports():
        from textattack.attack_results import SkippedAttackResult, SuccessfulAttackResult

    attack = _attack(name, inference, MAX_QUERIES)
    rows = []
    for sample in samples:
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        with quiet():
            result = attack.attack(sample.text, sample.label)
        if isinstance(result, SkippedAttackResult):
            rows.append([False] * len(SHARES))
        elif isinstance(result, SuccessfulAttackResult):
            changed = result.perturbed_result.attacked_text.attack_attrs["modified_indices"]
            share = len(changed) / max(1, len(result.original_result.attacked_text.words))
            rows.append([share > bound for bound in SHARES])
        else:
            rows.append([True] * len(SHARES))
    return np.array(rows)


def textattack_cases(
    name: str, inference: Inference, samples: Sequence[Sample], max_queries: int
) -> list[str | None]:
    """Return for each sample the text that an attack ends with if it fools the model; else nothing."""
    with textattack_imports():
        from textattack.attack_results import SuccessfulAttackResult

    attack = _attack(name, inference, max_queries)
    cases: list[str | None] = []
    for sample in samples:
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        with quiet():
            result = attack.attack(sample.text, sample.label)
        has_fooled = isinstance(result, SuccessfulAttackResult)
        cases.append(result.perturbed_result.attacked_text.text if has_fooled else None)
    return cases


def _attack(name: str, inference: Inference, max_queries: int) -> Any:
    if name == "deepwordbug":
        target = Target(
            inference=inference, resources=Resources(), label=0, max_queries=max_queries, dimensions={}
        )
        return build_attack("deepwordbug", target)
    with textattack_imports():
        from textattack import Attack
        from textattack.constraints.pre_transformation import RepeatModification, StopwordModification
        from textattack.goal_functions import UntargetedClassification
        from textattack.search_methods import GreedyWordSwapWIR
        from textattack.transformations import WordSwap

    class Synonyms(WordSwap):  # type: ignore[misc]
        """Looks synonyms up in our table, since NLTK's WordNet would have to be downloaded."""

        def _get_replacement_words(self, word: str) -> list[str]:
            return _synonyms(word.lower())

    with quiet():
        attack = Attack(
            UntargetedClassification(wrap(inference)),
            [RepeatModification(), StopwordModification()],
            Synonyms(),
            GreedyWordSwapWIR("weighted-saliency"),
        )
    attack.goal_function.query_budget = max_queries
    return attack


@cache
def _synonyms(word: str) -> list[str]:
    senses = (sense for part in PARTS_OF_SPEECH for sense in load_tables().senses_of(word, part))
    # Senses come in the order of their frequency, so the first synonyms are the likeliest.
    lemmas = dict.fromkeys(member.lemma for sense in senses for member in sense.members)
    return [lemma for lemma in lemmas if lemma != word][:MOST_SYNONYMS]
