"""A benchmark has parts, such as dev and test, with different samples; nothing is trained on any of them."""

from pathlib import Path

import pytest

from builder.recipe.overrides import with_part
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.tasks.task import load_tasks
from contract.machine.errors import UserError

RECIPE = """\
name: small
version: "1.0"
parts: {{dev: 0.2, test: 0.8}}
tasks:
  - name: made
    source: file:{path}
    samples: 10
dimensions:
  - typo-general
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """Return a recipe with two parts, whose data source has more rows than samples."""
    rows = [f"this is text {number} of many,{'ab'[number % 2]}" for number in range(30)]
    (tmp_path / "rows.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.format(path=tmp_path / "rows.csv"), encoding="utf-8")
    return read_recipe(path)


def test_parts_share_the_samples_and_no_part_trains_on_another(recipe: Recipe) -> None:
    """So the rows of a public dev part tell no label of the test part."""
    (whole,) = load_tasks(recipe.tasks)
    (dev,) = load_tasks(with_part(recipe, "dev").tasks)
    (test,) = load_tasks(with_part(recipe, "test").tasks)
    ids = [{sample.id for sample in task.samples} for task in (whole, dev, test)]
    assert [len(of_part) for of_part in ids] == [10, 2, 8]
    assert ids[1] | ids[2] == ids[0]
    assert not ids[1] & ids[2]
    for task in (dev, test):
        assert len(task.train) == 20
        assert not ids[0] & {sample.id for sample in task.train}


def test_a_part_has_a_name_and_a_hash_of_its_own(recipe: Recipe) -> None:
    """Predictions for one are none for another."""
    parts = [recipe, with_part(recipe, "dev"), with_part(recipe, "test")]
    assert [part.name for part in parts] == ["small", "small-dev", "small-test"]
    assert len({part.sha256 for part in parts}) == 3


def test_a_recipe_without_parts_keeps_its_hash(recipe: Recipe) -> None:
    """The parts that could be made decide nothing in a release of all samples."""
    assert recipe.model_copy(update={"parts": {}}).sha256 == recipe.sha256
    assert with_part(recipe, None) is recipe


def test_an_unknown_part_is_refused_by_name(recipe: Recipe) -> None:
    """With those that there are."""
    with pytest.raises(UserError, match="--part tset: no such part; did you mean 'test'"):
        with_part(recipe, "tset")
    with pytest.raises(UserError, match="the recipe has no `parts`"):
        with_part(recipe.model_copy(update={"parts": {}}), "dev")


def test_shares_must_add_up(tmp_path: Path) -> None:
    """Otherwise samples would be in no part, or in two."""
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.format(path="rows.csv").replace("0.8", "0.7"), encoding="utf-8")
    with pytest.raises(UserError, match=r"the shares must add up to 1, found dev 0\.2, test 0\.7"):
        read_recipe(path)


def test_too_few_rows_for_all_parts_are_refused(recipe: Recipe) -> None:
    """A part alone would have enough."""
    (task,) = recipe.tasks
    many = recipe.model_copy(update={"tasks": (task.model_copy(update={"samples": 40}),)})
    with pytest.raises(UserError, match="40 samples asked for by all parts"):
        load_tasks(with_part(many, "dev").tasks)


def test_the_ready_recipe_has_a_dev_and_a_test_part() -> None:
    """A tenth and the others, as in AdvGLUE, with its metrics."""
    ready = read_recipe(find_recipe("advglue"))
    assert set(ready.parts) == {"dev", "test"}
    assert {task.name: task.metrics for task in ready.tasks} == {
        "sst2": ("accuracy",),
        "qqp": ("accuracy", "f1"),
        "mnli": ("accuracy",),
        "mnli-mm": ("accuracy",),
        "qnli": ("accuracy",),
        "rte": ("accuracy",),
    }
    assert {task.name for task in ready.tasks if task.group == "mnli"} == {"mnli", "mnli-mm"}
