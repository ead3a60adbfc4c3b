"""A rebuilt release is the same benchmark, or it is said where it is not."""

from pathlib import Path
from typing import Any

import pytest

from contract.release.comparison import compare_manifests
from contract.release.release import Release
from contract.schema.manifest import Manifest

RULE = "data/mr/typo-general/rule/degree_10.parquet"


@pytest.fixture
def manifest(tiny: Path) -> Manifest:
    """Return the manifest of the tiny release."""
    return Release.open(tiny).manifest


def changed(manifest: Manifest, path: str, **update: Any) -> Manifest:
    """Return the manifest with another entry for a split."""
    splits = [split.model_copy(update=update) if split.path == path else split for split in manifest.splits]
    return manifest.model_copy(update={"splits": tuple(splits)})


def in_setting(manifest: Manifest, setting: str) -> Manifest:
    """Return the manifest as if all cases were made in another setting."""
    splits = [
        split.model_copy(update={"setting": setting}) if split.is_adversarial else split
        for split in manifest.splits
    ]
    return manifest.model_copy(update={"splits": tuple(splits)})


def test_a_release_is_itself(manifest: Manifest) -> None:
    """Every split is identical."""
    agreement = compare_manifests(manifest, manifest)
    assert not agreement.differences
    assert agreement.n_identical == len(manifest.splits)


def test_other_votes_on_the_same_cases_are_the_same_benchmark(manifest: Manifest) -> None:
    """What a model is asked, and what is right, has a hash of its own."""
    agreement = compare_manifests(manifest, changed(manifest, RULE, rows_sha256="0" * 64))
    assert not agreement.differences
    assert agreement.same_cases == (RULE,)


@pytest.mark.parametrize("update", [{"texts_sha256": "0" * 64}, {"texts_sha256": None}, {"rows": 1}])
def test_other_cases_where_no_model_chose_are_another_benchmark(
    manifest: Manifest, update: dict[str, Any]
) -> None:
    """No tolerance there."""
    other = changed(manifest, RULE, rows_sha256="0" * 64, **update)
    if "rows" in update:
        other = changed(other, RULE, texts_sha256="1" * 64)
    agreement = compare_manifests(manifest, other)
    assert agreement.differences[0].startswith(f"{RULE}: other cases")


@pytest.mark.parametrize(
    ("update", "is_same"),
    [
        ({}, True),
        ({"rows": 59}, True),
        ({"rows": 50}, False),
        ({"mean_realised_degree": 0.129}, True),
        ({"mean_realised_degree": 0.2}, False),
        ({"mean_realised_degree": None}, False),
    ],
)
def test_cases_that_models_chose_may_differ_within_the_tolerance(
    manifest: Manifest, update: dict[str, Any], *, is_same: bool
) -> None:
    """Two in a hundred rows, and the mean realised degree by 0.005."""
    expected = in_setting(manifest, "score")
    other = changed(expected, RULE, rows_sha256="0" * 64, texts_sha256="0" * 64, **update)
    assert (not compare_manifests(expected, other).differences) is is_same


@pytest.mark.parametrize(
    ("update", "message"),
    [
        ({"recipe_sha256": "0" * 64}, "recipe_sha256"),
        ({"version": "9"}, "version: 9, expected 2.0"),
        ({"surrogates": ()}, "surrogate word-tfidf of mr: missing"),
        ({"splits": ()}, "missing"),
    ],
)
def test_anything_else_that_differs_is_named(
    manifest: Manifest, update: dict[str, Any], message: str
) -> None:
    """The recipe, the version, surrogates and splits."""
    agreement = compare_manifests(manifest, manifest.model_copy(update=update))
    assert any(message in line for line in agreement.differences)


def test_a_split_that_nobody_expected_and_a_weaker_surrogate_are_named(manifest: Manifest) -> None:
    """More is not the same either."""
    fewer = manifest.model_copy(update={"splits": manifest.splits[:-1]})
    assert compare_manifests(fewer, manifest).differences == (f"{manifest.splits[-1].path}: not expected",)
    weaker = manifest.surrogates[0].model_copy(update={"clean_accuracy": 0.1})
    agreement = compare_manifests(manifest, manifest.model_copy(update={"surrogates": (weaker,)}))
    assert "clean accuracy 0.1" in agreement.differences[0]
