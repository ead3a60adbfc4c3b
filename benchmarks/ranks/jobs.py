"""The work of a run, one job a model, each part kept in the workspace: a killed run continues."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranks import independent, live
from benchmarks.ranks.models import ENCODER, Model, made, models_of
from benchmarks.ranks.tasks import PANEL, recipe_of, task_of
from benchmarks.ranks.training import Training
from builder.dimensions import CORE_DIMENSIONS
from builder.recipe.recipe import Recipe
from builder.tasks.task import Task
from classifiers.machinery.classifier import EXPENSIVE
from classifiers.machinery.inference import Inference
from contract.machine.hashes import hash_of
from contract.machine.whole_files import whole_file
from contract.release.release import Release
from contract.schema.manifest import SplitInfo

# It picks what expensive models are shown.
SCREENER = "regression"
# Begun first, so that no worker is left alone with them.
SLOW = ("minilm*", "probe", "ensemble", "fasttext+typos")
PREDICTIONS, LIVE, INDEPENDENT = "predictions", "live", "independent"


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """Where the parts of one task lie, and what they are made of."""

    out: Path
    task_name: str
    n_samples: int
    data: Path | None
    panel: tuple[str, ...]
    # The models; none: all.
    names: tuple[str, ...] = ()
    # Whether encoders are left out as sources and models.
    is_quick: bool = False

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe of the release."""
        panel = self.panel or PANEL
        return recipe_of(self.task_name, self.n_samples, self.data, panel, is_quick=self.is_quick)

    @cached_property
    def task(self) -> Task:
        """The task's samples and training rows."""
        return task_of(self.recipe)

    @property
    def models(self) -> list[Model]:
        """The models of the task, or those of them that are asked for."""
        return [
            model
            for model in models_of(self.task.info)
            if not (self.is_quick and model.family == ENCODER)
            and (not self.names or model.name in self.names)
        ]

    @property
    def folder(self) -> Path:
        """Everything about this task; which samples are drawn decides which rows models are trained on."""
        return self.out / f"{self.task_name}-{self.n_samples}"

    @property
    def release_path(self) -> Path:
        """The release; another panel makes another one."""
        return self.folder / f"release-{hash_of([*self.panel, *['quick'] * self.is_quick])[:8]}"

    @cached_property
    def release(self) -> Release:
        """The release, which must be built."""
        return Release.open(self.release_path)

    def splits(self) -> list[SplitInfo]:
        """Return the splits of cases in the order in which predictions are kept."""
        return [split for split in self.release.splits(task=self.task_name) if split.is_adversarial]

    def part_path(self, model: str, *names: str) -> Path:
        """Return the file of one part of a model's job."""
        return self.folder / "parts" / model / f"{'-'.join(names)}.npy"

    def predictions_path(self, model: str) -> Path:
        """Return the file with a model's labels of the release's cases."""
        return self.part_path(model, PREDICTIONS, self.release.manifest_sha256[:12])


def do_jobs(workspaces: Sequence[Workspace], n_workers: int, tell: Callable[[str], None]) -> None:
    """Do what is left of every model's job, models in parallel processes."""
    jobs = [(workspace, model.name) for workspace in workspaces for model in workspace.models]
    left = [job for job in jobs if any(True for _ in _missing(*job))]
    left.sort(key=lambda job: job[1] not in SLOW)
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(do_job, workspace, name): (workspace, name) for workspace, name in left}
        for number, done in enumerate(as_completed(running), start=1):
            workspace, name = running[done]
            tell(f"{number}/{len(left)} {workspace.task_name} {name}: {done.result()}")


def do_job(workspace: Workspace, name: str) -> str:
    """Train a model, predict, attack it; return in words how long each took."""
    start = time.perf_counter()
    inference = _inference(workspace, name)
    seconds = {"train": time.perf_counter() - start}
    is_expensive = inference.cost >= EXPENSIVE
    screener = _inference(workspace, SCREENER) if is_expensive else None
    for path, names in _missing(workspace, name):
        start = time.perf_counter()
        found: NDArray[Any]
        if names[0] == LIVE:
            found = live.attack(name, inference, screener, workspace.task, names[1])
        elif names[0] == INDEPENDENT:
            found = independent.attack(names[1], inference, workspace.task.samples)
        else:
            found = _predictions(workspace, inference)
        with whole_file(path) as unfinished, unfinished.open("wb") as file:
            np.save(file, found)
        seconds[names[0]] = seconds.get(names[0], 0) + time.perf_counter() - start
    return ", ".join(f"{part} {own:.0f} s" for part, own in seconds.items())


def _missing(workspace: Workspace, name: str) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the parts of a job that are not there yet."""
    parts: Iterable[tuple[str, ...]] = (
        (PREDICTIONS,),
        *((LIVE, dimension) for dimension in CORE_DIMENSIONS),
        *((INDEPENDENT, attack) for attack in independent.ATTACKS),
    )
    for names in parts:
        is_of_release = names[0] == PREDICTIONS
        path = workspace.predictions_path(name) if is_of_release else workspace.part_path(name, *names)
        if not path.is_file():
            yield path, names


@cache
def _training(workspace: Workspace) -> Training:
    task = workspace.task
    return Training(
        rows=task.train,
        n_labels=len(task.info.labels),
        folder=workspace.folder / "models",
        info=task.info,
    )


@lru_cache(maxsize=4)
def _inference(workspace: Workspace, name: str) -> Inference:
    known_as = hash_of(["ranks", workspace.task_name, workspace.n_samples, name])
    return Inference(made(name, _training(workspace)), known_as, workspace.folder)


def _predictions(workspace: Workspace, inference: Inference) -> NDArray[np.int8]:
    """Return the label of each clean sample, then of each case of the release."""
    texts: list[str] = [sample.text for sample in workspace.task.samples]
    for split in workspace.splits():
        texts += workspace.release.table(split, ["text"])["text"].to_pylist()
    return np.array(inference.votes([(text, None) for text in texts]), dtype=np.int8)
