"""Finished units stay finished while code is commented, documented, or joined by new parts."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RECIPE = """\
name: keys
version: "1.0"
tasks: [{name: mr, source: mr, samples: 6, train_rows: 300}]
dimensions:
  - {name: typo-general, degrees: [0.2]}
  - {name: synonym, degrees: [0.1]}
settings: [rule, score]
cases: {rule: 1, score: 1}
surrogates: [word-tfidf, char-tfidf]
min_samples: 1
"""
SHOUT = '''\
"""Shout: words in capitals."""

from dataclasses import replace

from builder.dimensions.typo import TYPO_GENERAL

SHOUT = replace(TYPO_GENERAL, name="shout")
'''


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a recipe and a cache that has all units of it."""
    folder = tmp_path_factory.mktemp("keys")
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    run(ROOT, folder, "-o", str(folder / "release"))
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the project's code."""
    names = ["builder", "classifiers", "contract", "evaluator", "flows", "leaderboard", "recipes"]
    for name in names:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "hardfrost.py", tmp_path)
    shutil.copytree(ROOT / "data_cards/tasks", tmp_path / "data_cards/tasks")
    return tmp_path


def run(code: Path, folder: Path, *options: str) -> str:
    """Run `hardfrost build` with the code of one folder and the cache of another."""
    environment = {**os.environ, "PYTHONPATH": str(code), "HARDFROST_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "hardfrost", "build", str(folder / "recipe.yaml"), *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=code,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def states(code: Path, folder: Path) -> dict[str, bool]:
    """Return whether each piece of work is done, by what a person calls it."""
    plan = json.loads(run(code, folder, "--plan", "--json"))
    surrogates = {f"surrogate {each['name']}": each["is_done"] for each in plan["surrogates"]}
    return {**surrogates, **{each["title"]: each["is_done"] for each in [*plan["units"], *plan["votes"]]}}


def test_comments_and_docstrings_leave_every_unit_done(built: Path, copy: Path) -> None:
    """A comment at the end of every module, and other words in every docstring of a module."""
    n_edited = 0
    for path in [*(copy / "builder").rglob("*.py"), *(copy / "classifiers").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        edited = re.sub(r'\A"""', '"""Said otherwise. ', text)
        path.write_text(f"{edited}\n# A remark that changes nothing.\n", encoding="utf-8")
        n_edited += edited != text
    assert n_edited > 150
    found = states(copy, built)
    assert len(found) == 14
    assert all(found.values()), found


def test_other_code_is_noticed(built: Path, copy: Path) -> None:
    """A constant of one dimension makes its own units anew, and not those of another."""
    path = copy / "builder/dimensions/typo.py"
    path.write_text(f"{path.read_text(encoding='utf-8')}\nANOTHER = 1\n", encoding="utf-8")
    found = states(copy, built)
    assert {title.split()[1] for title, is_done in found.items() if not is_done} == {"typo-general"}


def test_a_new_dimension_leaves_every_other_unit_done(built: Path, copy: Path) -> None:
    """Random cases and attacks of the others: no unit hangs on the list of dimensions."""
    (copy / "builder/dimensions/shout.py").write_text(SHOUT, encoding="utf-8")
    registry = copy / "builder/dimensions/__init__.py"
    text = registry.read_text(encoding="utf-8")
    edited = re.sub(
        r"(?m)^from builder\.dimensions\.syntax", "from builder.dimensions.shout import SHOUT\n\\g<0>", text
    )
    edited = edited.replace("SYNTAX,", "SYNTAX, SHOUT,")
    assert edited.count("SHOUT") == 2
    registry.write_text(edited, encoding="utf-8")
    recipe = built / "recipe.yaml"
    shouting = RECIPE.replace("settings:", "  - {name: shout, degrees: [0.2]}\nsettings:")
    try:
        recipe.write_text(shouting, encoding="utf-8")
        found = states(copy, built)
    finally:
        recipe.write_text(RECIPE, encoding="utf-8")
    assert {title.split()[1] for title, is_done in found.items() if not is_done} == {"shout"}
    assert len(found) == 20
