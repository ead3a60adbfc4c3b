"""A recipe of others runs no code: neither its encoder, nor its parser, nor its surrogates."""

import json
import shutil
from pathlib import Path

import pytest
import spacy
from click.testing import CliRunner

from builder.models.encoder import encode
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.recipe.trust import check_trust
from builder.tasks.hub import read_hub
from builder.tasks.task_recipe import ReadOptions
from classifiers.trained.minilm import packaged_folder
from contract.machine.errors import UserError
from flows.demo import demo
from hardfrost import cli

TINY = read_recipe(find_recipe("tiny"))
EVIL = """
from pathlib import Path
(Path(__file__).parent / "ran").touch()
import sentence_transformers
class Norm(sentence_transformers.models.Normalize): pass
"""


def test_an_encoder_folder_runs_no_code(tmp_path: Path) -> None:
    """Neither when it is planned nor when it is loaded, nor for the hash of its files."""
    folder = shutil.copytree(packaged_folder(), tmp_path / "enc")
    (folder / "evil.py").write_text(
        EVIL.replace("Path(__file__).parent", repr(tmp_path).replace("PosixPath", "Path"))
    )
    parts = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    parts[-1]["type"] = "evil.Norm"
    (folder / "modules.json").write_text(json.dumps(parts), encoding="utf-8")
    with pytest.raises(UserError, match=r"evil\.Norm"):
        encode(["a text that no cache knows 1729"], f"file:{folder}")
    assert not (tmp_path / "ran").exists()


def test_a_saved_spacy_pipeline_needs_trust(tmp_path: Path) -> None:
    """Its config names functions; an installed package was chosen by whoever installed it."""
    spacy.blank("en").to_disk(tmp_path / "nlp")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        json.dumps({**TINY.resolved(), "parser": f"spacy:{tmp_path / 'nlp'}"}), encoding="utf-8"
    )
    refused = CliRunner().invoke(cli, ["build", str(recipe), "--plan"])
    assert isinstance(refused.exception, UserError)
    assert "give --trust" in refused.exception.message
    assert CliRunner().invoke(cli, ["build", str(recipe), "--plan", "--trust"]).exit_code == 0


def test_the_demo_trusts_no_recipe(tmp_path: Path) -> None:
    """Also there a recipe's own functions do not run."""
    recipe = tmp_path / "recipe.yaml"
    changed = {**TINY.resolved(), "surrogates": ["python:os:system", "vader"], "sources": {}}
    recipe.write_text(json.dumps(changed), encoding="utf-8")
    refused = CliRunner().invoke(demo, ["--recipe", str(recipe), "-o", str(tmp_path / "out")])
    assert isinstance(refused.exception, UserError)
    assert "runs code of its own" in refused.exception.message


def test_packaged_and_installed_parts_need_no_trust() -> None:
    """A name under which nothing lies is refused when it is loaded."""
    check_trust(TINY)
    check_trust(Recipe.model_validate({**TINY.resolved(), "parser": "spacy:en_core_web_sm"}))


def test_a_data_source_that_would_unpickle_is_refused() -> None:
    """`datasets` has a reader of pickles, by name."""
    with pytest.raises(UserError, match="pickles are not read"):
        read_hub("pandas", ReadOptions())
