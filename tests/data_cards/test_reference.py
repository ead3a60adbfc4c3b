"""What is kept of the reference release fits together, and holds none of its texts."""

from pathlib import Path

from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from contract.machine.hashes import hash_of_file
from contract.schema.manifest import Manifest
from data_cards.reference import ENTRANTS
from leaderboard.board.collecting import collect

KEPT = Path(__file__).parents[2] / "data_cards" / "mr"
FEWEST_MODELS = 6


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
    assert sum(entry.status == "ranked" for entry in leaderboard.entries) >= FEWEST_MODELS
    names = {entry.result.model.name for entry in leaderboard.entries}
    surrogates = {info.name for info in Manifest.read(KEPT / "manifest.json").surrogates}
    assert names == surrogates | {entrant.name for entrant in ENTRANTS}


def test_no_text_is_kept() -> None:
    """Texts come with their own package; the card shows no example."""
    (task,) = load_tasks([TaskRecipe(name="mr", source="mr", samples=500)])
    kept = "\n".join(path.read_text(encoding="utf-8") for path in KEPT.rglob("*") if path.is_file())
    assert not [sample.id for sample in task.samples if sample.text in kept]
