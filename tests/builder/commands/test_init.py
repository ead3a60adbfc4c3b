"""`hardfrost init`: a recipe that builds unedited, and a card that says what is still to be written."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

import hardfrost
from builder.recipe.recipe_file import read_recipe
from builder.release.documents.task_cards import missing_facts, read_card
from contract.machine.errors import UserError

GOOD = "a warm and funny film that everybody in the family should see at least once number {}"
BAD = "a dull and lifeless film that nobody in the family should ever have to sit through number {}"


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a file with labels that YAML would take for something else, and a row without one."""
    path = tmp_path / "My Data.jsonl"
    lines = [
        {"id": row, "body": (GOOD if row % 2 else BAD).format(row), "verdict": ("no", "yes")[row % 2]}
        for row in range(60)
    ]
    lines.append({"id": 60, "body": GOOD.format("x"), "verdict": None})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_recipe_written_by_init_builds_unedited(data: Path, tmp_path: Path) -> None:
    """From another folder than that of the data; the build says how many rows it used."""
    recipe = tmp_path / "recipes" / "mine.yaml"
    done = run("init", data, "-o", recipe, "--name", "mine")
    assert done.exit_code == 0, done.output
    assert done.stdout == f"hardfrost build {recipe} -o release\n"
    assert "texts in 'body', labels in 'verdict'" in done.stderr
    built = run("build", recipe, "-o", tmp_path / "release")
    assert built.exit_code == 0, built.output
    assert "mine: 30 of 60 rows are samples, 30 are for training" in built.stderr
    release = hardfrost.load(tmp_path / "release")
    assert release.labels() == ("no", "yes")
    assert len(release.dimensions) == 8
    frame = release.to_pandas()
    assert set(frame[frame["dimension"] == "typo-general"]["degree"]) == {0.1, 0.2, 0.3}


def test_every_choice_of_the_recipe_has_a_comment(data: Path, tmp_path: Path) -> None:
    """And the recipe is one that can be read."""
    assert run("init", data, "-o", tmp_path / "mine.yaml").exit_code == 0
    text = (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    assert sum(line.lstrip().startswith("#") for line in text.splitlines()) >= 10
    recipe = read_recipe(tmp_path / "mine.yaml")
    assert recipe.name == "my-data"
    assert recipe.tasks[0].read.unlabelled == "drop"


def test_the_card_is_refused_until_it_is_filled_in(data: Path, tmp_path: Path, tiny: Path) -> None:
    """Every fact is named that is still missing."""
    assert run("init", data, "-o", tmp_path / "mine.yaml", "--name", "mr").exit_code == 0
    path = tmp_path / "cards" / "mr.yaml"
    card = read_card(path)
    (first, *_) = missing_facts(hardfrost.load(tiny).manifest, {"mr": card})
    assert first.startswith("task mr: the card's `title`, `origin`")
    assert "`labels.no`" in first
    filled = yaml.safe_load(path.read_text(encoding="utf-8").replace("TO FILL IN:", "It is"))
    filled["labels"] = {"negative": "it is bad", "positive": "it is good"}
    path.write_text(yaml.safe_dump(filled), encoding="utf-8")
    assert missing_facts(hardfrost.load(tiny).manifest, {"mr": read_card(path)}) == []


def test_nothing_is_written_over(data: Path, tmp_path: Path) -> None:
    """Unless it is asked for."""
    recipe = tmp_path / "mine.yaml"
    recipe.write_text("mine\n", encoding="utf-8")
    refused = run("init", data, "-o", recipe)
    assert isinstance(refused.exception, UserError)
    assert "--replace" in refused.exception.message
    assert recipe.read_text(encoding="utf-8") == "mine\n"
    said = json.loads(run("init", data, "-o", recipe, "--replace", "--json").stdout)
    assert said["labels"] == {"no": 30, "yes": 30}
