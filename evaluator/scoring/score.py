"""Scores a model: a release and a predictions file in, a result out."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from contract.machine.forked_process import done_in_fork, reading_within
from contract.machine.limited_process import Limits
from contract.predictions.reading import ABSENT, Predictions, read_predictions
from contract.release.release import Release
from contract.schema.audits import AuditedRelease
from contract.schema.manifest import Manifest, Mean, TaskInfo
from contract.schema.results import (
    BenchmarkInfo,
    EwmaStart,
    ModelInfo,
    PredictionsInfo,
    Replicates,
    Result,
    ScoreSettings,
    signature_of,
)
from contract.schema.validity_weights import ValidityWeights
from evaluator.metrics import METRICS
from evaluator.metrics.inputs import Cell, ReleaseOutcomes
from evaluator.metrics.ratio import Numbers, Ratio
from evaluator.scoring.attackers import attackers_of
from evaluator.scoring.draws import N_REPLICATES, Draws, resample
from evaluator.scoring.figures import ESTIMATES
from evaluator.scoring.fold_savings import folds_of
from evaluator.scoring.kin import kin_of
from evaluator.scoring.labelled_rows import LabelledRows, read_labelled_rows
from evaluator.scoring.limited import limited
from evaluator.scoring.outcomes import outcomes_of
from evaluator.scoring.overall_scores import CellScores, CleanFigures, Summary, headline_cells, overall_of
from evaluator.scoring.rounding import fraction, fractions, scored
from evaluator.scoring.task_scores import score_task, with_empty_cells
from evaluator.scoring.transferable import of_tasks
from evaluator.scoring.validity_weights import SHIPPED, read_weights
from evaluator.scoring.without_families import without_families

_FEWEST_BYTES = 3 << 28
_MEMORY_A_BYTE = 64
_BYTES_A_SECOND = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """What a user may choose about a score."""

    beta: float = 0.5
    ewma_start: EwmaStart = "first"
    resamples: int = 1_000
    seed: int = 0
    confidence: float = 0.95
    # In place of the means that the release names.
    mean: Mean | None = None
    # The name of shipped validity weights, or a file; all shipped ones where there is none.
    weights: str | None = None

    @classmethod
    def like(cls, settings: ScoreSettings) -> Self:
        """Return the options that give the settings of another result."""
        return cls(
            beta=settings.beta,
            ewma_start=settings.ewma_start,
            resamples=settings.resamples,
            seed=settings.seed,
            confidence=settings.confidence,
            mean=settings.mean,
            weights=settings.validity_weights if settings.validity_weights in SHIPPED else None,
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

    def score_files() -> _Noted:
        release = Release.open(release_path)
        with reading_within(_limits(release, predictions_path)):
            labelled = read_labelled_rows(release, labels_path)
            predictions = read_predictions(predictions_path, labelled.rows, may_be_limited=True)
        scores = score_predictions(labelled, predictions, model, options or ScoreOptions())
        return _Noted(note=predictions.note, result=scores.result)

    # Only a good result comes from a fork; what is wrong with files is found by those who guard each.
    done = done_in_fork(lambda: score_files().to_bytes())
    noted = score_files() if done is None else _Noted.of_bytes(done)
    if say is not None and noted.note:
        say(noted.note)
    return noted.result


class _Noted(NamedTuple):
    """A result, and a remark on its predictions or nothing."""

    note: str
    result: Result

    def to_bytes(self) -> bytes:
        return json.dumps({"note": self.note, "result": self.result.to_json()}).encode()

    @classmethod
    def of_bytes(cls, data: bytes) -> Self:
        raw = json.loads(data)
        return cls(note=raw["note"], result=Result.model_validate(raw["result"]))


def _limits(release: Release, predictions_path: Path) -> Limits:
    """Return what reading may take: many times of what honest files take."""
    paths = [predictions_path, *(release.path / split.path for split in release.manifest.splits)]
    n_bytes = sum(path.stat().st_size for path in paths if path.is_file())
    return Limits(n_bytes=_FEWEST_BYTES + _MEMORY_A_BYTE * n_bytes, n_seconds=1 + n_bytes // _BYTES_A_SECOND)


def score_predictions(
    labelled: LabelledRows, predictions: Predictions, model: ModelInfo, options: ScoreOptions
) -> Scores:
    """Return the scores of answers that have been read, on the rows that they are about."""
    labelled, predictions = limited(labelled, predictions)
    release = labelled.rows.release
    manifest = release.manifest
    weights = read_weights(options.weights)
    settings = _settings(options, manifest, weights)
    n_draws = max(options.resamples, N_REPLICATES) if options.resamples else 0
    draws = Draws(manifest_sha256=release.manifest_sha256, seed=options.seed, n_draws=n_draws)
    outcomes = outcomes_of(labelled, predictions, options.mean)
    # Of a task that was left out whole nothing can be said.
    answered = [of_task for of_task in outcomes if of_task.cells or of_task.clean.has_clean.any()]
    by_task = {
        (name := of_task.task.name): score_task(of_task, settings, _weights(draws, labelled, name), weights)
        for of_task in answered
    }
    cells = {name: scores for of_task in by_task.values() for name, scores in of_task.cells.items()}
    clean = CleanFigures(
        scores={name: of_task.clean for name, of_task in by_task.items() if of_task.clean is not None},
        accuracies={
            name: of_task.task.clean.accuracy
            for name, of_task in by_task.items()
            if of_task.task.clean is not None
        },
    )
    # What is left out can never help: there is no overall score without all of it.
    is_whole = not predictions.absent
    summary = overall_of(cells, clean, manifest, settings, of_tasks(outcomes)) if is_whole else None
    scored_release = _scored_release(release)
    result = Result(
        benchmark=scored_release if isinstance(scored_release, BenchmarkInfo) else None,
        audit=scored_release if isinstance(scored_release, AuditedRelease) else None,
        model=model,
        evaluator_version=version("hardfrost"),
        predictions=PredictionsInfo(sha256=predictions.sha256, rows=predictions.n_rows),
        settings=settings,
        signature=signature_of(scored_release, settings, version("hardfrost")),
        tasks={
            (name := of_task.task.name): with_empty_cells(by_task[name].task, name, manifest).model_copy(
                update={
                    "attackers": attackers_of(
                        of_task, labelled.rows, partial(_drawn_ratios, labelled, draws), settings
                    ),
                    "folds": folds_of(of_task, labelled, predictions),
                }
            )
            for of_task in answered
        },
        absent=predictions.absent,
        overall=None if summary is None else summary.overall,
        replicates=None if summary is None or not n_draws else _replicates(summary),
        without_families={}
        if summary is None
        else without_families(labelled, predictions, outcomes, cells, settings),
        kin=kin_of(labelled, predictions),
        measurements=_measurements(
            ReleaseOutcomes(
                manifest=manifest,
                tasks=outcomes,
                has_all_cases=_has_all_cases(labelled, predictions),
                clean={name: fraction(drawn[0]) for name, drawn in clean.scores.items()},
                estimates=_estimates(headline_cells(cells, manifest)) if is_whole else {},
                drawn=partial(_drawn_ratios, labelled, draws),
            ),
            settings,
        ),
        metrics=tuple(metric.info for metric in METRICS.values() if metric.is_about(manifest.tasks)),
    )
    return Scores(result=result, clean=clean.scores, cells=cells, summary=summary)


def _scored_release(release: Release) -> BenchmarkInfo | AuditedRelease:
    """Return what a result says of its release: an audit is no benchmark."""
    manifest = release.manifest
    if manifest.audit is not None:
        return AuditedRelease(**manifest.audit.model_dump(), manifest_sha256=release.manifest_sha256)
    return BenchmarkInfo(
        name=manifest.name, version=manifest.version, manifest_sha256=release.manifest_sha256
    )


def _weights(draws: Draws, labelled: LabelledRows, task: str) -> Iterator[Numbers]:
    """Return how often each sample of a task is drawn."""
    return draws.weights(task, [stratum.stop - stratum.start for stratum in labelled.strata[task]])


def _settings(options: ScoreOptions, manifest: Manifest, weights: Sequence[ValidityWeights]) -> ScoreSettings:
    return ScoreSettings(
        beta=options.beta,
        ewma_start=options.ewma_start,
        mean=options.mean,
        min_samples=manifest.min_samples,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
        validity_weights=None if options.weights is None else weights[0].name,
    )


def _replicates(summary: Summary) -> Replicates:
    rows = slice(1, N_REPLICATES + 1)
    return Replicates(average=fractions(summary.average[rows]), worst=fractions(summary.worst[rows]))


def _has_all_cases(labelled: LabelledRows, predictions: Predictions) -> bool:
    """Tell whether every case of the release was answered, whatever of its clean rows."""
    return labelled.whole is None and not any(
        (predictions.labels[group.start : group.stop] == ABSENT).any()
        for group in labelled.rows.groups
        if not group.is_clean
    )


def _estimates(cells: Mapping[Cell, CellScores]) -> dict[str, dict[Cell, Numbers]]:
    return {
        estimate: {cell: getattr(scores, estimate) for cell, scores in cells.items()}
        for estimate in ESTIMATES
    }


def _drawn_ratios(
    labelled: LabelledRows, draws: Draws, task: TaskInfo, ratios: Sequence[Ratio]
) -> list[Numbers]:
    """Return scores of a task: the score itself first, then the score on every draw."""
    points = [np.atleast_1d(ratio.value()) for ratio in ratios]
    drawn = resample(ratios, _weights(draws, labelled, task.name))
    return [np.concatenate([point, scores[:, 0]]) for point, scores in zip(points, drawn, strict=True)]


def _measurements(outcomes: ReleaseOutcomes, settings: ScoreSettings) -> dict[str, float | str | None]:
    """Return the figures of the whole release by name, with bounds where they have draws."""
    figures: dict[str, float | str | None] = {}
    for metric in METRICS.values():
        if metric.release is None:
            continue
        for name, drawn in metric.release(outcomes).items():
            figure = scored(drawn, settings, is_fraction=metric.is_fraction)
            figures[name] = figure.value
            if figure.interval is not None:
                figures[f"{name}/low"], figures[f"{name}/high"] = figure.interval
    return figures
