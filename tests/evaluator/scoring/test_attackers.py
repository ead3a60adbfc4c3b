"""Zéroe's figures in a result: s*(p), the guessing line, attackers by harm, edit distance, folds."""

from pathlib import Path

import pytest
from synthetic import SplitKey, right_answers, write_answers, write_splits

from contract.release.release import Release
from contract.schema.manifest import DimensionGroup, DimensionInfo, TaskInfo
from contract.schema.names import CLEAN, case_id, clean_id, sample_id
from contract.schema.records import Record
from contract.schema.results import ModelInfo, Result, TaskScore
from evaluator.scoring.score import ScoreOptions, score
from leaderboard.submissions.rechecking import differences_of

LABELS = ("negative", "positive")
# Ten characters each; three of five are negative.
TEXTS = ("abcdefghij", "klmnopqrst", "uvwxyzabcd", "efghijklmn", "opqrstuvwx")
TRUE = (0, 1, 0, 1, 0)
DEGREES = (0.2, 0.8)
# What each dimension makes of a text; the first sample has no case of truncate.
CHANGES = {
    "truncate": lambda text: text[:-1],
    "visual": lambda text: "ΑΒΓ" + text[3:],
    "invisible": lambda text: text[:5] + "\u200b" + text[5:],
}
GROUPS: dict[str, DimensionGroup] = {"truncate": "zeroe", "visual": "zeroe", "invisible": "invisible"}


def _records(dimension: str, degree: float) -> list[Record]:
    return [
        Record(
            id=case_id(sample_id("t", place), dimension, "rule", degree, 0),
            sample_id=sample_id("t", place),
            text=CHANGES[dimension](text),
            original_text=text,
            label=TRUE[place],
            task="t",
            dimension=dimension,
            setting="rule",
            degree=degree,
            realised_degree=degree,
            field="text",
        )
        for place, text in enumerate(TEXTS)
        if place or dimension != "truncate"
    ]


