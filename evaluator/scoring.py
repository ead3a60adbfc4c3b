"""Scores a model: a release and a predictions file in, a result out."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from contract.names import degree_key
from contract.predictions import Predictions, read_predictions
from contract.release import Release
from contract.results import (
    BenchmarkInfo,
    CleanScore,
    DegreeScore,
    EwmaStart,
    ModelInfo,
    PredictionsInfo,
    Replicates,
    Result,
    ScoreSettings,
    SettingScore,
    TaskScore,
)
from evaluator.bootstrap import N_REPLICATES, Draws, resample
from evaluator.figures import aggregate, fraction, fraction_interval, fractions
from evaluator.metrics.accuracy_cases import accuracy_cases
from evaluator.metrics.average import average_terms
from evaluator.metrics.clean_accuracy import clean_accuracy_terms
from evaluator.metrics.ewma import ewma_over
from evaluator.metrics.metric import Numbers, Terms
from evaluator.metrics.overall import Cell
from evaluator.metrics.worst import worst_terms
from evaluator.metrics.worst_at import worst_at
from evaluator.outcomes import CellOutcomes, LabelledRows, TaskOutcomes, outcomes_of, read_labelled_rows
from evaluator.summary import CellScores, overall_of

DEGREE_OF_NONE = "any"


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """What a user may choose about a score."""

    beta: float = 0.5
    ewma_start: EwmaStart = "first"
    resamples: int = 1_000
    seed: int = 0
    confidence: float = 0.95


def score(
    release_path: Path,
    predictions_path: Path,
    model: ModelInfo,
    *,
    options: ScoreOptions | None = None,
    labels_path: Path | None = None,
) -> Result:
    """Return the result of a predictions file on a release, or say everything that is wrong with the file."""
    labelled = read_labelled_rows(Release.open(release_path), labels_path)
    predictions = read_predictions(predictions_path, labelled.rows)
    return score_predictions(labelled, predictions, model, options or ScoreOptions())


def score_predictions(
    labelled: LabelledRows, predictions: Predictions, model: ModelInfo, options: ScoreOptions
) -> Result:
    """Return the result of answers that have been read."""
    release = labelled.rows.release
    settings = ScoreSettings(
        beta=options.beta,
        ewma_start=options.ewma_start,
        min_samples=release.manifest.min_samples,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )
    n_draws = max(options.resamples, N_REPLICATES) if options.resamples else 0
    draws = Draws(manifest_sha256=release.manifest_sha256, seed=options.seed, n_draws=n_draws)
    tasks: dict[str, TaskScore] = {}
    clean: list[float] = []
    cells: dict[Cell, CellScores] = {}
    for outcomes in outcomes_of(labelled, predictions):
        scored = _score_task(outcomes, settings, draws)
        tasks[outcomes.task.name] = scored.task
        clean.append(scored.task.clean.accuracy)
        cells |= scored.cells
    overall = None if predictions.absent else overall_of(cells, clean, release.manifest, settings)
    benchmark = BenchmarkInfo(
        name=release.manifest.name, version=release.manifest.version, manifest_sha256=release.manifest_sha256
    )
    return Result(
        benchmark=benchmark,
        model=model,
        evaluator_version=version("hardfrost"),
        predictions=PredictionsInfo(sha256=predictions.sha256, rows=predictions.n_rows),
        settings=settings,
        signature=signature_of(benchmark, settings),
        tasks=tasks,
        absent=predictions.absent,
        overall=None if overall is None else overall.overall,
        replicates=None if overall is None or not n_draws else _replicates(overall.average, overall.worst),
    )


def signature_of(benchmark: BenchmarkInfo, settings: ScoreSettings) -> str:
    """Return everything that can move a score, in one line to cite."""
    parts = {
        "benchmark": f"{benchmark.name}@{benchmark.version}",
        "manifest": benchmark.manifest_sha256[:12],
        "beta": degree_key(settings.beta),
        "start": settings.ewma_start,
        "min-samples": settings.min_samples,
        "confidence": degree_key(settings.confidence),
        "resamples": settings.resamples,
        "seed": settings.seed,
        "version": version("hardfrost"),
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _replicates(average: Numbers, worst: Numbers) -> Replicates:
    return Replicates(
        average=fractions(average[1 : N_REPLICATES + 1]), worst=fractions(worst[1 : N_REPLICATES + 1])
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _ScoredTask:
    task: TaskScore
    cells: dict[Cell, CellScores]


def _score_task(outcomes: TaskOutcomes, settings: ScoreSettings, draws: Draws) -> _ScoredTask:
    """Return a task's scores, with the EWMA scores of its cells on every draw."""
    terms = [clean_accuracy_terms(outcomes.clean_right)]
    for cell in outcomes.cells.values():
        terms += [average_terms(cell.n_right, cell.n_cases), worst_terms(cell.n_right, cell.n_cases)]
    drawn = _with_point(terms, draws, outcomes)
    dimensions: dict[str, dict[str, SettingScore]] = {}
    cells: dict[Cell, CellScores] = {}
    for place, (name, cell) in enumerate(outcomes.cells.items()):
        average, worst = drawn[1 + 2 * place], drawn[2 + 2 * place]
        scored, scores = _score_cell(cell, average, worst, settings)
        dimensions.setdefault(name.dimension, {})[name.setting] = scored
        if scores is not None:
            cells[name] = scores
    clean = CleanScore(
        accuracy=fraction(drawn[0][0, 0]),
        ci=fraction_interval(drawn[0][:, 0], settings),
        n_samples=len(outcomes.clean_right),
    )
    return _ScoredTask(task=TaskScore(clean=clean, dimensions=dimensions), cells=cells)


