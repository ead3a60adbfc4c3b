"""Surrogates: trained once for each task, kept by the hash of what they were trained on."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from builder.recipe import Recipe, SurrogateRecipe
from builder.tasks import Task
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.classifier import TextPair
from classifiers.inference import Inference
from classifiers.trained import DESCRIPTION, folder_of, hash_of_weights, load_trained
from contract.errors import UserError
from contract.files import hash_of, pretty_json, write_text
from contract.manifest import SurrogateInfo


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """A surrogate to train for a task, unless the cache already has it."""

    recipe: SurrogateRecipe
    task: Task
    seed: int

    @property
    def key(self) -> str:
        """The hash of everything that can change the weights."""
        kind = TRAINABLE_KINDS[self.recipe.kind]
        rows = [[sample.text, sample.text_pair, sample.label] for sample in self.task.train]
        return hash_of(
            {
                "kind": kind.name,
                "version": kind.version,
                "labels": self.task.info.labels,
                "rows": rows,
                "scikit-learn": version("scikit-learn"),
                "seed": self.seed,
            }
        )


def training_jobs(recipe: Recipe, tasks: Sequence[Task]) -> list[TrainingJob]:
    """Return the surrogates of every task in the manifest's order."""
    return [
        TrainingJob(recipe=surrogate, task=task, seed=recipe.seed)
        for task in tasks
        for surrogate in recipe.surrogates
    ]


def is_trained(job: TrainingJob, cache_path: Path) -> bool:
    """Whether the cache has the surrogate."""
    return _cached_weights(job, cache_path) is not None


def prepare(job: TrainingJob, cache_path: Path) -> SurrogateInfo:
    """Return the surrogate's entry in the manifest, training it if the cache does not have it."""
    weights = _cached_weights(job, cache_path) or _train(job, cache_path)
    samples = job.task.samples
    votes = vote(cache_path, weights, [(sample.text, sample.text_pair) for sample in samples])
    n_right = sum(guess == sample.label for guess, sample in zip(votes, samples, strict=True))
    return SurrogateInfo(
        name=job.recipe.name,
        kind=job.recipe.kind,
        task=job.task.info.name,
        weights_sha256=weights,
        clean_accuracy=round(n_right / len(samples), 6),
        n_train=len(job.task.train),
    )


def vote(cache_path: Path, weights_sha256: str, texts: Sequence[TextPair]) -> list[int]:
    """Return the label that a surrogate gives each text."""
    return surrogate_of(cache_path, weights_sha256).votes(texts) if texts else []


@lru_cache(maxsize=8)
def surrogate_of(cache_path: Path, weights_sha256: str) -> Inference:
    """Return a surrogate of the cache, loaded once for each process; its counts are the process's own."""
    return Inference(load_trained(cache_path, weights_sha256), weights_sha256, cache_path)


def _index_path(cache_path: Path, key: str) -> Path:
    return cache_path / "surrogates" / "trained" / f"{key}.json"


def _cached_weights(job: TrainingJob, cache_path: Path) -> str | None:
    """Return the weights hash of an earlier training, if its folder is still whole."""
    try:
        weights = str(
            json.loads(_index_path(cache_path, job.key).read_text(encoding="utf-8"))["weights_sha256"]
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    folder = folder_of(cache_path, weights)
    return weights if folder.is_dir() and hash_of_weights(folder) == weights else None


def _train(job: TrainingJob, cache_path: Path) -> str:
    info, train = job.task.info, job.task.train
    missing = sorted(set(range(len(info.labels))) - {sample.label for sample in train})
    if missing:
        names = ", ".join(info.labels[index] for index in missing)
        raise UserError(
            f"task {info.name}: no training row has the label {names}; ask for fewer samples,"
            " or name a `train` source"
        )
    training = TrainingSet(
        texts=[(sample.text, sample.text_pair) for sample in train],
        labels=[sample.label for sample in train],
        n_labels=len(info.labels),
        seed=job.seed,
    )
    home = cache_path / "surrogates"
    home.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=home, prefix=".training-"))
    try:
        TRAINABLE_KINDS[job.recipe.kind].train(training, folder)
        write_text(folder / DESCRIPTION, pretty_json({"kind": job.recipe.kind, "labels": list(info.labels)}))
        weights = hash_of_weights(folder)
        target = folder_of(cache_path, weights)
        shutil.rmtree(target, ignore_errors=True)
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    write_text(_index_path(cache_path, job.key), pretty_json({"weights_sha256": weights}))
    return weights
