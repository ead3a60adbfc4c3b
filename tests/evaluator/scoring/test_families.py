"""Kin is found by shared errors; a family is left out with its attempts and its votes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.predictions.reading import read_predictions
from contract.release.release import Release
from contract.schema.manifest import SurrogateInfo
from contract.schema.results import ModelInfo, Result
from evaluator.scoring.kin import KIN_BOUND, error_consistency
from evaluator.scoring.labelled_rows import read_labelled_rows
from evaluator.scoring.score import ScoreOptions, score
from evaluator.scoring.tiers import tier_votes
from evaluator.scoring.votes import families_of

MODEL = ModelInfo(name="model")
OPTIONS = ScoreOptions(resamples=0)
N_SAMPLES = 8
FAMILIES = {"tfidf": "words", "nbsvm": "words", "chars": "characters", "cnn": "sequence", "minilm": "encoder"}
SURROGATES = tuple(
    SurrogateInfo(name=name, kind=name, family=family, task="t", weights_sha256="0" * 64)
    for name, family in FAMILIES.items()
)


def _task() -> SyntheticTask:
    """Return a task with random cases, and two attempts a sample: against words, and against the encoder.

    All surrogates are right on clean samples. The attempts against words fool all but the encoder, those
    against the encoder fool everybody. On random cases `chars` errs on even samples, the others never.
    """
    cases = []
    for sample in range(N_SAMPLES):
        right, wrong = sample % 2, 1 - sample % 2
        even = wrong if sample % 4 < 2 else right
        cases.append(
            Case(
                sample=sample, dimension="typo", setting="rule", degree=0.1, case=0,
                votes=(right, right, even, right, None),
            )
        )  # fmt: skip
        attempts = {"tfidf": (wrong, wrong, wrong, wrong, right), "minilm": (wrong,) * 5}
        for place, (source, votes) in enumerate(attempts.items()):
            cases.append(
                Case(
                    sample=sample, dimension="typo", setting="score", degree=0.1, case=place, source=source,
                    votes=votes, source_fooled=True, tier="transferable" if source == "minilm" else None,
                )
            )  # fmt: skip
    clean = tuple(sample % 2 for sample in range(N_SAMPLES))
    votes = tuple((label,) * len(SURROGATES) for label in clean)
    return SyntheticTask(
        name="t", labels=("no", "yes"), clean=clean, cases=tuple(cases), clean_votes=votes, mean="plain"
    )


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release with a panel of five surrogates in four families."""
    write_release(tmp_path / "r", [_task()], surrogates=SURROGATES, recipe={"min_fooled": 1.0})
    return tmp_path / "r"


def _scored(release: Path, wrong: list[str]) -> Result:
    answers = right_answers(release)
    answers |= {name: "no" if answers[name] == "yes" else "yes" for name in wrong}
    file = write_answers(release.parent / "p.jsonl", answers)
    return score(release, file, MODEL, options=OPTIONS)


def test_a_model_that_errs_like_a_surrogate_is_its_kin(release: Path) -> None:
    """Wrong where `chars` is wrong; surrogates that never err or were not asked say nothing."""
    lost = [f"t-{sample:05d}.typo.rule.10.0" for sample in range(N_SAMPLES) if sample % 4 < 2]
    kin = {one.surrogate: one for one in _scored(release, lost).kin}
    assert (kin["chars"].consistency, kin["chars"].is_kin, kin["chars"].family) == (1, True, "characters")
    assert kin["tfidf"].consistency == 0
    assert not kin["tfidf"].is_kin
    assert "minilm" not in kin
    others = [f"t-{sample:05d}.typo.rule.10.0" for sample in range(N_SAMPLES) if sample % 4 >= 2]
    assert next(one for one in _scored(release, others).kin if one.surrogate == "chars").consistency == -1


def test_consistency_is_agreement_beyond_what_accuracies_explain() -> None:
    """Two accurate models agree often, which says nothing; by hand."""
    first = np.array([True] * 8 + [False] * 2)
    second = np.array([True] * 7 + [False] * 2 + [True])
    expected = 0.8 * 0.8 + 0.2 * 0.2
    assert error_consistency(first, second) == pytest.approx((0.8 - expected) / (1 - expected))
    assert error_consistency(np.ones(3, np.bool_), np.ones(3, np.bool_)) is None
    assert 0 < KIN_BOUND < 1


