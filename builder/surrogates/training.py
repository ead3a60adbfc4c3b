"""Trains surrogates: once for each task, kept by the hash of what they were trained on."""

import json
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path

from builder.recipe.entries import SurrogateRecipe
from builder.recipe.recipe import Recipe
from builder.recipe.surrogate_specs import members_of_surrogate
from builder.tasks.task import Task
from builder.values.randomness import Draw
from builder.values.samples import Sample
from classifiers import KINDS, TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.weights import DESCRIPTION, hash_of_weights
from classifiers.saved.external import ExternalClassifier
from classifiers.saved.stored import folder_of
from contract.machine.code import ANSWERS, hash_of_code
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of
from contract.machine.json_text import pretty_json
from contract.machine.locks import in_turn
from contract.machine.registry import unknown_name
from contract.machine.whole_files import write_text

# What scikit-learn takes.
LARGEST_SEED = 1 << 32
# How the names of folders begin in which a surrogate is being trained.
TRAINING = ".training-"


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """A surrogate of a task: to train unless the cache has it, to look up, or to put together of others."""

    recipe: SurrogateRecipe
    task: Task
    seed: int
    members: "tuple[TrainingJob, ...]" = ()

    @property
    def is_external(self) -> bool:
        """Whether it is not trained here."""
        return self.recipe.kind not in TRAINABLE_KINDS

    @cached_property
    def rows(self) -> Sequence[Sample]:
        """The rows to train on: all, or so many drawn at random, each label among them."""
        train = self.task.train
        n = self.recipe.train_rows or TRAINABLE_KINDS[self.recipe.kind].train_rows
        if n is None or n >= len(train):
            return train
        order = Draw("train-rows", self.seed, self.task.info.name).sample(range(len(train)), len(train))
        first = {train[place].label: place for place in reversed(order)}
        chosen = list(dict.fromkeys([*sorted(first.values()), *order]))[: max(n, len(first))]
        return [train[place] for place in sorted(chosen)]

    @cached_property
    def key(self) -> str:
        """The hash of everything that can change the weights."""
        kind = TRAINABLE_KINDS[self.recipe.kind]
        return hash_of(
            {
                "kind": kind.name,
                "version": kind.version,
                "code": _training_code(kind.train.__module__),
                "labels": self.task.info.labels,
                "rows": [[sample.text, sample.text_pair, sample.label] for sample in self.rows],
                "epochs": self.recipe.epochs,
                "packages": {name: version(name) for name in kind.packages},
                "seed": self.seed,
            }
        )


@lru_cache(maxsize=16)
def _training_code(module: str) -> str:
    return hash_of_code([module], ANSWERS)


def training_jobs(recipe: Recipe, tasks: Sequence[Task]) -> list[TrainingJob]:
    """Return the surrogates of every task in the manifest's order."""
    by_name = {surrogate.name: surrogate for surrogate in recipe.surrogates}

    def job_of(surrogate: SurrogateRecipe, task: Task) -> TrainingJob:
        names = members_of_surrogate(surrogate.kind)
        is_ensemble = names != [surrogate.kind]
        members = [by_name[name] if name in by_name else _member(name, by_name) for name in names]
        return TrainingJob(
            recipe=surrogate,
            task=task,
            seed=recipe.seed,
            members=tuple(job_of(member, task) for member in members) if is_ensemble else (),
        )

    # Surrogates vote with one label a text.
    voted = [task for task in tasks if task.lists is None]
    return [job_of(surrogate, task) for task in voted for surrogate in recipe.surrogates]


def _member(name: str, known: Iterable[str]) -> SurrogateRecipe:
    """Return a member of an ensemble that is no surrogate of the recipe itself."""
    if ":" not in name and name not in {*TRAINABLE_KINDS, *KINDS}:
        raise unknown_name("surrogate", name, [*known, *TRAINABLE_KINDS])
    return SurrogateRecipe(kind=name)


def is_trained(job: TrainingJob, cache_path: Path) -> bool:
    """Whether the cache has the surrogate."""
    if job.members:
        return all(is_trained(member, cache_path) for member in job.members)
    if not job.is_external:
        return _cached_weights(job, cache_path) is not None
    kind, _, argument = job.recipe.kind.partition(":")
    # Nothing is fetched only to see whether it is there.
    return kind != "hf" or Path(argument).is_dir()


def weights_of(job: TrainingJob, cache_path: Path) -> str:
    """Return the weights hash of a surrogate that the cache has from now on."""
    if not job.is_external:
        # Of several builds that share a cache one trains, the others wait for it.
        with in_turn(_index_path(cache_path, job.key).with_suffix(".lock")):
            return _cached_weights(job, cache_path) or _train(job, cache_path)
    members = tuple(weights_of(member, cache_path) for member in job.members)
    # A recipe is trusted before anything is built.
    external = ExternalClassifier(spec=job.recipe.kind, task=job.task.info, is_trusted=True, members=members)
    return external.keep(cache_path)


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
    info, train = job.task.info, job.rows
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
        # Libraries take no larger ones; seeds that they take stay as they are.
        seed=job.seed if abs(job.seed) < LARGEST_SEED else job.seed % LARGEST_SEED,
        epochs=job.recipe.epochs,
    )
    home = cache_path / "surrogates"
    home.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=home, prefix=TRAINING))
    try:
        TRAINABLE_KINDS[job.recipe.kind].train(training, folder)
        write_text(folder / DESCRIPTION, pretty_json({"kind": job.recipe.kind, "labels": list(info.labels)}))
        weights = hash_of_weights(folder)
        target = folder_of(cache_path, weights)
        # Another way to the same weights may be in use.
        if not target.is_dir() or hash_of_weights(target) != weights:
            shutil.rmtree(target, ignore_errors=True)
            folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    write_text(_index_path(cache_path, job.key), pretty_json({"weights_sha256": weights}))
    return weights
