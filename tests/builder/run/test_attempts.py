"""A build keeps the attempts on every sample that a source has right, and its tier in a file of its own."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from datasets import get_dataset_config_names, load_dataset

from builder.recipe.recipe import Recipe
from builder.release.publishing.public_form import PublicForm, Secret
from builder.release.publishing.withhold import Withheld
from builder.run.empty_splits import empty_settings, empty_splits
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.surrogates.loading import surrogate_of
from contract.machine.progress import Silence
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.release.split_selector import SplitSelector, chosen_splits
from contract.release.verification import verify
from contract.schema.manifest import Manifest
from contract.schema.records import records_of

N_WANTED = 2
RECIPE = {
    "name": "attempts",
    "version": "1",
    "tasks": [{"name": "mr", "source": "mr", "samples": 24, "train_rows": 1500}],
    "dimensions": [
        {"name": "typo-general", "degrees": [0.1, 0.3, 0.6]},
        {"name": "inflection", "degrees": [0.1, 0.6]},
        # With so many edits every word is broken: here large budgets leave no choice.
        {"name": "typo-malicious", "degrees": [0.2, 0.6]},
    ],
    "settings": ["rule", "score"],
    "cases": {"rule": 1, "score": N_WANTED},
    "surrogates": ["word-tfidf", "char-tfidf", {"kind": "nbsvm", "family": "ratios"}],
    "allow_weak": True,
    "min_samples": 1,
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Release:
    """Return a release with attacks on three families."""
    path = tmp_path_factory.mktemp("attempts") / "release"
    build(Recipe.model_validate(RECIPE), path, Silence())
    return Release.open(path)


def rows_of(manifest: Manifest) -> dict[str, str | None]:
    """Return the hash of the logical rows of every file."""
    return {split.path: split.rows_sha256 for split in manifest.splits}


def test_a_split_is_empty_only_where_no_source_has_a_sample_right(release: Release) -> None:
    """The funnel counts these samples for each source; what filters dropped stands there, too.

    A sample whose attempts are all weaker than those of a lower degree keeps the latter.
    """
    attacked = [row for row in release.manifest.funnel if row.setting == "score"]
    assert any(row.n_frozen for row in attacked)
    for row in attacked:
        n_attackable = max(attack.n_attackable for attack in row.attacks.values())
        n_expected = max(attack.n_attackable - attack.n_weaker for attack in row.attacks.values())
        assert (row.n_frozen == 0) == (n_attackable == 0)
        assert n_expected <= row.n_samples_frozen <= row.n_carrying
        assert row.n_candidates == row.n_frozen + sum(row.n_dropped.values())
        assert row.n_frozen == sum(attack.n_frozen for attack in row.attacks.values())
        assert row.n_transferable <= row.n_source_fooled <= row.n_frozen
        assert not {"source-not-fooled", "not-transferable", "label-leaning"} & set(row.n_dropped)


def test_a_larger_budget_is_frozen_only_where_it_hurts_its_source_no_less(release: Release) -> None:
    """The funnel counts what is left out, as the search has found it."""
    n_left_out = 0
    for row in release.manifest.funnel:
        n_dropped = row.n_dropped.get("weaker-than-lower-degree", 0)
        assert (n_dropped > 0) == any(attack.n_weaker for attack in row.attacks.values())
        n_left_out += n_dropped
    assert n_left_out > 0


def test_rows_are_in_the_file_to_which_their_votes_bring_them(release: Release) -> None:
    """None stands twice; a sample has at most as many as are wanted; nobody is left out for not fooling."""
    assert verify(release, Silence()) == []
    families = [info.family for info in release.manifest.surrogates_of("mr")]
    names = [info.name for info in release.manifest.surrogates_of("mr")]
    n_cases: Counter[tuple[str, str, float | None]] = Counter()
    fooled = set()
    for split in release.splits(setting="score"):
        for row in records_of(release.table(split)):
            n_cases[row.sample_id, row.dimension, row.degree] += 1
            source = names.index(row.source or "")
            assert row.source_fooled == (row.surrogate_predictions[source] != row.label)
            is_in_tier = bool(row.source_fooled) and row.transfer == 1.0
            assert is_in_tier == (split.tier == "transferable")
            assert row.transfer in {None, 0.0, 0.5, 1.0}
            assert len(row.surrogate_predictions) == len(families)
            fooled.add(row.source_fooled)
    assert max(n_cases.values()) == N_WANTED
    assert fooled == {False, True}
    assert {split.tier for split in release.splits(setting="rule")} == {None}


def test_of_one_source_the_strongest_attempt_has_the_lowest_number(release: Release, cache: Path) -> None:
    """Numbers say how attempts stand; which source an id is of follows from its number, too."""
    weights = {info.name: info.weights_sha256 for info in release.manifest.surrogates_of("mr")}
    rows = [row for split in release.splits(setting="score") for row in records_of(release.table(split))]
    assert len({row.id for row in rows}) == len(rows)
    source_of = {row.case: row.source for row in rows}
    n_compared = 0
    for name, sha256 in weights.items():
        own = sorted(
            (row for row in rows if row.source == name),
            key=lambda row: (row.sample_id, row.dimension, row.degree or 0, row.case),
        )
        answers = surrogate_of(cache, sha256).ask([(row.text, row.text_pair) for row in own])
        probabilities = [float(answer[row.label]) for row, answer in zip(own, answers, strict=True)]
        for (first, before), (second, after) in pairwise(zip(own, probabilities, strict=True)):
            if (first.sample_id, first.dimension, first.degree) == (
                second.sample_id,
                second.dimension,
                second.degree,
            ):
                assert before <= after
                n_compared += 1
        assert {source_of[row.case] for row in own} <= {name}
    assert n_compared > 0


def test_clean_rows_have_the_votes_of_all_surrogates(release: Release) -> None:
    """They give the clean accuracies of the manifest."""
    (clean,) = release.splits(dimension="clean")
    rows = list(records_of(release.table(clean)))
    for number, info in enumerate(release.manifest.surrogates_of("mr")):
        n_right = sum(row.surrogate_predictions[number] == row.label for row in rows)
        assert info.clean_accuracy == pytest.approx(n_right / len(rows), abs=1e-6)


def test_load_dataset_reads_attempts_and_the_tier(release: Release) -> None:
    """Both files under the cell's name, the tier under its own, and everything under `all`."""
    path = str(release.path)
    row = next(row for row in release.manifest.funnel if row.n_transferable)
    config = f"mr__{row.dimension}__score"
    name = f"degree_{round(100 * (row.degree or 0)):02d}"
    assert {"mr__clean", "mr__all", config, f"{config}__transferable"} <= set(get_dataset_config_names(path))
    assert len(load_dataset(path, config, split=name)) == row.n_frozen
    tier = load_dataset(path, f"{config}__transferable", split=name)
    assert len(tier) == row.n_transferable
    assert set(tier["source_fooled"]) == {True}
    n_rows = sum(split.rows for split in release.manifest.splits if split.dimension != "train")
    assert len(load_dataset(path, "mr__all", split="test")) == n_rows


