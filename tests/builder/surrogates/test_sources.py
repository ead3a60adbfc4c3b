"""Which surrogates are attacked by default, and which are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.recipe.recipe import Recipe
from builder.surrogates.ready import ReadySurrogate, balanced_accuracy
from builder.surrogates.sources import check_skill, chosen_sources, marked_sources
from contract.machine.errors import UserError
from contract.schema.manifest import SurrogateInfo

RECIPE = {
    "name": "a",
    "version": "1",
    "tasks": [{"name": "mr", "source": "mr"}],
    "dimensions": ["synonym"],
    "settings": ["score", "gradient"],
}


def ready(name: str, family: str, cost: int = 30, *, low: float = 0.7) -> ReadySurrogate:
    """Return a surrogate of a task with two labels."""
    info = SurrogateInfo(name=name, kind=name, family=family, task="mr", weights_sha256="0" * 64)
    return ReadySurrogate(info=info, cost=cost, clean_votes=(), balanced=0.8, balanced_low=low, chance=0.5)


PANEL = [
    ready("nbsvm", "words", 40),
    ready("word-tfidf", "words", 30),
    ready("char-tfidf", "characters"),
    ready("cnn", "sequence", 300),
    ready("minilm", "encoder", 10_000),
]


def names(sources: list[ReadySurrogate]) -> list[str]:
    """Return the names of surrogates."""
    return [source.info.name for source in sources]


def test_the_cheapest_of_each_family_is_attacked() -> None:
    """With gradients, of those that have some."""
    recipe = Recipe.model_validate(RECIPE)
    assert names(chosen_sources(recipe, "score", PANEL)) == ["word-tfidf", "char-tfidf", "cnn", "minilm"]
    assert names(chosen_sources(recipe, "gradient", PANEL)) == ["cnn", "minilm"]
    assert [each.info.is_source for each in marked_sources(recipe, PANEL)] == [False, True, True, True, True]


def test_a_recipe_may_name_its_sources() -> None:
    """Then these and no others."""
    recipe = Recipe.model_validate({**RECIPE, "sources": {"score": ["char-tfidf"]}})
    assert names(chosen_sources(recipe, "score", PANEL)) == ["char-tfidf"]


def test_a_surrogate_no_better_than_a_constant_is_refused_with_the_remedy() -> None:
    """Unless the recipe allows it: then it votes, and is attacked only where it is named or all are weak."""
    weak = [ready("word-tfidf", "words", low=0.5), *PANEL[2:]]
    recipe = Recipe.model_validate(RECIPE)
    with pytest.raises(UserError, match=r"word-tfidf of task mr: no better(.|\n)*--allow-weak"):
        check_skill(recipe, weak)
    allowed = recipe.model_copy(update={"allow_weak": True})
    check_skill(allowed, weak)
    assert names(chosen_sources(allowed, "score", weak)) == ["char-tfidf", "cnn", "minilm"]
    all_weak = [ready("word-tfidf", "words", low=0.5), ready("cnn", "sequence", low=0.4)]
    assert names(chosen_sources(allowed, "score", all_weak)) == ["word-tfidf", "cnn"]
    with pytest.raises(UserError, match=r"no surrogate suits the setting score"):
        marked_sources(recipe, all_weak)
    check_skill(Recipe.model_validate({**RECIPE, "settings": ["rule"]}), weak)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(0, 3))
def test_a_constant_answer_never_has_skill(labels: list[int], answer: int) -> None:
    """Its bound is at most what a constant answer has, on whatever labels."""
    _, low = balanced_accuracy([answer] * len(labels), labels)
    assert low <= round(1 / len(set(labels)), 6)


def test_the_bound_needs_samples() -> None:
    """Three of four right show nothing; three hundred of four hundred do."""
    votes, labels = [0, 0, 1, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1]
    assert balanced_accuracy(votes, labels) == (0.75, pytest.approx(0.498, abs=1e-3))
    assert balanced_accuracy(votes * 50, labels * 50)[1] > 0.7
