"""The same recipe and seed give the same rows, on one worker or two, at once or resumed."""

import json
import shutil
from pathlib import Path

import pytest

from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.run.execute_unit import execute_unit
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.units.planning import plan_so_far
from builder.units.store import UnitStore
from builder.units.units import Unit
from builder.values.associations import keep
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.manifest import Manifest
from contract.schema.timings import Timing


@pytest.fixture
def recipe() -> Recipe:
    """Return the tiny recipe."""
    return read_recipe(find_recipe("tiny"))


def hashes(manifest: Manifest) -> dict[str, str | None]:
    """Return the logical-row hash of every split."""
    return {split.path: split.rows_sha256 for split in manifest.splits}


def test_two_workers_and_an_empty_cache_give_the_same_rows(
    tiny: Path, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows depend on the recipe alone; so does everything else in the manifest."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path / "cache"))
    options = ExecutionOptions(engine="process", workers=2, samples_per_unit=7)
    manifest = build(recipe, tmp_path / "release", Silence(), options)
    assert manifest == Release.open(tiny).manifest
    assert (tmp_path / "release/manifest.json").read_bytes() == (tiny / "manifest.json").read_bytes()
    assert (tmp_path / "release/README.md").read_bytes() == (tiny / "README.md").read_bytes()


def test_another_seed_gives_other_cases_of_the_same_samples(
    tiny: Path, recipe: Recipe, tmp_path: Path
) -> None:
    """The clean split stays, every adversarial one changes."""
    manifest = build(recipe.model_copy(update={"seed": 2}), tmp_path / "release", Silence())
    before, after = hashes(Release.open(tiny).manifest), hashes(manifest)
    assert before["data/mr/clean.parquet"] == after["data/mr/clean.parquet"]
    assert all(after[path] != before[path] for path in before if path.count("/") > 2)


def test_a_finished_unit_is_not_done_again_and_a_spoilt_one_is(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are believed only while they are what was written."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path / "cache"))
    done: list[str] = []

    def note(unit: Unit, store: UnitStore) -> Timing:
        done.append(type(unit).__name__)
        return execute_unit(unit, store)

    monkeypatch.setattr("builder.run.unit_runner.execute_unit", note)
    first = build(recipe, tmp_path / "one", Silence())
    assert sorted(done) == ["CaseUnit", "CaseUnit", "VoteUnit", "VoteUnit"]
    done.clear()
    build(recipe, tmp_path / "two", Silence())
    assert done == []
    unit = plan_so_far(recipe).case_units[0]
    path = UnitStore(cache_path=tmp_path / "cache").path(unit)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert hashes(build(recipe, tmp_path / "three", Silence())) == hashes(first)
    assert done == ["CaseUnit"]


def test_a_unit_is_named_by_everything_that_can_change_it(recipe: Recipe, cache: Path) -> None:
    """Another seed, degree or threshold is another unit; another surrogate is not."""

    def keys(**update: object) -> set[str]:
        return {unit.key for unit in plan_so_far(recipe.model_copy(update=update)).case_units}

    assert keys() == keys(surrogates=())
    assert keys().isdisjoint(keys(seed=99))
    assert keys().isdisjoint(keys(filters=recipe.filters[:1]))


def test_the_funnel_accounts_for_every_candidate(tiny: Path) -> None:
    """Candidates are frozen or dropped for a reason."""
    release = Release.open(tiny)
    for row in release.manifest.funnel:
        assert row.n_candidates == row.n_frozen + sum(row.n_dropped.values())
        assert row.n_samples_frozen <= row.n_carrying <= row.n_samples == 30
    assert verify(release, Silence()) == []


def test_no_path_of_this_machine_is_in_a_release(tmp_path: Path) -> None:
    """A recipe with a local file names the file, not its folders."""
    rows = "".join(f"this is text number {n} of all\t{n % 2}\n" for n in range(60))
    (tmp_path / "mine.tsv").write_text(f"text\tlabel\n{rows}", encoding="utf-8")
    (tmp_path / "recipe.yaml").write_text(
        'name: mine\nversion: "1"\ntasks: [{name: mine, source: "file:mine.tsv", samples: 20}]\n'
        "dimensions: [typo-general]\nsurrogates: [word-tfidf]\n",
        encoding="utf-8",
    )
    build(read_recipe(tmp_path / "recipe.yaml"), tmp_path / "release", Silence())
    for name in ("manifest.json", "README.md"):
        assert str(tmp_path) not in (tmp_path / "release" / name).read_text(encoding="utf-8")
    manifest = json.loads((tmp_path / "release/manifest.json").read_text(encoding="utf-8"))
    assert manifest["tasks"][0]["source"] == "file:mine.tsv"


def test_a_folder_that_cannot_be_replaced_is_refused_before_any_work(recipe: Recipe, tmp_path: Path) -> None:
    """Nobody waits for a build that cannot be written."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="holds other files"):
        build(recipe, tmp_path, Silence())


def test_a_list_of_words_from_another_version_is_never_used(cache: Path, tmp_path: Path) -> None:
    """The cache is named by content, so a copy under a wrong name is refused."""
    from builder.values import associations

    name = keep(tmp_path, {"good": 1})
    shutil.copy(tmp_path / f"associations/{name}.json", tmp_path / f"associations/{'0' * 64}.json")
    with pytest.raises(ValueError, match="the content does not have the hash in its name"):
        associations.load(tmp_path, "0" * 64)
