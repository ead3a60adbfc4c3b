"""Draws are decided by release and seed alone, and resampling is what a loop over samples would give."""

from functools import cached_property

import numpy as np
import pytest

from evaluator.metrics.accuracy_cases import accuracy_cases
from evaluator.metrics.ratio import Numbers
from evaluator.metrics.recall import RecallFigure, RelativeFigure
from evaluator.metrics.worst_at import worst_at
from evaluator.scoring.draws import Draws, draw_figures, interval, intervals, resample

SIZES = (3, 4)
N_SAMPLES = 7
N_CASES = np.array([[2, 1], [1, 1], [0, 3], [2, 2], [1, 0], [3, 3], [1, 2]], np.int32)
N_RIGHT = np.array([[1, 1], [1, 0], [0, 2], [2, 2], [0, 0], [3, 1], [1, 2]], np.int32)


def _weights(n_draws: int, *, seed: int = 0, task: str = "t", manifest: str = "m") -> Numbers:
    draws = Draws(manifest_sha256=manifest, seed=seed, n_draws=n_draws)
    return np.vstack(list(draws.weights(task, SIZES)))


def test_every_draw_has_as_many_samples_of_each_label_as_the_task() -> None:
    """With replacement."""
    weights = _weights(100)
    assert weights.shape == (100, N_SAMPLES)
    assert (weights[:, : SIZES[0]].sum(axis=1) == SIZES[0]).all()
    assert (weights[:, SIZES[0] :].sum(axis=1) == SIZES[1]).all()


def test_the_draws_never_change() -> None:
    """Results of different machines and years compare in pairs only if the draws are the same."""
    assert _weights(2).astype(int).tolist() == [[2, 0, 1, 1, 0, 1, 2], [1, 2, 0, 1, 1, 1, 1]]


def test_fewer_draws_are_the_beginning_of_more() -> None:
    """The replicates of a result do not depend on how many resamples were asked for."""
    assert (_weights(10) == _weights(50)[:10]).all()


@pytest.mark.parametrize("other", [{"seed": 1}, {"task": "u"}, {"manifest": "n"}])
def test_another_seed_task_or_release_has_other_draws(other: dict[str, int | str]) -> None:
    """Tasks are resampled independently."""
    assert not (_weights(10) == _weights(10, **other)).all()  # type: ignore[arg-type]


def test_all_samples_are_drawn_alike() -> None:
    """No sample is favoured."""
    means = _weights(20_000).mean(axis=0)
    assert means == pytest.approx(np.ones(N_SAMPLES), abs=0.03)


def test_resampling_is_what_a_loop_over_drawn_samples_gives() -> None:
    """Each draw is scored as a data set of its own."""
    weights = _weights(40)
    ratios = [accuracy_cases(N_RIGHT, N_CASES), worst_at(N_RIGHT, N_CASES)]
    averages, worsts = resample(ratios, iter([weights[:15], weights[15:]]))
    for draw, row in enumerate(weights.astype(int)):
        drawn = np.repeat(np.arange(N_SAMPLES), row)
        assert averages[draw] == pytest.approx(accuracy_cases(N_RIGHT[drawn], N_CASES[drawn]).value())
        assert worsts[draw] == pytest.approx(worst_at(N_RIGHT[drawn], N_CASES[drawn]).value())


def test_a_draw_without_any_case_gets_the_score_itself() -> None:
    """Nothing drawn is nothing learned."""
    n_cases, n_right = np.array([[1], [0]], np.int32), np.array([[1], [0]], np.int32)
    (scores,) = resample([accuracy_cases(n_right, n_cases)], iter([np.array([[0.0, 2.0], [1.0, 1.0]])]))
    assert scores.tolist() == [[1], [1]]


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """95 intervals of 100 around a share hold the true share, give or take chance."""
    generator = np.random.default_rng(0)
    n_hits = 0
    weights = _weights_of(60)
    for _ in range(200):
        right = (generator.random(60) < 0.7).astype(np.int32)[:, None]
        (scores,) = resample([accuracy_cases(right, np.ones_like(right))], iter([weights]))
        low, high = interval(scores[:, 0], 0.95)
        n_hits += low <= 0.7 <= high
    assert 180 <= n_hits <= 199


def _weights_of(n_samples: int) -> Numbers:
    draws = Draws(manifest_sha256="m", seed=0, n_draws=400)
    return np.vstack(list(draws.weights("t", [n_samples])))


def test_a_figure_that_two_others_are_made_of_is_drawn_once_a_block() -> None:
    """A relative figure needs the score and the clean score, which are figures of their own."""
    counted = _Counted(kept=np.ones((N_SAMPLES, 2)), labels={0: slice(0, 3), 1: slice(3, 7)}, mean="balanced")
    clean = RecallFigure(kept=np.ones((N_SAMPLES, 1)), labels=counted.labels, mean="balanced")
    relative = RelativeFigure(score=counted, clean=clean)
    blocks = [_weights(4)[:2], _weights(4)[2:]]
    (drawn,) = draw_figures([[counted, relative]], iter(blocks))
    assert counted.n_drawn == [2, 2]
    assert [scores.tolist() for scores in drawn] == [[[1.0, 1.0]] * 4] * 2


class _Counted(RecallFigure):
    """Notes how many draws it was asked for, block by block."""

    @cached_property
    def n_drawn(self) -> list[int]:
        return []

    def resampled(self, weights: Numbers) -> Numbers:
        self.n_drawn.append(len(weights))
        return super().resampled(weights)


def test_only_columns_with_empty_draws_leave_draws_out() -> None:
    """The interval of a column does not depend on the columns beside it; one without any draw has none."""
    whole, gaps = np.arange(10.0), np.where(np.arange(10) < 4, np.nan, np.arange(10.0))
    beside = np.column_stack([whole, gaps, np.full(10, np.nan), whole])
    expected = interval(whole, 0.9)
    assert intervals(beside, 0.9) == [expected, interval(gaps[4:], 0.9), None, expected]