def test_a_family_is_left_out_with_its_attempts(release: Path) -> None:
    """A sample falls back to what is left; what was not made against the family stays."""
    lost = [f"t-{sample:05d}.typo.score.10.0" for sample in range(4)]
    result = _scored(release, lost)
    assert result.overall is not None
    assert result.overall.settings["attacked"].average.ewma == 0.75
    without = result.without_families
    assert list(without) == ["words", "characters", "sequence", "encoder"]
    assert (without["words"].n_dropped, without["words"].average, without["words"].worst) == (8, 1, 1)
    assert (without["encoder"].n_dropped, without["encoder"].average) == (8, (1 + 0.5) / 2)
    assert (without["sequence"].n_dropped, without["sequence"].average) == (0, result.overall.average.ewma)


def test_tiers_are_formed_without_the_votes_of_the_family(release: Path) -> None:
    """Without the encoder the attempts against words fool everybody else, and its own are gone."""
    lost = [f"t-{sample:05d}.typo.score.10.0" for sample in range(6)]
    result = _scored(release, lost)
    assert result.overall is not None
    assert result.overall.transferable is not None
    assert (result.overall.transferable.n_cases, result.overall.transferable.accuracy) == (8, 1)
    encoder = result.without_families["encoder"].transferable
    assert encoder is not None
    assert (encoder.n_cases, encoder.n_samples, encoder.accuracy) == (8, 8, 0.25)
    words = result.without_families["words"].transferable
    assert words is not None
    assert (words.n_cases, words.accuracy) == (8, 1)


def test_a_tier_formed_with_all_votes_is_the_stored_one(release: Path) -> None:
    """The rule is that of the build."""
    labelled = read_labelled_rows(Release.open(release))
    file = write_answers(release.parent / "p.jsonl", right_answers(release))
    assert labelled.votes is not None
    (tier,) = tier_votes(labelled, read_predictions(file, labelled.rows), labelled.votes)
    stored = [split for split in labelled.rows.splits if split.tier == "transferable"]
    assert tier.counts_without(None).n_cases == sum(split.rows for split in stored) == N_SAMPLES


def test_fewer_than_two_eligible_families_form_no_tier(tmp_path: Path) -> None:
    """Nobody but the source was right when clean: there is nobody to be fooled."""
    task = _task()
    votes = tuple((label, label, 1 - label, 1 - label, label) for label in task.clean)
    write_release(tmp_path / "r", [replace(task, clean_votes=votes)], surrogates=SURROGATES)
    result = _scored(tmp_path / "r", [])
    assert all(one.transferable is None for one in result.without_families.values())


def test_a_setting_that_loses_all_its_cases_is_left_out(tmp_path: Path) -> None:
    """As one of which no case was frozen: a clean score would be a present."""
    task = _task()
    of_words = tuple(case for case in task.cases if case.source != "minilm")
    write_release(tmp_path / "r", [replace(task, cases=of_words)], surrogates=SURROGATES)
    lost = [f"t-{sample:05d}.typo.rule.10.0" for sample in range(4)]
    result = _scored(tmp_path / "r", lost)
    assert result.overall is not None
    assert result.overall.average.ewma == (0.5 + 1) / 2
    assert result.without_families["words"].average == 0.5


def test_an_ensemble_belongs_to_the_families_of_its_members(release: Path) -> None:
    """By its own name, or by how the recipe names it."""
    manifest = Release.open(release).manifest
    both = SurrogateInfo(
        name="ensemble:tfidf+cnn", kind="ensemble", family="ensemble", task="t", weights_sha256="0" * 64
    )
    named = both.model_copy(update={"name": "both"})
    recipe = {"surrogates": [{"name": "both", "kind": "ensemble:tfidf+cnn"}]}
    more = manifest.model_copy(update={"surrogates": (*SURROGATES, both, named), "recipe": recipe})
    for ensemble in (both, named):
        assert families_of(ensemble, more) == {"ensemble", "words", "sequence"}
    assert families_of(SURROGATES[0], more) == {"words"}


def test_a_partial_result_and_a_withheld_release_say_nothing_of_families(release: Path) -> None:
    """Leaving out can never help, and what is withheld is not told."""
    answers = {name: a for name, a in right_answers(release).items() if ".score." not in name}
    result = score(release, write_answers(release.parent / "q.jsonl", answers), MODEL, options=OPTIONS)
    assert (result.without_families, result.overall) == ({}, None)
    assert result.kin
    manifest = Release.open(release).manifest
    manifest.model_copy(update={"labels": "withheld"}).write(release / "manifest.json")
    withheld = _scored(release, [])
    assert (withheld.without_families, withheld.kin) == ({}, ())