def test_both_files_of_a_degree_are_one_group_of_predictions(release: Release) -> None:
    """Rows stand in the manifest's order, degree by degree."""
    rows = ReleaseRows.read(release)
    assert [group.name for group in rows.groups] == [
        "mr/clean",
        "mr/typo-general/rule",
        "mr/typo-general/score",
        "mr/inflection/rule",
        "mr/inflection/score",
        "mr/typo-malicious/rule",
        "mr/typo-malicious/score",
    ]
    listed = [split.path for split in release.manifest.splits if split.rows and split.dimension != "train"]
    assert [split.path for split in rows.splits] == listed


def test_a_download_may_ask_for_the_tier_alone(release: Release) -> None:
    """With the clean rows of its task."""
    chosen = chosen_splits(release.manifest, [SplitSelector.parse("mr,typo-general,score,transferable")])
    assert {(split.dimension, split.tier) for split in chosen} == {
        ("clean", None),
        ("typo-general", "transferable"),
    }


def test_workers_and_sizes_of_units_change_no_row(release: Release, tmp_path: Path) -> None:
    """Nor does what the cache has already."""
    options = ExecutionOptions(engine="process", workers=2, samples_per_unit=5)
    manifest = build(Recipe.model_validate(RECIPE), tmp_path / "release", Silence(), options)
    assert rows_of(manifest) == rows_of(release.manifest)


def test_another_seed_has_attempts_on_the_same_samples(release: Release, tmp_path: Path) -> None:
    """Whom an attack leaves out does not depend on luck: those that no source has right."""
    manifest = build(Recipe.model_validate({**RECIPE, "seed": 7}), tmp_path / "release", Silence())
    before = [(row.n_carrying, row.n_samples_frozen) for row in release.manifest.funnel]
    assert [(row.n_carrying, row.n_samples_frozen) for row in manifest.funnel] == before


def test_a_withheld_release_does_not_tell_tiers_or_votes(release: Release, tmp_path: Path) -> None:
    """Both files become one; the labels file says which of its rows are in the tier."""
    form = PublicForm(release=release, decoys=None, secret=Secret(salt="salt"), left_out=frozenset())
    withheld = Withheld(form=form, labels="".join(form.label_lines()), attacks=[])
    public = withheld.write(tmp_path / "release")
    assert verify(public, Silence()) == []
    assert {split.tier for split in public.manifest.splits} == {None}
    for split in public.manifest.splits:
        for row in records_of(public.table(split)):
            assert row.surrogate_predictions == ()
            assert (row.source_fooled, row.transfer, row.source, row.realised_degree) == (None,) * 4
    n_tier = sum(row.n_transferable for row in release.manifest.funnel)
    assert withheld.labels.count('"tier": "transferable"') == n_tier > 0


def test_a_build_says_where_nothing_is_frozen(release: Release) -> None:
    """With the biggest reason; a whole setting without a case is told apart."""
    manifest = release.manifest
    empty = [
        row.model_copy(update={"n_frozen": 0, "n_dropped": {"duplicate": 3, "negation": 9}})
        if row.setting == "score" and row.n_carrying
        else row
        for row in manifest.funnel
    ]
    told = manifest.model_copy(update={"funnel": tuple(empty)})
    assert empty_settings(manifest) == []
    assert empty_settings(told) == ["mr, score"]
    assert any("typo-general, score" in line and "dropped as negation" in line for line in empty_splits(told))
