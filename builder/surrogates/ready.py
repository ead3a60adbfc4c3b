"""Surrogates that are ready: trained or found, and measured on the clean samples."""

import contextlib
import json
from pathlib import Path

from builder.surrogates.loading import surrogate_of, vote
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.surrogates.training import TrainingJob, weights_of
from builder.tasks.task import content_hash
from contract.machine.hashes import hash_of
from contract.machine.json_text import pretty_json
from contract.machine.whole_files import write_text
from contract.schema.documents import Count, Value
from contract.schema.manifest import SurrogateInfo


class ReadySurrogate(Value):
    """A surrogate that is ready: its entry in the manifest, and what a text costs it."""

    info: SurrogateInfo
    cost: Count

    @property
    def ref(self) -> SurrogateRef:
        """The surrogate as units of work name it."""
        return SurrogateRef(name=self.info.name, kind=self.info.kind, sha256=self.info.weights_sha256)


def make_ready(job: TrainingJob, cache_path: Path) -> ReadySurrogate:
    """Return the surrogate, trained and measured now unless the cache has it."""
    weights = weights_of(job, cache_path)
    kind = job.recipe.kind.partition(":")[0]
    measured = _measured(job, SurrogateRef(name=job.recipe.name, kind=kind, sha256=weights), cache_path)
    info = SurrogateInfo(
        name=job.recipe.name,
        kind=kind,
        task=job.task.info.name,
        weights_sha256=weights,
        clean_accuracy=measured["clean_accuracy"],
        n_train=None if job.is_external else len(job.rows),
    )
    return ReadySurrogate(info=info, cost=int(measured["cost"]))


def _measured(job: TrainingJob, surrogate: SurrogateRef, cache_path: Path) -> dict[str, float]:
    """Return the accuracy on the clean samples and the cost of a text, from the cache or by asking."""
    samples = job.task.samples
    key = hash_of([surrogate.fingerprint, content_hash(job.task)])
    path = cache_path / "surrogates" / "measured" / f"{key}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {name: stored[name] + 0 for name in ("clean_accuracy", "cost")}
    votes = vote(cache_path, surrogate.sha256, [(sample.text, sample.text_pair) for sample in samples])
    n_right = sum(guess == sample.label for guess, sample in zip(votes, samples, strict=True))
    cost = surrogate_of(cache_path, surrogate.sha256).cost
    measured = {"clean_accuracy": round(n_right / len(samples), 6), "cost": cost}
    write_text(path, pretty_json(measured))
    return measured
