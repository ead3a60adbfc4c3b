"""Every figure has an interval, and it is what a plain loop over the same draws gives."""

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.schema.manifest import TaskInfo
from contract.schema.results import ModelInfo, Result, ScoreSettings
from evaluator.metrics.auroc import AurocOnDraws, auroc
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes, Rows
from evaluator.metrics.ratio import NothingToScoreError
from evaluator.scoring.draws import Bounds, Draws, interval, intervals
from evaluator.scoring.figures import cell_figures, drawn_figures
from evaluator.scoring.score import ScoreOptions, score

N_DRAWS = 25
SETTINGS = ScoreSettings(min_samples=1, resamples=N_DRAWS)
CURVE = "worst_at_k@"
FINAL = ("average", "worst")


class Made:
    """Random cases of a task: whose they are, at which degree, and what a model says."""

    def __init__(self, seed: int, n_samples: int, n_degrees: int, n_labels: int) -> None:
        chance = np.random.default_rng(seed)
        n_cases = chance.integers(0, 3, (n_samples, n_degrees))
        n_cases[chance.integers(n_samples), :] = 2
        self.n_labels = n_labels
        # Those with a clean row first, and the samples of a label together, as scoring orders them.
        n_clean = int(chance.integers(0, n_samples + 1))
        labels = chance.integers(0, n_labels, n_samples)
        self.label_of_sample = np.concatenate([np.sort(labels[:n_clean]), np.sort(labels[n_clean:])])
        self.has_clean = np.arange(n_samples) < n_clean
        parts = [self.label_of_sample[:n_clean], self.label_of_sample[n_clean:]]
        self.sizes = [int(n) for part in parts for n in np.bincount(part, minlength=n_labels) if n]
        self.clean_labels = {
            label: slice(*np.searchsorted(parts[0], [label, label + 1]))
            for label in range(n_labels)
            if label in parts[0]
        }
        self.clean_right = self.has_clean & (chance.random(n_samples) < 0.6)
        # Split after split, as in a release.
        self.degrees = np.repeat(np.arange(n_degrees), n_cases.sum(axis=0))
        self.samples = np.concatenate([np.repeat(np.arange(n_samples), column) for column in n_cases.T])
        self.labels = self.label_of_sample[self.samples]
        self.predictions = chance.integers(0, n_labels, len(self.samples))
        self.n_samples, self.n_degrees = n_samples, n_degrees

    def figures(self) -> dict[str, list[Bounds | None]]:
        """Return the intervals as scoring finds them."""
        shape = (self.n_samples, self.n_degrees)
        n_cases, n_right = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        np.add.at(n_cases, (self.samples, self.degrees), 1)
        np.add.at(n_right, (self.samples, self.degrees), self.labels == self.predictions)
        bounds = np.searchsorted(self.degrees, np.arange(self.n_degrees + 1))
        task = TaskInfo(
            name="t", labels=tuple("abcdef"[: self.n_labels]), fields=("text",), metrics=("f1",), source="",
            licence="", n_samples=self.n_samples, n_train=0,
        )  # fmt: skip
        cell = CellOutcomes(
            task=task,
            clean=CleanOutcomes(
                task=task,
                mean="geometric",
                has_clean=self.has_clean,
                is_right=self.clean_right,
                rows=self._rows(0, 0),
                labels=self.clean_labels,
            ),
            degrees=tuple((place + 1) / 10 for place in range(self.n_degrees)),
            rows=tuple(self._rows(*pair) for pair in pairwise(bounds)),
            n_right=n_right,
            n_cases=n_cases,
            used=tuple(range(self.n_degrees)),
            mean_realised=(None,) * self.n_degrees,
            transferable=None,
            min_samples=1,
        )
        (drawn,) = drawn_figures([cell_figures(cell)], DRAWS.weights("t", self.sizes), SETTINGS)
        final = {
            key: intervals(scores, SETTINGS.confidence) for key, scores in drawn.drawn.items() if key in FINAL
        }
        return {**drawn.bounds, **final}

    def _rows(self, start: int, stop: int) -> Rows:
        return Rows(
            samples=self.samples[start:stop].astype(np.int32),
            labels=self.labels[start:stop].astype(np.int32),
            predictions=self.predictions[start:stop].astype(np.int32),
            probabilities=None,
            n_labels=self.n_labels,
            n_samples=self.n_samples,
        )

    def score_of(self, name: str, degree: int, drawn: list[int]) -> float | None:
        """Return a figure of the samples drawn, one of them after the other, or nothing where none counts."""
        at = {s: self._rights(s, [degree]) for s in set(drawn)}
        up_to = {s: self._rights(s, range(degree + 1)) for s in set(drawn)}
        if name == "worst_at":
            return _mean([all(at[s]) for s in drawn if at[s]])
        if name == "accuracy_cases":
            return _mean([right for s in drawn for right in at[s]])
        if name == "attack_success_rate":
            return _mean([not all(up_to[s]) for s in drawn if up_to[s] and self.clean_right[s]])
        if name == "f1":
            return self._f1(degree, drawn)
        known = [s for s in drawn if self.has_clean[s]]
        kept = {s: self._kept(s, degree) if name.endswith("average") else float(all(up_to[s])) for s in known}
        score = self._joined({s: kept[s] * self.clean_right[s] for s in known}, known)
        if not name.startswith("relative"):
            return score
        return _over(score, self._joined({s: float(self.clean_right[s]) for s in known}, known))

    def _kept(self, sample: int, degree: int) -> float:
        """Return the share of right cases at the highest degree with any; the clean text's where none has."""
        found = [rights for at in range(degree + 1) if (rights := self._rights(sample, [at]))]
        return float(np.mean(found[-1])) if found else 1.0

    def _joined(self, kept: dict[int, float], drawn: list[int]) -> float:
        """Return the geometric mean over labels of the mean over their samples."""
        by_label = [
            np.mean([kept[s] for s in drawn if self.label_of_sample[s] == label])
            for label in self.clean_labels
        ]
        return float(np.prod(by_label) ** (1 / len(by_label)))

    def worst_of(self, k: int, drawn: list[int]) -> float | None:
        """Return worst@K by trying every choice of K cases."""
        pools = [self._rights(s, range(self.n_degrees)) for s in drawn]
        return _mean([np.mean([all(c) for c in combinations(pool, k)]) for pool in pools if len(pool) >= k])

    def _rights(self, sample: int, degrees: range | list[int]) -> list[bool]:
        mine = (self.samples == sample) & np.isin(self.degrees, list(degrees))
        return [bool(right) for right in (self.labels == self.predictions)[mine]]

    def _f1(self, degree: int, drawn: list[int]) -> float | None:
        rows = [row for s in drawn for row in np.flatnonzero((self.samples == s) & (self.degrees == degree))]
        true, said = self.labels[rows], self.predictions[rows]
        found = []
        for label in [1] if self.n_labels == 2 else range(self.n_labels):
            below = (true == label).sum() + (said == label).sum()
            if below:
                found.append(2 * ((true == label) & (said == label)).sum() / below)
        return _mean(found)