def _with_point(terms: list[Terms], draws: Draws, outcomes: TaskOutcomes) -> list[Numbers]:
    """Return each score as rows: the score itself first, then the score on every draw."""
    points = [np.atleast_1d(term.value())[None, :] for term in terms]
    if not draws.n_draws:
        return points
    drawn = resample(terms, draws.weights(outcomes.task.name, len(outcomes.clean_right)))
    return [np.vstack(pair) for pair in zip(points, drawn, strict=True)]


def _score_cell(
    cell: CellOutcomes, average: Numbers, worst: Numbers, settings: ScoreSettings
) -> tuple[SettingScore, CellScores | None]:
    """Return the scores of one dimension and setting, and its EWMA scores unless no degree can be used."""
    keys = [DEGREE_OF_NONE if split.degree is None else degree_key(split.degree) for split in cell.splits]
    at = worst_at(cell.n_right, cell.n_cases)
    plain = accuracy_cases(cell.n_right, cell.n_cases)
    degrees = {
        key: DegreeScore(
            average=fraction(average[0, column]),
            average_ci=fraction_interval(average[:, column], settings),
            worst=fraction(worst[0, column]),
            worst_ci=fraction_interval(worst[:, column], settings),
            worst_at=fraction(at[column]),
            accuracy_cases=fraction(plain[column]),
            mean_realised_degree=cell.splits[column].mean_realised_degree,
            n_samples=int((cell.n_cases[:, column] > 0).sum()),
            n_cases=int(cell.n_cases[:, column].sum()),
        )
        for column, key in enumerate(keys)
    }
    used = [column for column, split in enumerate(cell.splits) if split.samples >= settings.min_samples]
    if not used:
        reason = f"no degree has {settings.min_samples} samples"
        scored = SettingScore(degrees=degrees, degrees_used=(), average=None, worst=None, not_scored=reason)
        return scored, None
    scores = CellScores(
        average=_over_degrees(average[:, used], cell, settings),
        worst=_over_degrees(worst[:, used], cell, settings),
    )
    scored = SettingScore(
        degrees=degrees,
        degrees_used=tuple(keys[column] for column in used),
        average=aggregate(scores.average, settings),
        worst=aggregate(scores.worst, settings),
    )
    return scored, scores


def _over_degrees(scores: Numbers, cell: CellOutcomes, settings: ScoreSettings) -> Numbers:
    """Return the EWMA over the degrees (columns, low first); a split without degrees is its own score."""
    if cell.splits[0].degree is None:
        return np.asarray(scores[:, 0])
    return ewma_over(scores.T[::-1], beta=settings.beta, start=settings.ewma_start)
