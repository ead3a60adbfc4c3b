"""Surrogates that are ready: trained or found, and measured on the clean samples."""

import contextlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from builder.surrogates.loading import surrogate_of, vote
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.surrogates.training import TrainingJob, weights_of
from builder.tasks.task import content_hash
from contract.machine.hashes import hash_of
from contract.machine.json_text import canonical_json
from contract.machine.whole_files import write_text
from contract.schema.documents import Count, Value
from contract.schema.manifest import SurrogateInfo
from contract.schema.single_words import StrongWords

# Of the normal distribution, one-sided: the true value is above the bound in 95 of 100 cases.
DEVIATIONS = 1.645


class ReadySurrogate(Value):
    """A surrogate that is ready: its entry in the manifest, what a text costs it, and its clean answers."""

    info: SurrogateInfo
    cost: Count
    # Its label for each clean sample, in the task's order.
    clean_votes: tuple[Count, ...]
    # The mean of the labels' recalls on the clean samples, its lower bound, and what a constant answer has.
    balanced: float
    balanced_low: float
    chance: float
    # Of sources, where a dimension takes them.
    strong_words: StrongWords | None = None

    @property
    def ref(self) -> SurrogateRef:
        """The surrogate as units of work name it."""
        return SurrogateRef(name=self.info.name, kind=self.info.kind, sha256=self.info.weights_sha256)

    @property
    def has_skill(self) -> bool:
        """Whether the clean samples show that it is better than a constant answer."""
        return self.balanced_low > self.chance


def make_ready(job: TrainingJob, cache_path: Path) -> ReadySurrogate:
    """Return the surrogate, trained and measured now unless the cache has it."""
    weights = weights_of(job, cache_path)
    kind = job.recipe.kind.partition(":")[0]
    surrogate = SurrogateRef(name=job.recipe.name, kind=kind, sha256=weights)
    votes, cost = _measured(job, surrogate, cache_path)
    labels = [sample.label for sample in job.task.samples]
    balanced, low = balanced_accuracy(votes, labels)
    n_right = sum(guess == label for guess, label in zip(votes, labels, strict=True))
    info = SurrogateInfo(
        name=job.recipe.name,
        kind=kind,
        family=job.recipe.chosen_family,
        task=job.task.info.name,
        weights_sha256=weights,
        clean_accuracy=round(n_right / len(labels), 6),
        n_train=None if job.is_external else len(job.rows),
    )
    return ReadySurrogate(
        info=info,
        cost=cost,
        clean_votes=tuple(votes),
        balanced=balanced,
        balanced_low=low,
        chance=round(1 / len(set(labels)), 6),
    )


def balanced_accuracy(votes: Sequence[int], labels: Sequence[int]) -> tuple[float, float]:
    """Return the mean of the labels' recalls, and its lower 95 % bound by the normal approximation.

    A constant answer has a bound of exactly 1 / K: each of its recalls is 0 or 1.
    """
    recalls, variances = [], []
    for label in sorted(set(labels)):
        own = [guess == label for guess, true in zip(votes, labels, strict=True) if true == label]
        recall = sum(own) / len(own)
        recalls.append(recall)
        variances.append(recall * (1 - recall) / len(own))
    balanced = sum(recalls) / len(recalls)
    low = balanced - DEVIATIONS * math.sqrt(sum(variances)) / len(recalls)
    return round(balanced, 6), round(low, 6)


class _Measured(NamedTuple):
    """What a surrogate answers on the clean samples, and what a text costs it."""

    votes: list[int]
    cost: int


def _measured(job: TrainingJob, surrogate: SurrogateRef, cache_path: Path) -> _Measured:
    """Return the answers and the cost, from the cache or by asking."""
    samples = job.task.samples
    key = hash_of([surrogate.fingerprint, content_hash(job.task)])
    path = cache_path / "surrogates" / "measured" / f"{key}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        stored = json.loads(path.read_text(encoding="utf-8"))
        known = _Measured(votes=[int(number) for number in stored["votes"]], cost=int(stored["cost"]))
        if len(known.votes) == len(samples):
            return known
    votes = vote(cache_path, surrogate.sha256, [(sample.text, sample.text_pair) for sample in samples])
    measured = _Measured(votes=votes, cost=surrogate_of(cache_path, surrogate.sha256).cost)
    write_text(path, canonical_json(measured._asdict()))
    return measured