DRAWS = Draws(manifest_sha256="m", seed=3, n_draws=N_DRAWS)


def _mean(values: list[bool] | list[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _over(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _looped(scores: list[float | None]) -> Bounds | None:
    known = np.array([score for score in scores if score is not None])
    return interval(known, SETTINGS.confidence) if len(known) else None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 9), st.integers(1, 3), st.integers(2, 4))
def test_the_interval_of_every_figure_is_that_of_a_loop_over_the_draws(
    seed: int, n_samples: int, n_degrees: int, n_labels: int
) -> None:
    """Each draw is a data set of its own; draws in which nothing counts are ignored."""
    made = Made(seed, n_samples, n_degrees, n_labels)
    weights = np.vstack(list(DRAWS.weights("t", made.sizes))).astype(int)
    draws = [np.repeat(np.arange(n_samples), row).tolist() for row in weights]
    for name, bounds in made.figures().items():
        if name.startswith(CURVE):
            k = int(name.removeprefix(CURVE))
            expected = [_looped([made.worst_of(k, drawn) for drawn in draws])]
        else:
            expected = [
                _looped([made.score_of(name, degree, drawn) for drawn in draws])
                for degree in range(n_degrees)
            ]
        for found, wanted in zip(bounds, expected, strict=True):
            assert (found is None) == (wanted is None), name
            assert found is None or found == pytest.approx(wanted, rel=0, abs=1e-12), name


@pytest.fixture
def scored(tmp_path: Path) -> Result:
    """Return the result of a model that errs here and there, on a task that asks for F1."""
    cases = [
        Case(sample=sample, dimension="typo", setting="rule", degree=degree, case=case)
        for degree in (0.1, 0.2)
        for sample in range(12)
        for case in range(2)
    ]
    task = SyntheticTask(
        name="t", labels=("no", "yes"), clean=(0, 1) * 6, cases=tuple(cases), metrics=("accuracy", "f1")
    )
    write_release(tmp_path / "r", [task])
    answers = right_answers(tmp_path / "r")
    answers |= {name: "no" for place, name in enumerate(answers) if place % 5 == 1}
    weights = {"typo": {"0.1": 1.0, "0.2": 0.5}}
    document = {
        "schema": "hardfrost/validity-weights/1", "name": "made-up", "source": "x", "dimensions": weights
    }  # fmt: skip
    (tmp_path / "w.json").write_text(json.dumps(document), encoding="utf-8")
    file = write_answers(tmp_path / "p.jsonl", answers, probabilities=[0.5, 0.5])
    options = ScoreOptions(resamples=100, weights=str(tmp_path / "w.json"))
    return score(tmp_path / "r", file, ModelInfo(name="m"), options=options)


def test_every_figure_of_a_result_has_an_interval_around_it(scored: Result) -> None:
    """Those of tasks, of dimensions and of degrees."""
    setting, clean, overall = (
        scored.tasks["t"].dimensions["typo"]["rule"],
        scored.tasks["t"].clean,
        scored.overall,
    )
    assert clean is not None
    assert overall is not None
    pairs = [(overall.clean, overall.clean_ci), (clean.metrics["f1"], clean.metrics_ci["f1"])]
    pairs += [
        (value, overall.validity_weighted_ci[name]) for name, value in overall.validity_weighted.items()
    ]
    pairs += [(value, setting.worst_at_k_ci[k]) for k, value in setting.worst_at_k.items()]
    for degree in setting.degrees.values():
        named = [name for name in type(degree).model_fields if f"{name}_ci" in type(degree).model_fields]
        assert {"average", "worst", "metrics"} < set(named)
        named.remove("metrics")
        pairs += [(getattr(degree, name), getattr(degree, f"{name}_ci")) for name in named]
        pairs.append((degree.metrics["f1"], degree.metrics_ci["f1"]))
        assert set(degree.metrics) == set(degree.metrics_ci) == {"f1", "auroc"}
    for value, bounds in pairs:
        assert value is not None
        assert bounds is not None
        assert bounds[0] <= value <= bounds[1]
    assert any(low < high for _, (low, high) in pairs)


def test_results_of_before_are_read_as_they_are(scored: Result, tmp_path: Path) -> None:
    """Without the intervals that were added later."""
    raw = scored.to_json()

    def aged(value: object) -> object:
        if not isinstance(value, dict):
            return value
        kept = {"average_ci", "worst_ci"}
        return {key: aged(one) for key, one in value.items() if not key.endswith("_ci") or key in kept}

    (tmp_path / "old.json").write_text(json.dumps(aged(raw)), encoding="utf-8")
    old = Result.read(tmp_path / "old.json")
    assert old.tasks["t"].dimensions["typo"]["rule"].degrees["0.1"].worst_at_ci is None
    assert old.overall is not None
    assert old.overall.clean_ci is None


def test_without_draws_there_are_no_intervals(tmp_path: Path) -> None:
    """And the figures are the same."""
    cases = tuple(Case(sample=s, dimension="typo", setting="rule", degree=0.1, case=0) for s in range(4))
    task = SyntheticTask(name="t", labels=("no", "yes"), clean=(0, 1) * 2, cases=cases, metrics=("f1",))
    write_release(tmp_path / "r", [task])
    file = write_answers(tmp_path / "p.jsonl", right_answers(tmp_path / "r"))
    result = score(tmp_path / "r", file, ModelInfo(name="m"), options=ScoreOptions(resamples=0))
    setting = result.tasks["t"].dimensions["typo"]["rule"]
    degree = setting.degrees["0.1"]
    assert (degree.worst_at, degree.worst_at_ci, degree.relative_average_ci) == (1, None, None)
    assert (degree.metrics, degree.metrics_ci, setting.worst_at_k_ci) == ({"f1": 1}, {}, {})


@given(
    seed=st.integers(0, 10_000),
    n_rows=st.integers(0, 30),
    n_labels=st.integers(2, 4),
    n_values=st.integers(1, 9),
)
def test_auroc_on_draws_is_that_of_rows_written_so_often(
    seed: int, n_rows: int, n_labels: int, n_values: int
) -> None:
    """With ties, with draws that lack a label or every row, and whatever samples the rows are of."""
    chance = np.random.default_rng(seed)
    labels, samples = chance.integers(0, n_labels, n_rows), chance.integers(0, 5, n_rows)
    probabilities = chance.integers(0, n_values, (n_rows, n_labels)) / n_values
    weights = chance.integers(0, 3, (6, 5)).astype(float)
    for found, drawn in zip(
        AurocOnDraws(labels, probabilities, samples).values(weights), weights, strict=True
    ):
        rows = np.repeat(np.arange(n_rows), drawn[samples].astype(int))
        try:
            assert found == pytest.approx(auroc(labels[rows], probabilities[rows]), abs=1e-12)
        except NothingToScoreError:
            assert np.isnan(found)
