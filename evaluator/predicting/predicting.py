"""Runs a classifier over every row of a release, or over some samples, and writes its predictions file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from classifiers import KINDS, ClassifierKind, LoadRequest, parse_spec
from classifiers.machinery.chat.replies import Usage
from classifiers.machinery.classifier import EndpointOptions, ModelOptions
from classifiers.machinery.label_names import WrongLabelsError
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of
from contract.machine.progress import Progress, Silence
from contract.machine.registry import unknown_name
from contract.predictions.limits import limited_benchmark, limited_rows
from contract.predictions.opening import format_of
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.manifest import TaskInfo
from contract.task_kinds import TASK_KINDS
from contract.task_kinds.tagging import TAGGING
from evaluator.predicting.asking import Answers, Asking, Unlabelled, stage_name
from evaluator.predicting.forms import FORMS, asked_for
from evaluator.predicting.questions import COLUMNS, Question, questions_of
from evaluator.predicting.resuming import AnswerLog
from evaluator.predicting.tagging import ask_tagger
from evaluator.predicting.writing import PREDICTION_COLUMNS, write_rows

_ROWS_AT_A_TIME = 1_024


@dataclass(frozen=True, kw_only=True)
class PredictRequest:
    """What to predict, by which classifier, and how."""

    release_path: Path
    spec: str
    is_trusted: bool = False
    # None: no option of an endpoint was given.
    endpoint: EndpointOptions | None = None
    options: ModelOptions = field(default_factory=ModelOptions)
    # So many samples of each task; None: all.
    limit: int | None = None
    say: Callable[[str], None] | None = None


@dataclass(frozen=True, kw_only=True)
class Predicted:
    """What a prediction wrote; rows without a label count as guesses by chance."""

    n_rows: int
    unlabelled: tuple[Unlabelled, ...]
    # What this run paid for; None where nothing was asked that costs.
    usage: Usage | None = None
    # What `--limit` left out, as results write it.
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """The rows to be predicted, and what is asked of which kind of classifier."""

    kind: ClassifierKind
    rows: ReleaseRows
    # As every row of the predictions file names it.
    benchmark: str
    left_out: tuple[str, ...]
    questions: Sequence[Question]
    requests: Sequence[LoadRequest]
    # What a log of answers must have been made for.
    key: dict[str, str]


def predict(
    release_path: Path,
    spec: str,
    predictions_path: Path,
    *,
    is_trusted: bool = False,
    is_resumed: bool = False,
    endpoint: EndpointOptions | None = None,
    options: ModelOptions | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> Predicted:
    """Write the predictions of the classifier that the spec names; return how many rows got a label."""
    format_of(predictions_path)
    prepared = prepare(
        PredictRequest(
            release_path=release_path,
            spec=spec,
            is_trusted=is_trusted,
            endpoint=endpoint,
            options=options or ModelOptions(),
            limit=limit,
            say=say or (progress or Silence()).say,
        )
    )
    log = opened_log(prepared, predictions_path, is_resumed=is_resumed)
    try:
        with log:
            answers = _ask_all(prepared, log, progress or Silence())
            write_rows(predictions_path, PREDICTION_COLUMNS, _predictions(prepared, answers))
    except WrongLabelsError:
        # With other labels, these answers mean something else.
        log.path.unlink(missing_ok=True)
        raise
    used = [answer.usage for answer in answers if answer.usage is not None]
    return Predicted(
        n_rows=len(prepared.rows),
        unlabelled=tuple(answer.unlabelled for answer in answers if answer.unlabelled.n_texts),
        usage=reduce(Usage.plus, used, Usage()) if used else None,
        left_out=prepared.left_out,
    )


def prepare(request: PredictRequest) -> Prepared:
    """Return what is to be asked; refuse options that the classifier does not take."""
    kind, argument = parse_spec(request.spec)
    _check_options(kind, request)
    release = Release.open(request.release_path)
    rows = ReleaseRows.read(release, COLUMNS)
    for name in request.options.labels:
        if name and name not in [task.name for task in rows.tasks]:
            raise unknown_name("task", name, [task.name for task in rows.tasks])
    benchmark = rows.benchmark
    left_out: tuple[str, ...] = ()
    if request.limit is not None:
        limited = limited_rows(rows, request.limit)
        if not limited.is_whole:
            benchmark, left_out = limited_benchmark(benchmark, request.limit), limited.left_out
            rows = rows.only(limited.is_in)
    questions = questions_of(rows)
    for question in questions:
        kind.check_task(question.task, KINDS.values())
    base = LoadRequest(
        argument=argument,
        task=rows.tasks[0],
        release=release,
        cache_path=cache_path(),
        is_trusted=request.is_trusted,
        endpoint=request.endpoint or EndpointOptions(),
        options=request.options,
    )
    if request.say is not None:
        base = replace(base, say=request.say)
    requests = [replace(base, task=question.task) for question in questions]
    key = {
        "manifest": release.manifest_sha256,
        "model": request.spec,
        "identity": hash_of([kind.identity(one) for one in requests]),
    }
    labels = {task: list(names) for task, names in request.options.labels.items()}
    if left_out or labels:
        key["part"] = hash_of([benchmark, labels])
    return Prepared(
        kind=kind,
        rows=rows,
        benchmark=benchmark,
        left_out=left_out,
        questions=questions,
        requests=requests,
        key=key,
    )


def resume_path(predictions_path: Path) -> Path:
    """Return where the answers are kept until all are given."""
    return predictions_path.with_name(f"{predictions_path.name}.resume")


def opened_log(prepared: Prepared, predictions_path: Path, *, is_resumed: bool) -> AnswerLog:
    """Return the log, with the answers of an earlier run if it is resumed or they cost money."""
    n_labels = {question.task.name: len(question.task.labels) for question in prepared.questions}
    is_paid = prepared.kind.is_remote
    log = AnswerLog(resume_path(predictions_path), prepared.key, n_labels, is_paid=is_paid)
    if is_resumed or is_paid:
        log.resume({question.task.name: len(question.texts) for question in prepared.questions})
    else:
        log.restart()
    return log


def _check_options(kind: ClassifierKind, request: PredictRequest) -> None:
    """Refuse options that the kind does not take."""
    if request.endpoint is not None and not kind.is_remote:
        raise UserError(
            f"{kind.name} runs here; --base-url, --prompt, --request, --concurrency, --timeout are for api",
            exit_code=ExitCode.WRONG_USE,
        )
    kind.check_options(request.options)


def _ask_all(prepared: Prepared, log: AnswerLog, progress: Progress) -> list[Answers]:
    """Return the answers task by task; progress knows from the start how much there is."""
    progress.expect(
        {
            stage_name(question): sum(map(question.effort, range(len(question.texts))))
            for question in prepared.questions
        }
    )
    return [
        ask_tagger(prepared.kind, question, request, progress)
        if question.task.kind == TAGGING.name
        else Asking(prepared.kind, question, log, progress).ask(request)
        for request, question in zip(prepared.requests, prepared.questions, strict=True)
    ]


def _predictions(prepared: Prepared, answers: Sequence[Answers]) -> Iterator[dict[str, Any]]:
    ids = iter(prepared.rows.table["id"].to_pylist())
    for task, answer in zip(prepared.rows.tasks, answers, strict=True):
        for prediction, probabilities in FORMS[task.kind].written(answer, task):
            yield {
                "id": next(ids),
                "prediction": prediction,
                "probabilities": probabilities,
                "benchmark": prepared.benchmark,
            }


def _needs_probabilities(task: TaskInfo) -> bool:
    lists = TASK_KINDS[task.kind].lists
    return lists is not None and lists.is_answered_by_probabilities


class WrittenTemplate(NamedTuple):
    """How many rows a template has, and what is to be filled in."""

    n_rows: int
    asked: str


def write_template(release_path: Path, template_path: Path, *, has_texts: bool = True) -> WrittenTemplate:
    """Write a predictions file without predictions."""
    rows = ReleaseRows.read(Release.open(release_path), ("id", "task", "text", "text_pair"))
    needed = ("probabilities",) if any(map(_needs_probabilities, rows.tasks)) else ()
    texts = ("task", "text", "text_pair") if has_texts else ()
    columns = ("id", "prediction", *needed, "benchmark", *texts)
    empty = {"prediction": None, "benchmark": rows.benchmark, **dict.fromkeys(needed)}
    filled = (
        row | empty
        for batch in rows.table.to_batches(max_chunksize=_ROWS_AT_A_TIME)
        for row in batch.to_pylist()
    )
    write_rows(template_path, columns, filled)
    return WrittenTemplate(len(rows), asked_for(rows.tasks))
