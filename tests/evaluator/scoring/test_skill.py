"""A model has skill when the interval of its balanced clean accuracy is above guessing."""

from pathlib import Path

import numpy as np
import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.schema.results import CleanScore, ModelInfo
from evaluator.scoring.score import ScoreOptions, score

LABELS = ("a", "b", "c", "d", "e", "f")


def _clean(folder: Path, n_labels: int, share_right: float | None, resamples: int = 200) -> CleanScore:
    """Return the clean score of a model that is right on a share of the samples, or always says `a`."""
    cases = (Case(sample=0, dimension="typo", setting="rule", degree=0.1, case=0),)
    clean = tuple(sample % n_labels for sample in range(60))
    task = SyntheticTask(name="t", labels=LABELS[:n_labels], clean=clean, cases=cases)
    write_release(folder / "r", [task])
    chance = np.random.default_rng(0)
    answers = {
        name: LABELS[0] if share_right is None or chance.random() > share_right else answer
        for name, answer in right_answers(folder / "r").items()
    }
    file = write_answers(folder / "p.jsonl", answers)
    result = score(folder / "r", file, ModelInfo(name="m"), options=ScoreOptions(resamples=resamples))
    assert result.tasks["t"].clean is not None
    return result.tasks["t"].clean


@pytest.mark.parametrize("n_labels", [2, 3, 6])
def test_a_constant_answer_has_no_skill(tmp_path: Path, n_labels: int) -> None:
    """It is exactly guessing, whatever the number of labels is in binary digits."""
    clean = _clean(tmp_path, n_labels, None)
    assert clean.has_skill is False
    assert clean.score == 0
    assert clean.balanced == pytest.approx(1 / n_labels)
    assert clean.balanced_ci == (pytest.approx(1 / n_labels), pytest.approx(1 / n_labels))


def test_a_model_that_knows_something_has_skill(tmp_path: Path) -> None:
    """Its interval lies above guessing."""
    clean = _clean(tmp_path, 2, 0.8)
    assert clean.has_skill is True
    assert clean.balanced_ci is not None
    assert clean.balanced_ci[0] > 0.5


def test_without_draws_skill_is_not_judged(tmp_path: Path) -> None:
    """There is no interval."""
    assert _clean(tmp_path, 2, 0.8, resamples=0).has_skill is None
