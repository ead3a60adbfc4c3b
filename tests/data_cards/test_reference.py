"""What is kept of the reference release fits together, and holds none of its texts."""

import json
from pathlib import Path

import pytest

from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from contract.machine.hashes import hash_of_file
from contract.schema.manifest import Manifest
from data_cards.reference import ENTRANTS
from leaderboard.board.collecting import collect

CARDS = Path(__file__).parents[2] / "data_cards"
KEPT = CARDS / "mr"
FEWEST_MODELS = 14
# Some are related to a surrogate, and one is a constant answer.
FEWEST_RANKED = 10


@pytest.mark.parametrize("path", sorted(CARDS.glob("*/manifest.json")), ids=lambda path: path.parent.name)
def test_a_card_says_when_its_manifest_is_of_an_earlier_version(path: Path) -> None:
    """Nobody is sent to files that today's readers refuse without a word."""
    version = json.loads(path.read_text(encoding="utf-8"))["schema"].rpartition("/")[2]
    said = f"Its manifest is of version {version}: made by an earlier Hardfrost; a new one will follow."
    is_said = said in (path.parent / "README.md").read_text(encoding="utf-8")
    assert is_said == (version != Manifest.SCHEMA.rpartition("/")[2])


def test_the_manifest_is_of_the_recipe() -> None:
    """So `hardfrost build mr --expect` compares like with like."""
    manifest = Manifest.read(KEPT / "manifest.json")
    assert manifest.recipe_sha256 == read_recipe(find_recipe("mr")).sha256
    assert len(manifest.dimensions) == 11
    assert {split.setting for split in manifest.splits if split.rows} == {None, "rule", "score", "gradient"}


def test_the_results_are_of_the_manifest() -> None:
    """Enough models to rank, and the surrogates beside them."""
    leaderboard = collect(KEPT / "results")
    assert leaderboard.benchmark.manifest_sha256 == hash_of_file(KEPT / "manifest.json")
    surrogates = {info.name for info in Manifest.read(KEPT / "manifest.json").surrogates}
    others = {entry.result.model.name for entry in leaderboard.entries} - surrogates
    assert others == {entrant.name for entrant in ENTRANTS}
    assert len(others) >= FEWEST_MODELS
    assert sum(entry.status == "ranked" for entry in leaderboard.entries) >= FEWEST_RANKED


def test_no_text_is_kept() -> None:
    """Texts come with their own package; the card shows no example."""
    (task,) = load_tasks([TaskRecipe(name="mr", source="mr", samples=500)])
    kept = "\n".join(path.read_text(encoding="utf-8") for path in KEPT.rglob("*") if path.is_file())
    assert not [sample.id for sample in task.samples if sample.text in kept]
