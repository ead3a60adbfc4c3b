"""Runs adversarial training: attacks the training rows, trains models and asks them; what is done is kept."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from builder.augmenting.augmenting import keys_of
from builder.dimensions import DIMENSIONS
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of
from contract.machine.json_text import pretty_json
from contract.machine.progress import Progress
from contract.machine.registry import unknown_name
from contract.machine.whole_files import write_text
from contract.release.release import Release
from contract.schema.hardening import HardenedModel, Hardening, Scheme
from contract.schema.manifest import TaskInfo
from contract.schema.names import CLEAN
from contract.task_kinds.refusing import need_one_label
from flows.harden.attacked_rows import Attacking, attacked_path, training_rows, with_attacked, write_attacked
from flows.harden.defences import Defence, defences_of
from flows.harden.training import PYTHON, Questions, Training, split_key

RUN, DOCUMENT, REPORT = "run.json", "hardening.json", "report.html"
RULE = "rule"


@dataclass(frozen=True, kw_only=True)
class HardenRequest:
    """What is trained, on what, and against what."""

    release_path: Path
    folder: Path
    kind: str
    schemes: tuple[Scheme, ...]
    task: str | None = None
    # The dimensions of the release that are attacks; none: all that have random cases.
    attacks: tuple[str, ...] = ()
    # What the scheme mixed trains on: any dimensions.
    train_on: tuple[str, ...] = ()
    # The levels of training; none: those of the release.
    degrees: tuple[float, ...] = ()
    train_rows: int | None = None
    epochs: int | None = None
    seed: int = 0
    python_path: Path | None = None

    @cached_property
    def release(self) -> Release:
        """The benchmark."""
        return Release.open(self.release_path)

    @cached_property
    def task_info(self) -> TaskInfo:
        """The task: the one that is named, or the only one."""
        tasks = {info.name: info for info in self.release.manifest.tasks}
        if self.task is None and len(tasks) > 1:
            raise UserError(
                f"{self.release_path} has several tasks; choose one with --task: {', '.join(tasks)}",
                exit_code=ExitCode.WRONG_USE,
            )
        name = self.task or next(iter(tasks))
        if name not in tasks:
            raise unknown_name("task", name, tasks)
        need_one_label([tasks[name]], "hardening")
        return tasks[name]

    @cached_property
    def attack_names(self) -> tuple[str, ...]:
        """The attacks, in the order of the release."""
        splits = self.release.splits(task=self.task_info.name, setting=RULE)
        known = list(dict.fromkeys(split.dimension for split in splits if split.rows))
        for name in self.attacks:
            if name not in known:
                raise unknown_name("attack", name, known)
        names = tuple(name for name in known if not self.attacks or name in self.attacks)
        if not names:
            raise bad_input(
                f"{self.release_path}: no random cases (setting rule); build them to test against"
            )
        return names

    @cached_property
    def tested_degrees(self) -> tuple[float, ...]:
        """The degrees of the attacks, rising."""
        splits = self.release.splits(task=self.task_info.name, setting=RULE)
        found = {split.degree for split in splits if split.dimension in self.attack_names and split.rows}
        return tuple(sorted(degree for degree in found if degree is not None))

    @cached_property
    def defences(self) -> list[Defence]:
        """The models to train."""
        for name in self.train_on:
            if name not in DIMENSIONS:
                raise unknown_name("dimension", name, DIMENSIONS)
        return defences_of(self.schemes, self.attack_names, self.train_on)

    @cached_property
    def rows(self) -> list[Sample]:
        """The clean rows to train on."""
        own = TRAINABLE_KINDS[self.kind].train_rows if self.kind in TRAINABLE_KINDS else None
        rows = training_rows(self.release, self.task_info.name, self.train_rows or own)
        if not rows:
            raise bad_input(
                f"{self.release_path}: the task {self.task_info.name} offers no rows for training;"
                " build it with train_rows in the recipe"
            )
        return rows

    @cached_property
    def attacking(self) -> Attacking:
        """How training rows are attacked."""
        return Attacking(
            task=self.task_info,
            degrees=self.degrees or self.tested_degrees,
            seed=self.seed,
            taken=frozenset(keys_of(self.release)),
        )

    @cached_property
    def questions(self) -> Questions:
        """What every model is asked."""
        return Questions.of(self.release, self.task_info.name)

    def identity(self) -> dict[str, Any]:
        """Return everything that decides the models but the list of them, which may grow."""
        return {
            "release": self.release.manifest_sha256,
            "task": self.task_info.name,
            "kind": self.kind,
            "degrees": list(self.attacking.degrees),
            "n_rows": len(self.rows),
            "epochs": self.epochs,
            "seed": self.seed,
        }


def run_hardening(request: HardenRequest, n_workers: int, progress: Progress) -> Hardening:
    """Train and test all models; parts that an earlier run finished are used as they are."""
    if not request.kind.startswith(PYTHON) and request.kind not in TRAINABLE_KINDS:
        raise unknown_name("kind", request.kind, [*TRAINABLE_KINDS, "python:FILE.py:TRAIN"])
    _check_folder(request)
    defences = request.defences
    attacks = dict.fromkeys(attack for defence in defences for attack in defence.trained_on)
    left = [attack for attack in attacks if not attacked_path(request.folder, attack).is_file()]
    progress.stage("attacked rows", len(attacks), len(attacks) - len(left))
    _in_workers(n_workers, [(_attack, (request, attack)) for attack in left], progress)
    waiting = [defence for defence in defences if not _scores_path(request, defence).is_file()]
    progress.stage("models", len(defences), len(defences) - len(waiting))
    _in_workers(n_workers, [(_train, (request, defence)) for defence in waiting], progress)
    found = _document(request)
    found.write(request.folder / DOCUMENT)
    return found


def _check_folder(request: HardenRequest) -> None:
    """Refuse a folder in which another run has begun."""
    path, own = request.folder / RUN, pretty_json(request.identity())
    if path.is_file() and path.read_text(encoding="utf-8") != own:
        raise UserError(
            f"{request.folder}: holds a run with other settings (see {RUN}); name another folder with -o",
            exit_code=ExitCode.WRONG_USE,
        )
    request.folder.mkdir(parents=True, exist_ok=True)
    write_text(path, own)


def _in_workers(
    n_workers: int, jobs: Iterable[tuple[Callable[..., None], tuple[Any, ...]]], progress: Progress
) -> None:
    jobs = list(jobs)
    if n_workers == 1 or len(jobs) < 2:
        for job, arguments in jobs:
            job(*arguments)
            progress.step()
        return
    with ProcessPoolExecutor(min(n_workers, len(jobs)), mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(job, *arguments) for job, arguments in jobs]):
            done.result()
            progress.step()


def _attack(request: HardenRequest, attack: str) -> None:
    path = attacked_path(request.folder, attack)
    path.parent.mkdir(exist_ok=True)
    write_attacked(path, request.rows, attack, request.attacking)


def _train(request: HardenRequest, defence: Defence) -> None:
    rows = with_attacked(request.rows, defence, request.folder, request.attacking)
    training = Training(
        kind=request.kind,
        task=request.task_info,
        seed=request.seed,
        epochs=request.epochs,
        python_path=request.python_path,
    )
    questions = request.questions
    answers = training.fit_and_ask(rows, questions.texts, request.folder / "models" / defence.name)
    predictions = request.folder / "predictions" / f"{defence.name}.jsonl"
    predictions.parent.mkdir(exist_ok=True)
    manifest = request.release.manifest
    questions.write(answers, predictions, request.task_info, f"{manifest.name}@{manifest.version}")
    scores = {"n_attacked": len(rows) - len(request.rows), "accuracies": questions.accuracies(answers)}
    path = _scores_path(request, defence)
    path.parent.mkdir(exist_ok=True)
    write_text(path, pretty_json(scores))


def _scores_path(request: HardenRequest, defence: Defence) -> Path:
    # What a model was trained on is part of the name: another choice of attacks is another model.
    return request.folder / "scores" / f"{defence.name}-{hash_of(defence.trained_on)[:8]}.json"


def _document(request: HardenRequest) -> Hardening:
    manifest, task = request.release.manifest, request.task_info
    (clean,) = request.release.splits(task=task.name, dimension=CLEAN)
    labels = request.release.table(clean, ["label"])["label"].to_pylist()
    return Hardening(
        schema_=Hardening.SCHEMA,
        benchmark=manifest.name,
        version=manifest.version,
        manifest_sha256=request.release.manifest_sha256,
        task=task.name,
        kind=request.kind,
        seed=request.seed,
        guessing=max(Counter(labels).values()) / len(labels),
        attacks=request.attack_names,
        degrees=request.tested_degrees,
        models=tuple(_model(request, defence) for defence in request.defences),
    )


def _model(request: HardenRequest, defence: Defence) -> HardenedModel:
    scores = json.loads(_scores_path(request, defence).read_text(encoding="utf-8"))
    accuracies = scores["accuracies"]
    return HardenedModel(
        name=defence.name,
        scheme=defence.scheme,
        trained_on=defence.trained_on,
        n_clean=len(request.rows),
        n_attacked=scores["n_attacked"],
        clean=accuracies[CLEAN],
        accuracies={
            attack: tuple(
                accuracies.get(split_key(attack, RULE, degree)) for degree in request.tested_degrees
            )
            for attack in request.attack_names
        },
    )
