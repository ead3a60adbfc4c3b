"""What a change does not touch is not done again; what is spoilt or of another version is, and said."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.run.pipeline import build
from builder.surrogates import surrogate_ref, training
from builder.surrogates.ready import ReadySurrogate
from builder.surrogates.surrogate_ref import answering_code
from builder.tasks.task import Task, load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.units import units
from builder.units.planning import plan_build
from builder.units.store import UnitStore
from builder.units.units import Unit
from contract.machine import code
from contract.machine.code import installed_version
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.manifest import Manifest, SurrogateInfo

RAW = {
    "name": "made",
    "version": "1",
    "tasks": [{"name": "mr", "source": "mr", "samples": 10, "train_rows": 300}],
    "dimensions": ["typo-general", "inflection"],
    "settings": ["rule", "score"],
    "surrogates": ["word-tfidf", "char-tfidf", {"kind": "nbsvm", "family": "ratios"}],
}


class Heard(Silence):
    """Remembers what was said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        """Remember a line."""
        self.lines.append(line)


@lru_cache(maxsize=2)
def tasks_of(raw: str) -> list[Task]:
    """Return the task that JSON describes, read once."""
    return load_tasks((TaskRecipe.model_validate_json(raw),))


def planned(weights: str = "abc", **changes: object) -> dict[str, Unit]:
    """Return by key all units of a build against surrogates that need no training."""
    recipe = Recipe.model_validate({**RAW, **changes})
    surrogates = [
        ReadySurrogate(
            info=SurrogateInfo(
                name=each.name,
                kind=each.kind,
                family=each.chosen_family,
                task="mr",
                weights_sha256=letter * 64,
            ),
            cost=10,
            clean_votes=(),
            balanced=0.9,
            balanced_low=0.8,
            chance=0.5,
        )
        for each, letter in zip(recipe.surrogates, weights, strict=True)
    ]
    plan = plan_build(recipe, tasks_of(recipe.tasks[0].model_dump_json()), surrogates)
    return {unit.key: unit for unit in [*plan.case_units, *plan.vote_units]}


def redone(before: dict[str, Unit], after: dict[str, Unit]) -> set[str]:
    """Return the units of the second plan that the first does not have, by title without samples."""
    new = [after[key].title for key in set(after) - set(before)]
    return {" ".join(word for word in title.split() if "…" not in word) for title in new}


def test_another_surrogate_changes_only_what_asks_it() -> None:
    """Cases against the others and their votes stay; the panel must be asked again."""
    assert redone(planned("abc"), planned("abd")) == {
        "mr typo-general score against nbsvm",
        "mr inflection score against nbsvm",
        "mr typo-general rule ← nbsvm",
        "mr inflection rule ← nbsvm",
        "mr typo-general score ← all surrogates",
        "mr inflection score ← all surrogates",
    }


def test_another_threshold_changes_only_the_dimensions_that_it_judges() -> None:
    """Similarity is asked of word-level cases alone."""
    filters = [{"name": "similarity", "thresholds": {"least": 0.6}}]
    names = ("degree", "legibility", "label-words", "negation")
    changed = redone(planned(), planned(filters=[*names, *filters]))
    assert changed
    assert {title.split()[1] for title in changed} == {"inflection"}


def test_another_degree_changes_only_its_dimension() -> None:
    """All degrees of a path are walked at once."""
    dimensions = [{"name": "typo-general", "degrees": [0.1]}, "inflection"]
    assert {title.split()[1] for title in redone(planned(), planned(dimensions=dimensions))} == {
        "typo-general"
    }


def test_the_code_that_answers_is_part_of_what_asks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights are not everything; random cases depend on no classifier's code."""
    before = planned()
    monkeypatch.setattr("builder.surrogates.surrogate_ref.answering_code", lambda kind: f"new {kind}")
    changed = redone(before, planned())
    assert {title.split()[2] for title in changed if "←" not in title} == {"score"}
    assert len([title for title in changed if "←" in title]) == 8
    assert answering_code("minilm") != answering_code("word-tfidf")


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Yield what makes one library look like another version of itself."""

    def upgrade(library: str) -> None:
        forget()
        monkeypatch.setattr(
            code, "installed_version", lambda name: "99" if name == library else installed_version(name)
        )
        monkeypatch.setattr("builder.units.units.installed_version", code.installed_version)

    def forget() -> None:
        units._code_of.cache_clear()
        surrogate_ref.answering_code.cache_clear()
        training._training_code.cache_clear()

    yield upgrade
    forget()


def test_another_version_of_a_library_changes_what_it_computes_and_no_more(
    upgraded: Callable[[str], None],
) -> None:
    """Scikit-learn answers for the surrogates, rapidfuzz measures every case, and spaCy does nothing here."""
    before = planned(settings=["rule"])
    upgraded("spacy")
    assert redone(before, planned(settings=["rule"])) == set()
    upgraded("scikit-learn")
    changed = redone(before, planned(settings=["rule"]))
    assert changed
    assert all("←" in title for title in changed)
    upgraded("rapidfuzz")
    assert not set(before) & set(planned(settings=["rule"]))


def test_another_textattack_changes_only_what_it_searches(upgraded: Callable[[str], None]) -> None:
    """Others do not even need it."""
    tools = {"dimensions": [{"name": "typo-general", "attacks": ["textattack:deepwordbug"]}]}
    before = planned(**tools)
    upgraded("textattack")
    changed = redone(before, planned(**tools))
    assert {title.split()[3] for title in changed if "←" not in title} == {"textattack:deepwordbug"}


def test_surrogates_are_trained_again_by_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that somebody must remember to raise is not enough."""
    recipe = Recipe.model_validate(RAW)
    tasks = tasks_of(recipe.tasks[0].model_dump_json())
    before = [job.key for job in training.training_jobs(recipe, tasks)]
    monkeypatch.setattr(training, "_training_code", lambda module: f"new {module}")
    after = [job.key for job in training.training_jobs(recipe, tasks)]
    assert not set(before) & set(after)


