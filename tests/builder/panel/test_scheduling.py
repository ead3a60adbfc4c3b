"""Who costs much is asked only about samples that decide what stays, and nothing else changes."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.commands.build import build as build_command
from builder.panel.selecting import Selection
from builder.recipe.recipe_file import read_recipe
from builder.run.pipeline import build, selections_of
from builder.units.planning import plan_so_far
from builder.units.store import Shelf
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.manifest import Manifest

RECIPE = """\
name: heard
version: "1.0"
tasks: [{name: mr, source: mr, samples: 60, train_rows: 800}]
dimensions: [{name: typo-malicious, degrees: [0.1, 0.3]}, {name: glyph-general, degrees: [0.4]}]
settings: [rule, score]
cases: {rule: 1, score: 2}
surrogates: [word-tfidf, char-tfidf, vader, textblob]
sources: {score: [word-tfidf, vader]}
min_fooled: 0.6
max_lean: 0.02
min_samples: 2
"""


class Steps(Silence):
    """Remembers how far each stage came."""

    def __init__(self) -> None:
        self.n_done: Counter[str] = Counter()
        self.totals: dict[str, int] = {}
        self.effort_left: dict[str, float] = {}

    def stage(self, name: str, total: int, n_done: int = 0, effort: float | None = None) -> None:
        """Remember a stage."""
        assert name not in self.totals, "a stage begins once"
        self._name = name
        self.totals[name] = total
        self.n_done[name] = n_done
        self.effort_left[name] = effort or 0.0

    def step(self, n: int = 1, effort: float | None = None) -> None:
        """Remember a step; none goes back."""
        assert n >= 0
        self.n_done[self._name] += n
        self.effort_left[self._name] -= effort or 0.0


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder with the recipe, and use the cache in it; units are small."""
    folder = tmp_path_factory.mktemp("heard")
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builder.units.planning.SAMPLES_A_UNIT", 16)
        patch.setenv("HARDFROST_CACHE", str(folder / "cache"))
        steps = Steps()
        build(read_recipe(folder / "recipe.yaml"), folder / "release", steps)
        assert steps.n_done == steps.totals
        assert all(left == pytest.approx(0.0, abs=1e-9) for left in steps.effort_left.values())
        yield folder


@pytest.fixture
def manifest(home: Path) -> Manifest:
    """Return what the build froze."""
    return Release.open(home / "release").manifest


def attacked(home: Path) -> list[Selection]:
    """Return the selections of attacks, as a build has them before anybody is heard."""
    recipe = read_recipe(home / "recipe.yaml")
    found = selections_of(recipe, plan_so_far(recipe), Shelf(cache_path=home / "cache"))
    return [selection for selection in found if selection.hearing is not None]


def test_rows_and_figures_are_those_of_hearing_everything_and_taking_what_decides(home: Path) -> None:
    """As merged shards do, which hear everything."""
    shelf = Shelf(cache_path=home / "cache")
    n_heard: Counter[str] = Counter()
    for bit_by_bit, at_once in zip(attacked(home), attacked(home), strict=True):
        assert bit_by_bit.hearing
        assert at_once.hearing
        for wave in bit_by_bit.hearing.waves():
            assert all(map(shelf.is_done, wave))
            n_heard["waves"] += sum(shelf.n_rows(unit) for unit in wave)
        for unit in at_once.hearing.whole():
            n_heard["whole"] += shelf.do(unit).n_rows
        at_once.hearing.take_whole()
        assert list(bit_by_bit.queries()) == list(at_once.queries())
        for degree in bit_by_bit.degrees:
            dropped: list[Counter[str]] = [Counter(), Counter()]
            left, right = (
                [table.to_pylist() for table in selection.tables(degree, counter)]
                for selection, counter in zip((bit_by_bit, at_once), dropped, strict=True)
            )
            assert left == right
            assert dropped[0] == dropped[1]
    assert 0 < n_heard["waves"] < 0.9 * n_heard["whole"]


def test_what_nobody_heard_is_told_from_what_passed_and_leans(manifest: Manifest) -> None:
    """The funnel accounts for every candidate."""
    dropped: Counter[str] = Counter()
    for row in manifest.funnel:
        assert row.n_candidates == row.n_frozen + sum(row.n_dropped.values())
        dropped.update(row.n_dropped if row.setting == "score" else {})
    assert dropped["enough-samples"] > 0


def test_questions_are_those_that_were_asked(home: Path, manifest: Manifest) -> None:
    """Who costs much is asked about what cheaper ones leave; of attacks on itself, about all."""
    asked: Counter[str] = Counter()
    for entry in manifest.queries:
        asked[entry.surrogate] += entry.n_screening
    votes: Counter[str] = Counter()
    shelf = Shelf(cache_path=home / "cache")
    for selection in attacked(home):
        assert selection.hearing
        for unit in [unit for wave in selection.hearing.waves() for unit in wave]:
            for row in shelf.outcomes(unit, "asked").to_pylist():
                votes.update(unit.screened.surrogates[number].name for number in row["asked"])
    assert asked["textblob"] == votes["textblob"] > 0
    assert asked["vader"] > votes["vader"] > 0
    assert asked["textblob"] < min(asked["word-tfidf"], asked["char-tfidf"])


def test_a_finished_build_finds_all_its_waves(
    home: Path, manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked again, and the manifest is the same."""
    monkeypatch.setattr(Shelf, "do", None)
    build(read_recipe(home / "recipe.yaml"), tmp_path / "again", Silence())
    assert Release.open(tmp_path / "again").manifest == manifest


def test_the_plan_shows_what_is_heard_as_far_as_it_is_known(home: Path) -> None:
    """A wave that is not done hides those after it."""

    def heard() -> list[bool]:
        result = CliRunner().invoke(build_command, [str(home / "recipe.yaml"), "--plan", "--json"])
        votes = json.loads(result.output)["votes"]
        return [each["is_done"] for each in votes if each["title"].endswith("← vader, textblob")]

    before = heard()
    assert all(before)
    hearing = attacked(home)[0].hearing
    assert hearing
    first = next(hearing.waves())[0]
    sidecar = Shelf(cache_path=home / "cache").path(first).with_suffix(".json")
    text = sidecar.read_text(encoding="utf-8")
    sidecar.unlink()
    try:
        after = heard()
    finally:
        sidecar.write_text(text, encoding="utf-8")
    assert after.count(False) == 1
    assert len(after) < len(before)
