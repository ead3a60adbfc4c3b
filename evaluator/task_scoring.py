"""The scores of one task: clean, then every dimension and setting, with their draws."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contract.manifest import Manifest, TaskInfo
from contract.names import degree_key
from contract.results import CleanScore, DegreeScore, ScoreSettings, SettingScore, TaskScore
from evaluator.bootstrap import Draws, resample
from evaluator.figures import aggregate, fraction, fraction_interval, rounded
from evaluator.metrics.accuracy_cases import accuracy_cases
from evaluator.metrics.attack_success_rate import attack_success_terms
from evaluator.metrics.auroc import auroc
from evaluator.metrics.average import average_terms
from evaluator.metrics.clean_accuracy import clean_accuracy_terms
from evaluator.metrics.ewma import ewma_over
from evaluator.metrics.f1 import f1
from evaluator.metrics.metric import NothingToScoreError, Numbers, Terms
from evaluator.metrics.overall import Cell
from evaluator.metrics.relative import relative
from evaluator.metrics.validity_weighted import validity_weighted
from evaluator.metrics.worst import worst_terms
from evaluator.metrics.worst_at import worst_at
from evaluator.metrics.worst_at_k import rarefaction
from evaluator.outcomes import CellOutcomes, TaskOutcomes
from evaluator.summary import CellScores
from evaluator.validity import ValidityWeights

KEY_WITHOUT_DEGREE = "any"
NO_CASE = "no case was frozen"


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """The rows of a release with true and predicted labels, for metrics that look at rows."""

    labels: NDArray[np.int32]
    predictions: NDArray[np.int32]
    probabilities: Numbers | None


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredTask:
    """A task's scores, with its clean score and the final scores of its cells on every draw."""

    task: TaskScore
    clean: Numbers | None
    cells: dict[Cell, CellScores]


@dataclass(frozen=True, kw_only=True, eq=False)
class _CellTerms:
    """The two series of a cell: as terms, and as rows of the score itself and then of every draw."""

    average: Terms
    worst: Terms
    drawn_average: Numbers
    drawn_worst: Numbers


def score_task(
    outcomes: TaskOutcomes,
    answers: Answers,
    settings: ScoreSettings,
    draws: Draws,
    weights: ValidityWeights | None = None,
) -> ScoredTask:
    """Return all scores of a task."""
    is_clean_known = bool(outcomes.has_clean.any())
    terms = [clean_accuracy_terms(outcomes.clean_right, outcomes.has_clean)] if is_clean_known else []
    first = len(terms)
    for cell in outcomes.cells.values():
        terms += [average_terms(cell.n_right, cell.n_cases), worst_terms(cell.n_right, cell.n_cases)]
    drawn = _with_point(terms, draws, outcomes)
    dimensions: dict[str, dict[str, SettingScore]] = {}
    cells: dict[Cell, CellScores] = {}
    for place, (name, cell) in enumerate(outcomes.cells.items()):
        average, worst = first + 2 * place, first + 2 * place + 1
        of_cell = _CellTerms(
            average=terms[average],
            worst=terms[worst],
            drawn_average=drawn[average],
            drawn_worst=drawn[worst],
        )
        degrees = _score_degrees(outcomes, cell, of_cell, answers, settings)
        scores = _final_scores(name, cell, of_cell, settings, weights)
        dimensions.setdefault(name.dimension, {})[name.setting] = _setting_score(
            cell, degrees, scores, settings
        )
        if scores is not None:
            cells[name] = scores
    clean_drawn = drawn[0][:, 0] if is_clean_known else None
    clean = None if clean_drawn is None else _clean_score(outcomes, clean_drawn, answers, settings)
    return ScoredTask(task=TaskScore(clean=clean, dimensions=dimensions), clean=clean_drawn, cells=cells)


def with_empty_cells(score: TaskScore, name: str, manifest: Manifest) -> TaskScore:
    """Return a task's scores with a word on every dimension and setting of which the release has no case."""
    dimensions = {dimension: dict(settings) for dimension, settings in score.dimensions.items()}
    for dimension, setting in manifest.empty_cells(name):
        empty = SettingScore(degrees={}, degrees_used=(), average=None, worst=None, not_scored=NO_CASE)
        dimensions.setdefault(dimension, {})[setting] = empty
    return score.model_copy(update={"dimensions": dimensions})


def _clean_score(
    outcomes: TaskOutcomes, drawn: Numbers, answers: Answers, settings: ScoreSettings
) -> CleanScore:
    rows = outcomes.clean_rows
    n_of_label = np.bincount(answers.labels[rows.start : rows.stop])
    return CleanScore(
        accuracy=fraction(drawn[0]),
        best_constant=fraction(n_of_label.max() / n_of_label.sum()),
        ci=fraction_interval(drawn, settings),
        n_samples=int(outcomes.has_clean.sum()),
        metrics=_row_metrics(outcomes.task, outcomes.clean_rows, answers),
    )


def _with_point(terms: list[Terms], draws: Draws, outcomes: TaskOutcomes) -> list[Numbers]:
    """Return each score as rows: the score itself first, then the score on every draw."""
    points = [np.atleast_1d(term.value())[None, :] for term in terms]
    if not draws.n_draws:
        return points
    drawn = resample(terms, draws.weights(outcomes.task.name, len(outcomes.has_clean)))
    return [np.vstack(pair) for pair in zip(points, drawn, strict=True)]