@pytest.fixture
def recipe() -> Recipe:
    """Return the tiny recipe."""
    return read_recipe(find_recipe("tiny"))


@pytest.fixture
def own_cache(tiny: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the cache that has everything of the tiny recipe, and use it."""
    for name in ("surrogates", "units", "associations"):
        shutil.copytree(cache / name, tmp_path / "cache" / name)
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def flip(path: Path) -> None:
    """Flip one bit in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path: Path) -> None:
    """Leave half of a file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def date_back(path: Path) -> None:
    """Make a sidecar one of an older version."""
    sidecar = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**sidecar, "schema": "hardfrost/unit/0"}), encoding="utf-8")


def hashes(manifest: Manifest) -> dict[str, str | None]:
    """Return the logical-row hash of every split."""
    return {split.path: split.rows_sha256 for split in manifest.splits}


@pytest.mark.parametrize(
    ("suffix", "spoil"), [(".parquet", flip), (".parquet", cut), (".json", cut), (".json", date_back)]
)
def test_a_spoilt_unit_is_made_again_and_said_so(
    suffix: str, spoil: Callable[[Path], None], *, own_cache: Path, recipe: Recipe, tiny: Path, tmp_path: Path
) -> None:
    """One line for each, and the rows are what they were."""
    tasks = tasks_of(recipe.tasks[0].model_dump_json())
    surrogates = Release.open(tiny).manifest.surrogates
    ready = [
        ReadySurrogate(info=info, cost=10, clean_votes=(), balanced=0.9, balanced_low=0.8, chance=0.5)
        for info in surrogates
    ]
    units = plan_build(recipe, tasks, ready).case_units
    spoil(UnitStore(cache_path=own_cache).path(units[0]).with_suffix(suffix))
    heard = Heard()
    assert hashes(build(recipe, tmp_path / "release", heard)) == hashes(Release.open(tiny).manifest)
    assert heard.lines == [
        "mr: 30 of 8,530 rows are samples, 2,000 are for training",
        f"{units[0].title}: its file in the cache is not what was written; it is made again",
    ]


@pytest.mark.parametrize("folder", ["surrogates", "associations"])
def test_whatever_else_is_spoilt_in_the_cache_is_made_again(
    folder: str, own_cache: Path, recipe: Recipe, tiny: Path, tmp_path: Path
) -> None:
    """Weights, what is known of them, and word lists."""
    files = [path for path in (own_cache / folder).rglob("*") if path.is_file()]
    assert files
    for path in files:
        cut(path)
    shutil.rmtree(own_cache / "units")
    assert hashes(build(recipe, tmp_path / "release", Silence())) == hashes(Release.open(tiny).manifest)


def test_a_release_whose_manifest_is_cut_is_refused_by_readers_and_replaced_by_a_build(
    own_cache: Path, recipe: Recipe, tiny: Path, tmp_path: Path
) -> None:
    """It is never taken for whole."""
    from click.testing import CliRunner

    from contract.commands.releases import info

    out = tmp_path / "release"
    shutil.copytree(tiny, out)
    cut(out / "manifest.json")
    result = CliRunner().invoke(info, [str(out)])
    assert "was the file cut or edited" in str(result.exception)
    build(recipe, out, Silence())
    assert verify(Release.open(out), Silence()) == []


def test_a_store_of_several_folders_reads_from_whichever_has_the_unit(
    own_cache: Path, tmp_path: Path
) -> None:
    """And writes to the first."""
    unit = next(iter(planned().values()))
    store = UnitStore(cache_path=own_cache, folders=(tmp_path / "one", tmp_path / "two"))
    assert store.path(unit).is_relative_to(tmp_path / "one")
    there = replace(store, folders=(tmp_path / "two",)).path(unit)
    there.parent.mkdir(parents=True)
    there.touch()
    assert store.path(unit) == there
