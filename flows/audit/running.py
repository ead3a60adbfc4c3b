"""Runs an audit: the builder makes cases, the evaluator predicts and scores them, the leaderboard reports."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifiers.machinery.classifier import ModelOptions
from contract.machine.progress import Progress
from contract.schema.manifest import Setting
from contract.schema.results import Result

if TYPE_CHECKING:
    from builder.tasks.columns import FoundColumns

RELEASE, PREDICTIONS, RESULT, REPORT = "release", "predictions.jsonl", "result.json", "report.html"


@dataclass(frozen=True, kw_only=True)
class AuditRequest:
    """What is audited and how; what is left out is found or has a default."""

    model: str
    data: Path
    text: str | None = None
    text_pair: str | None = None
    label: str | None = None
    labels: tuple[str, ...] = ()
    train: Path | None = None
    limit: int = 200
    dimensions: tuple[str, ...] = ("quick",)
    degrees: tuple[float, ...] = ()
    settings: tuple[Setting, ...] = ("rule", "live")
    max_queries: int | None = None
    budget_seconds: float | None = None
    seed: int = 0
    is_trusted: bool = False
    positive: str | None = None
    name: str | None = None
    # How the model is run.
    options: ModelOptions = field(default_factory=ModelOptions)
    # When the time began to run.
    started: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, kw_only=True)
class Audit:
    """A finished audit: its result and the folder with all its files."""

    result: Result
    folder: Path

    @property
    def report_path(self) -> Path:
        """The report."""
        return self.folder / REPORT

    @property
    def result_path(self) -> Path:
        """The result."""
        return self.folder / RESULT


def run_audit(
    request: AuditRequest, folder: Path, *, progress: Progress, say: Callable[[str], None]
) -> Audit:
    """Audit a model and write cases, predictions, result and report into a folder."""
    from builder.live.audit import AttackChoice, make_audit_cases
    from builder.live.clock import Clock
    from builder.live.model import ModelChoice
    from builder.live.samples import DataChoice
    from builder.tasks.columns import Wish, find_columns
    from contract.schema.results import ModelInfo
    from evaluator.detecting.detector import score_detector
    from evaluator.scoring.score import ScoreOptions, score
    from leaderboard.pages.reports import write_report

    wish = Wish(text=request.text, text_pair=request.text_pair, label=request.label)
    found = find_columns(request.data, wish)
    say(found.said)
    options = model_options(request, found)
    model = ModelChoice(spec=request.model, is_trusted=request.is_trusted, options=options, say=say)
    manifest = make_audit_cases(
        DataChoice(
            path=request.data,
            options=found.options,
            train_path=request.train,
            labels=request.labels,
            n_samples=request.limit,
            seed=request.seed,
        ),
        model,
        AttackChoice(
            dimensions=request.dimensions,
            degrees=request.degrees,
            settings=request.settings,
            max_queries=request.max_queries,
            seed=request.seed,
        ),
        folder / RELEASE,
        clock=Clock(budget_seconds=request.budget_seconds, started=request.started),
        progress=progress,
        say=say,
    )
    release, predictions = folder / RELEASE, folder / PREDICTIONS
    _predict(request, options, release, predictions, progress)
    progress.stage("score and report", 2)
    info = ModelInfo(name=request.name or model.public_name)
    result = score(release, predictions, info, options=ScoreOptions(seed=request.seed))
    if request.positive is not None:
        detector = score_detector(release, predictions, request.positive)
        result = result.model_copy(update={"detector": detector})
    result.write(folder / RESULT)
    progress.step()
    write_report([folder / RESULT], folder / REPORT, release_dir=release, predictions_paths=[predictions])
    progress.step()
    if manifest.audit is not None and manifest.audit.is_partial:
        say(
            f"the time budget ended the audit after {manifest.audit.n_samples} of"
            f" {manifest.audit.n_planned} samples; the same command with more time goes on from there"
        )
        if manifest.audit.not_reached:
            say(f"not reached: {', '.join(manifest.audit.not_reached)}")
    return Audit(result=result, folder=folder)


def model_options(request: AuditRequest, found: "FoundColumns") -> ModelOptions:
    """Return how the model is run; labels by which the data calls its rows also tell the model's order.

    Where the data has numbers, labels are their names, and a model's own names say what it means.
    """
    from builder.tasks.file import FILE
    from classifiers import parse_spec

    kind = parse_spec(request.model).kind
    kind.check_options(request.options)
    if not request.labels or "--labels" not in kind.takes:
        return request.options
    in_data = {row.label for row in FILE.read(str(request.data), found.options).rows if row.label}
    return (
        replace(request.options, labels={"": request.labels})
        if in_data <= set(request.labels)
        else (request.options)
    )


def _predict(
    request: AuditRequest, options: ModelOptions, release: Path, predictions: Path, progress: Progress
) -> None:
    """Let the evaluator ask the model about every row, through the same door as `predict`."""
    from evaluator.predicting.predicting import predict

    predict(
        release,
        request.model,
        predictions,
        is_trusted=request.is_trusted,
        progress=progress,
        options=options,
        # What there is to say was said when the model was loaded to be attacked.
        say=lambda _line: None,
    )