def _score_degrees(
    outcomes: TaskOutcomes, cell: CellOutcomes, terms: _CellTerms, answers: Answers, settings: ScoreSettings
) -> dict[str, DegreeScore]:
    """Return the scores at each degree, low degrees first."""
    at = worst_at(cell.n_right, cell.n_cases)
    plain = accuracy_cases(cell.n_right, cell.n_cases)
    relative_average = relative(terms.average, outcomes.clean_right, outcomes.has_clean)
    relative_worst = relative(terms.worst, outcomes.clean_right, outcomes.has_clean)
    attack = attack_success_terms(cell.n_right, cell.n_cases, outcomes.clean_right)
    n_attacked = attack.below.sum(axis=0).astype(int)
    n_lost = attack.above.sum(axis=0)
    return {
        _key(cell, column): DegreeScore(
            average=fraction(terms.drawn_average[0, column]),
            average_ci=fraction_interval(terms.drawn_average[:, column], settings),
            worst=fraction(terms.drawn_worst[0, column]),
            worst_ci=fraction_interval(terms.drawn_worst[:, column], settings),
            worst_at=fraction(at[column]),
            accuracy_cases=fraction(plain[column]),
            relative_average=rounded(relative_average[column]),
            relative_worst=rounded(relative_worst[column]),
            attack_success_rate=fraction(n_lost[column] / n_attacked[column]) if n_attacked[column] else None,
            n_attacked=int(n_attacked[column]) if outcomes.has_clean.any() else None,
            mean_realised_degree=split.mean_realised_degree,
            n_samples=int((cell.n_cases[:, column] > 0).sum()),
            n_cases=int(cell.n_cases[:, column].sum()),
            metrics=_row_metrics(outcomes.task, cell.row_ranges[column], answers),
        )
        for column, split in enumerate(cell.splits)
    }


def _key(cell: CellOutcomes, column: int) -> str:
    return key_of(cell.splits[column].degree)


def key_of(degree: float | None) -> str:
    """Return the key under which a result holds a degree."""
    return KEY_WITHOUT_DEGREE if degree is None else degree_key(degree)


def _used(cell: CellOutcomes, settings: ScoreSettings) -> list[int]:
    """Return the columns of the degrees that count; the manifest decides, the same for all models."""
    return [
        column for column, split in enumerate(cell.splits) if split.samples >= max(settings.min_samples, 1)
    ]


def _setting_score(
    cell: CellOutcomes, degrees: dict[str, DegreeScore], scores: CellScores | None, settings: ScoreSettings
) -> SettingScore:
    if scores is None:
        reason = f"no degree has {settings.min_samples} samples"
        return SettingScore(degrees=degrees, degrees_used=(), average=None, worst=None, not_scored=reason)
    used = _used(cell, settings)
    # The cases that `worst` at the highest used degree is about.
    right, cases = cell.n_right[:, : used[-1] + 1], cell.n_cases[:, : used[-1] + 1]
    curve = rarefaction(right, cases, min_samples=settings.min_samples)
    return SettingScore(
        degrees=degrees,
        degrees_used=tuple(_key(cell, column) for column in used),
        average=aggregate(scores.average, settings),
        worst=aggregate(scores.worst, settings),
        worst_at_k={str(k): fraction(value) for k, value in curve.items()},
        worst_at_k_samples={str(k): int((cases.sum(axis=1) >= k).sum()) for k in curve},
    )


def _final_scores(
    name: Cell,
    cell: CellOutcomes,
    terms: _CellTerms,
    settings: ScoreSettings,
    weights: ValidityWeights | None,
) -> CellScores | None:
    """Return one score for all used degrees, for the score itself and for every draw."""
    used = _used(cell, settings)
    if not used:
        return None
    of_dimension = None if weights is None else weights.of(name.dimension)
    degrees = [cell.splits[column].degree for column in used]

    def over_degrees(scores: Numbers) -> Numbers:
        if degrees == [None]:
            # A split without degrees is its own score.
            return np.asarray(scores[:, used[0]])
        return ewma_over(scores[:, used].T[::-1], beta=settings.beta, start=settings.ewma_start)

    def by_validity(scores: Numbers) -> float | None:
        known = [degree for degree in degrees if degree is not None]
        if of_dimension is None or len(known) < len(degrees):
            return None
        try:
            return float(validity_weighted(scores[0, used], known, of_dimension))
        except NothingToScoreError:
            return None

    return CellScores(
        average=over_degrees(terms.drawn_average),
        worst=over_degrees(terms.drawn_worst),
        valid_average=by_validity(terms.drawn_average),
        valid_worst=by_validity(terms.drawn_worst),
    )


def _row_metrics(task: TaskInfo, rows: range, answers: Answers) -> dict[str, float]:
    """Return F1 where the task asks for it and AUROC where there are probabilities, unless undefined."""
    found: dict[str, float] = {}
    labels = answers.labels[rows.start : rows.stop]
    try:
        if "f1" in task.metrics:
            found["f1"] = fraction(f1(labels, answers.predictions[rows.start : rows.stop], len(task.labels)))
    except NothingToScoreError:
        pass
    try:
        if answers.probabilities is not None:
            values = answers.probabilities[rows.start : rows.stop, : len(task.labels)]
            found["auroc"] = fraction(auroc(labels, values))
    except NothingToScoreError:
        pass
    return found