@pytest.fixture(scope="module")
def release_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of five samples and three dimensions whose degrees are probabilities."""
    task = TaskInfo(
        name="t", labels=LABELS, fields=("text",), source="made up", licence="none", n_samples=5, n_train=0
    )
    dimensions = [
        DimensionInfo(name=name, degree_kind="probability", degrees=DEGREES, order=order, group=GROUPS[name])
        for order, name in enumerate(CHANGES)
    ]
    clean = [
        Record(
            id=clean_id(sample_id("t", place)),
            sample_id=sample_id("t", place),
            text=text,
            original_text=None,
            label=TRUE[place],
            task="t",
            dimension=CLEAN,
            degree=0,
            realised_degree=0,
        )
        for place, text in enumerate(TEXTS)
    ]
    splits: dict[SplitKey, list[Record]] = {("t", CLEAN, None, 0): clean}
    splits |= {("t", name, "rule", degree): _records(name, degree) for name in CHANGES for degree in DEGREES}
    return write_splits(tmp_path_factory.mktemp("coins") / "release", [task], dimensions, splits)


def _score(release_path: Path, folder: Path, wrong: dict[str, str]) -> Result:
    answers = right_answers(release_path) | wrong
    path = write_answers(folder / "p.jsonl", answers)
    return score(release_path, path, ModelInfo(name="model"), options=ScoreOptions(resamples=30))


@pytest.fixture
def result(release_path: Path, tmp_path: Path) -> Result:
    """Return the result of a model that is wrong about one clean text and about three cases."""
    wrong = {
        clean_id(sample_id("t", 4)): "positive",
        case_id(sample_id("t", 1), "visual", "rule", 0.8, 0): "negative",
        case_id(sample_id("t", 3), "visual", "rule", 0.8, 0): "negative",
        case_id(sample_id("t", 3), "invisible", "rule", 0.2, 0): "negative",
        # Its original is wrong, too: nothing is lost.
        case_id(sample_id("t", 4), "invisible", "rule", 0.2, 0): "positive",
    }
    return _score(release_path, tmp_path, wrong)


def test_what_is_left_is_counted_over_all_samples(result: Result) -> None:
    """Four of five are right when clean; a sample without a case counts as it is."""
    found = result.tasks["t"].attackers["zeroe"]
    levels = {attacker.dimension: attacker.levels for attacker in found.attackers}
    # Truncate: the first as it is, the other four cases right.
    assert levels["truncate"]["0.8"].relative == pytest.approx(5 / 4)
    assert levels["visual"]["0.8"].relative == pytest.approx(3 / 4)
    assert levels["visual"]["0.8"].n_cases == 5
    assert levels["truncate"]["0.8"].n_cases == 4
    low, high = levels["visual"]["0.8"].relative_ci or (0, 0)
    assert low <= 3 / 4 <= high


def test_the_most_harmful_attacker_stands_first_and_guessing_beside(result: Result) -> None:
    """Three of five samples have the most frequent label, over a clean accuracy of four of five."""
    found = result.tasks["t"].attackers["zeroe"]
    assert [attacker.dimension for attacker in found.attackers] == ["visual", "truncate"]
    assert found.guessing == pytest.approx(3 / 4)
    assert [each.dimension for each in result.tasks["t"].attackers["invisible"].attackers] == ["invisible"]


def test_edit_distance_is_measured_when_a_release_is_written(release_path: Path, result: Result) -> None:
    """One of ten characters, or three; harm and distance are compared."""
    splits = Release.open(release_path).manifest.splits
    distances = {split.dimension: split.mean_edit_distance for split in splits}
    assert distances == {CLEAN: None, "truncate": 0.1, "visual": 0.3, "invisible": 0.1}
    found = result.tasks["t"].attackers["zeroe"]
    assert {level.edit_distance for own in found.attackers for level in own.levels.values()} == {0.1, 0.3}
    # At both degrees: harms −1/4 at 0.1; −1/4 and 1/4 at 0.3.
    assert found.correlation == pytest.approx(1 / 3**0.5)


def test_folds_are_told_of_what_hides_words(result: Result) -> None:
    """One case was lost to a character without width, which a step takes out."""
    assert list(result.tasks["t"].folds) == ["invisible"]
    found = result.tasks["t"].folds["invisible"]
    assert found.n_lost == 1
    assert {name for name, n in found.n_saved.items() if n} == {"unseen", "all"}


def test_a_model_without_a_right_answer_has_no_such_figures(release_path: Path, tmp_path: Path) -> None:
    """A share of nothing is none."""
    turned = {name: LABELS[answer == LABELS[0]] for name, answer in right_answers(release_path).items()}
    assert _score(release_path, tmp_path, turned).tasks["t"].attackers == {}


def test_results_of_other_releases_do_not_mention_them(result: Result) -> None:
    """Files stay as they were where there is nothing to tell; where there is, it comes back."""
    task = result.tasks["t"]
    plain = task.model_copy(update={"attackers": {}, "folds": {}}).model_dump(mode="json")
    assert not {"attackers", "folds"} & plain.keys()
    assert TaskScore.model_validate(task.model_dump(mode="json")) == task


def test_a_claimed_figure_is_checked(result: Result) -> None:
    """An attacker that harms less than scoring gives, and one that is left out."""
    task = result.tasks["t"]
    found = task.attackers["zeroe"]
    visual = found.attackers[0]
    better = visual.model_copy(
        update={"levels": visual.levels | {"0.8": visual.levels["0.8"].model_copy(update={"relative": 0.9})}}
    )
    for claimed in ((better, found.attackers[1]), found.attackers[1:]):
        attackers = {**task.attackers, "zeroe": found.model_copy(update={"attackers": claimed})}
        other = result.model_copy(update={"tasks": {"t": task.model_copy(update={"attackers": attackers})}})
        assert len(differences_of(other, result)) == 1
    assert differences_of(result, result) == []
