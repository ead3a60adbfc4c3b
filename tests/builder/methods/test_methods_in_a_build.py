"""A build whose recipe names methods: whose cases stand where, and what they do not change."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builder.methods import METHODS
from builder.methods.textbugger import TEXTBUGGER
from builder.recipe.recipe import Recipe
from builder.run.pipeline import build
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.records import Record, records_of

RECIPE: dict[str, Any] = {
    "name": "methods",
    "version": "1",
    "tasks": [{"name": "mr", "source": "mr", "samples": 16, "train_rows": 600}],
    "dimensions": [{"name": "typo-general", "degrees": [0.1, 0.3]}, {"name": "inflection", "degrees": [0.1]}],
    "settings": ["rule", "score"],
    "cases": {"rule": 2, "score": 1},
    "surrogates": ["word-tfidf", "char-tfidf"],
    "allow_weak": True,
    "min_samples": 1,
}
# The same bugs by two other names: drawn at random, and once more against the sources.
AT_RANDOM = replace(TEXTBUGGER, name="bugs-at-random", settings=("rule",))
AGAIN = replace(TEXTBUGGER, name="bugs-again", settings=("rule", "score"))


@pytest.fixture(scope="module", autouse=True)
def lent() -> Iterator[None]:
    """Have two methods more, so that a cell of each setting has two."""
    with METHODS.lent(AT_RANDOM), METHODS.lent(AGAIN):
        yield


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Release:
    """Return a release with three methods."""
    return built(
        tmp_path_factory.mktemp("methods") / "release", ["textbugger", "bugs-at-random", "bugs-again"]
    )


def built(path: Path, methods: list[str]) -> Release:
    """Return the release of the recipe with some methods."""
    build(Recipe.model_validate({**RECIPE, "methods": methods}), path, Silence())
    return Release.open(path)


def rows(release: Release, dimension: str, setting: str) -> list[Record]:
    """Return the cases of a cell, of both tiers."""
    return [
        record
        for split in release.manifest.splits
        if split.rows and (split.dimension, split.setting) == (dimension, setting)
        for record in records_of(release.table(split))
    ]


def test_a_row_says_which_method_made_it(release: Release) -> None:
    """Only the named methods search in their dimension and setting."""
    assert {row.method for row in rows(release, "typo-general", "rule")} == {"bugs-at-random", "bugs-again"}
    assert {row.method for row in rows(release, "typo-general", "score")} == {"textbugger", "bugs-again"}


def test_where_no_method_is_named_the_own_search_goes_on(release: Release) -> None:
    """Inflection has no method."""
    found = {row.method for row in rows(release, "inflection", "score")}
    assert found
    assert not found & set(METHODS)


def test_each_method_fills_places_of_its_own(release: Release) -> None:
    """`cases` counts those of one method, and no two cases have one number."""
    for setting, most in (("rule", 2), ("score", 1)):
        cases = rows(release, "typo-general", setting)
        n_cases = Counter((row.sample_id, row.degree, row.method) for row in cases)
        assert max(n_cases.values()) == most
        assert len({row.id for row in cases}) == len(cases)


def test_the_funnel_counts_attacks_by_method_and_adds_up(release: Release) -> None:
    """What goes in is dropped for a reason or frozen."""
    for row in release.manifest.funnel:
        assert row.n_candidates == sum(row.n_dropped.values()) + row.n_frozen
        assert row.n_samples == 16
        if (row.dimension, row.setting) == ("typo-general", "score"):
            assert set(row.attacks) == {
                f"{method} against {source}"
                for method in ("textbugger", "bugs-again")
                for source in ("word-tfidf", "char-tfidf")
            }
            assert sum(attack.n_frozen for attack in row.attacks.values()) == row.n_frozen


def test_another_method_changes_no_case_of_the_first(release: Release, tmp_path: Path, cache: Path) -> None:
    """What a method makes depends on nothing but itself; a text stands once in a split."""
    alone = built(tmp_path / "alone", ["textbugger"])
    texts = {(row.sample_id, row.degree): row.text for row in rows(alone, "typo-general", "score")}
    beside = {
        (row.sample_id, row.degree): row.text
        for row in rows(release, "typo-general", "score")
        if row.method == "textbugger"
    }
    assert texts
    assert beside == texts


def test_a_recipe_without_methods_keeps_its_hash() -> None:
    """The key came later."""
    assert "methods" not in Recipe.model_validate(RECIPE).resolved()
    named = Recipe.model_validate({**RECIPE, "methods": ["textbugger"]})
    assert named.resolved()["methods"] == ["textbugger"]
    assert named.sha256 != Recipe.model_validate(RECIPE).sha256


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        (["textbuger"], "did you mean 'textbugger'"),
        (["textbugger", "textbugger"], "stands twice"),
    ],
)
def test_a_wrong_name_is_refused(methods: list[str], expected: str) -> None:
    """The message names the nearest one."""
    with pytest.raises(ValueError, match=expected):
        Recipe.model_validate({**RECIPE, "methods": methods})


def test_a_method_needs_its_dimension_and_setting() -> None:
    """Else it would silently make nothing."""
    other = {**RECIPE, "settings": ["rule"], "methods": ["textbugger"]}
    with pytest.raises(ValueError, match=r"typo-general in the setting score.*leave the method out"):
        Recipe.model_validate(other)
