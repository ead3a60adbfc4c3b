"""Effort: what takes long is expected to take long, or people wait an hour for what is "about 7 min left"."""

from pathlib import Path

import pytest

from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import read_recipe
from builder.run.effort import Effort
from builder.surrogates.ready import ReadySurrogate
from builder.tasks.task import load_tasks
from builder.units.planning import Plan, plan_build
from contract.schema.manifest import SurrogateInfo

RECIPE = """
name: two-settings
version: "1.0"
tasks: [{name: mr, source: mr, samples: 80, train_rows: 100}]
dimensions: [typo-general, synonym]
settings: [rule, score]
sources: {score: [word-tfidf, minilm]}
surrogates: [word-tfidf, minilm]
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """Return a recipe with cheap and costly work."""
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE, encoding="utf-8")
    return read_recipe(path)


@pytest.fixture
def planned(recipe: Recipe) -> Plan:
    """Return its plan, as if both surrogates were trained."""
    surrogates = [
        ReadySurrogate(
            info=SurrogateInfo(name=name, kind=name, family=name, task="mr", weights_sha256=sha * 64),
            cost=cost,
            clean_votes=(),
            balanced=0.9,
            balanced_low=0.8,
            chance=0.5,
        )
        for name, sha, cost in (("word-tfidf", "a", 30), ("minilm", "b", 10_000))
    ]
    return plan_build(recipe, load_tasks(recipe.tasks), surrogates)


def test_a_unit_with_a_costly_model_takes_longer_and_half_the_samples_half_as_long(planned: Plan) -> None:
    """By setting, by dimension, by source, and by the number of samples."""
    effort = Effort(planned.surrogates)
    seconds = {
        (unit.dimension, unit.attack and unit.attack.source.name, len(unit.samples)): effort.of(unit)
        for unit in planned.case_units
    }
    assert len(seconds) == len(planned.case_units) == 12
    assert seconds["typo-general", "minilm", 64] > 5 * seconds["typo-general", "word-tfidf", 64]
    assert seconds["synonym", None, 64] > 5 * seconds["typo-general", None, 64] > 0
    for (dimension, source, n_samples), took in seconds.items():
        assert took == pytest.approx(seconds[dimension, source, 64] * n_samples / 64)


def test_every_stage_after_the_plan_has_its_time_and_a_part_is_not_frozen(planned: Plan) -> None:
    """The sum of the units, before any of them is there."""
    effort = Effort(planned.surrogates)
    stages = effort.by_stage(planned, is_frozen=True)
    assert stages["perturb"] == pytest.approx(effort.of(*planned.case_units))
    # 80 samples, 2 dimensions, each with all cases and degrees of `rule`, at 10 ms a text.
    rule = [unit for unit in planned.case_units if unit.attack is None]
    at_least = sum(len(unit.samples) * unit.n_cases * len(unit.degrees) for unit in rule) * 0.01
    assert at_least < stages["vote"] < 2 * at_least
    assert 0 < stages["freeze"] < stages["vote"]
    assert set(effort.by_stage(planned, is_frozen=False)) == {"perturb", "vote"}
