"""Scores a model: a release and a predictions file in, a result out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Self

from contract.predictions.reading import Predictions, read_predictions
from contract.release.release import Release
from contract.schema.manifest import Manifest
from contract.schema.results import (
    BenchmarkInfo,
    EwmaStart,
    ModelInfo,
    PredictionsInfo,
    Replicates,
    Result,
    ScoreSettings,
    TaskScore,
    signature_of,
)
from evaluator.metrics.group_mean import group_means
from evaluator.metrics.metric import Numbers
from evaluator.metrics.overall import Cell, overall_where
from evaluator.scoring.advglue import advglue_figures
from evaluator.scoring.bootstrap import N_REPLICATES, Draws
from evaluator.scoring.cell_terms import Answers
from evaluator.scoring.headline import CellScores, Summary, overall_of
from evaluator.scoring.outcomes import LabelledRows, outcomes_of, read_labelled_rows
from evaluator.scoring.own_family import without_own_family
from evaluator.scoring.rounding import fraction, fractions
from evaluator.scoring.task_scoring import score_task, with_empty_cells
from evaluator.scoring.validity import read_weights


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """What a user may choose about a score."""

    beta: float = 0.5
    ewma_start: EwmaStart = "first"
    resamples: int = 1_000
    seed: int = 0
    confidence: float = 0.95
    weights_path: Path | None = None

    @classmethod
    def like(cls, settings: ScoreSettings, weights_path: Path | None = None) -> Self:
        """Return the options that give the settings of another result."""
        return cls(
            beta=settings.beta,
            ewma_start=settings.ewma_start,
            resamples=settings.resamples,
            seed=settings.seed,
            confidence=settings.confidence,
            weights_path=weights_path,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """A result, with clean and final scores on every draw: what comparisons are made from."""

    result: Result
    clean: Mapping[str, Numbers]
    cells: Mapping[Cell, CellScores]
    summary: Summary | None


def score(
    release_path: Path,
    predictions_path: Path,
    model: ModelInfo,
    *,
    options: ScoreOptions | None = None,
    labels_path: Path | None = None,
    say: Callable[[str], None] | None = None,
) -> Result:
    """Return the result of a predictions file on a release, or say everything that is wrong with the file."""
    labelled = read_labelled_rows(Release.open(release_path), labels_path)
    predictions = read_predictions(predictions_path, labelled.rows)
    if say is not None and predictions.note:
        say(predictions.note)
    return score_predictions(labelled, predictions, model, options or ScoreOptions()).result


def score_predictions(
    labelled: LabelledRows, predictions: Predictions, model: ModelInfo, options: ScoreOptions
) -> Scores:
    """Return the scores of answers that have been read."""
    release = labelled.rows.release
    weights = read_weights(options.weights_path)
    settings = ScoreSettings(
        beta=options.beta,
        ewma_start=options.ewma_start,
        min_samples=release.manifest.min_samples,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
        validity_weights=None if weights is None else weights.name,
    )
    n_draws = max(options.resamples, N_REPLICATES) if options.resamples else 0
    draws = Draws(manifest_sha256=release.manifest_sha256, seed=options.seed, n_draws=n_draws)
    answers = Answers(
        samples=labelled.samples,
        labels=labelled.labels,
        predictions=predictions.labels,
        probabilities=predictions.probabilities,
    )
    tasks: dict[str, TaskScore] = {}
    cells: dict[Cell, CellScores] = {}
    clean_drawn: dict[str, Numbers] = {}
    for outcomes in outcomes_of(labelled, predictions):
        if not outcomes.cells and not outcomes.has_clean.any():
            # Left out whole; nothing of it can be said.
            continue
        scored = score_task(outcomes, answers, settings, draws, weights)
        tasks[outcomes.task.name] = with_empty_cells(scored.task, outcomes.task.name, release.manifest)
        cells |= scored.cells
        if scored.clean is not None:
            clean_drawn[outcomes.task.name] = scored.clean
    clean = {name: task.clean.accuracy for name, task in tasks.items() if task.clean is not None}
    # What is left out can never help: there is no overall score without all of it.
    is_whole = not predictions.absent
    summary = overall_of(cells, clean_drawn, release.manifest, settings, weights) if is_whole else None
    benchmark = BenchmarkInfo(
        name=release.manifest.name, version=release.manifest.version, manifest_sha256=release.manifest_sha256
    )
    measurements: dict[str, float | str | None] = {
        **_group_figures(release.manifest, clean, cells if is_whole else {})
    }
    if release.manifest.imported_from == "advglue":
        measurements |= advglue_figures(labelled, predictions, settings, draws)
    result = Result(
        benchmark=benchmark,
        model=model,
        evaluator_version=version("hardfrost"),
        predictions=PredictionsInfo(sha256=predictions.sha256, rows=predictions.n_rows),
        settings=settings,
        signature=signature_of(benchmark, settings, version("hardfrost")),
        tasks=tasks,
        absent=predictions.absent,
        overall=None if summary is None else summary.overall,
        replicates=None if summary is None or not n_draws else _replicates(summary),
        without_own_family=without_own_family(labelled, predictions, model, settings),
        measurements=measurements,
    )
    return Scores(result=result, clean=clean_drawn, cells=cells, summary=summary)


def _replicates(summary: Summary) -> Replicates:
    rows = slice(1, N_REPLICATES + 1)
    return Replicates(average=fractions(summary.average[rows]), worst=fractions(summary.worst[rows]))


def _group_figures(
    manifest: Manifest, clean: Mapping[str, float], cells: Mapping[Cell, CellScores]
) -> dict[str, float]:
    """Return clean, average and worst of every group of tasks, such as MNLI matched and mismatched."""
    groups = {task.name: task.group for task in manifest.tasks}
    figures: dict[str, float] = {}
    if clean:
        figures |= {f"{group}/clean": value for group, value in group_means(clean, groups).items()}
    for name in ("average", "worst"):
        scores = {cell: getattr(found, name)[:1] for cell, found in cells.items()}
        of_tasks = {
            task: float(found[0])
            for task in groups
            if (found := overall_where(scores, lambda cell: cell.task == task)) is not None  # noqa: B023
        }
        if of_tasks:
            figures |= {f"{group}/{name}": value for group, value in group_means(of_tasks, groups).items()}
    return {name: fraction(value) for name, value in figures.items()}
