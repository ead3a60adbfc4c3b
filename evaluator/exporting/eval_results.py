"""Results as the Hub reads them in a model's repository: `.eval_results/` and the older model-index."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from contract.machine.whole_files import write_text
from contract.schema.estimates import ESTIMATES, estimate_of
from contract.schema.manifest import Manifest, SplitInfo
from contract.schema.names import CLEAN, OVERALL, degree_key, tag_of
from contract.schema.results import Result

FOLDER = ".eval_results"
MODEL_INDEX = "model-index.yaml"


@dataclass(frozen=True, kw_only=True)
class SplitAccuracy:
    """The plain accuracy of a model on one split, a fraction."""

    split: SplitInfo
    value: float


def write_eval_results(folder: Path, result: Result, manifest: Manifest, dataset: str) -> list[Path]:
    """Write the files to put into a model's repository and its card."""
    results, index = folder / FOLDER / f"{manifest.name}.yaml", folder / MODEL_INDEX
    write_text(results, _yaml(_eval_results(result, manifest, dataset)))
    write_text(index, _yaml(_model_index(result, manifest, dataset)))
    return [results, index]


def accuracies(result: Result, manifest: Manifest) -> Iterator[SplitAccuracy]:
    """Yield the accuracy on every split that was scored, in the manifest's order; its tiers are one split."""
    seen = set()
    for split in manifest.splits:
        task = result.tasks.get(split.task)
        if task is None or not split.rows or (split.config, split.name) in seen:
            continue
        seen.add((split.config, split.name))
        if split.is_adversarial and split.setting is not None:
            scored = task.dimensions.get(split.dimension, {}).get(split.setting)
            degree = scored.degrees.get(degree_key(split.degree)) if scored is not None else None
            if degree is not None and degree.accuracy_cases is not None:
                yield SplitAccuracy(split=split, value=degree.accuracy_cases)
        elif split.dimension == CLEAN and task.clean is not None:
            yield SplitAccuracy(split=split, value=task.clean.accuracy)


def _eval_results(result: Result, manifest: Manifest, dataset: str) -> list[dict[str, Any]]:
    def entry(task_id: str, value: float, what: str) -> dict[str, Any]:
        return {
            # The ids are those of the data set's eval.yaml.
            "dataset": {"id": dataset, "task_id": task_id, "revision": tag_of(manifest.version)},
            "value": value,
            "source": {"name": "Hardfrost"},
            "notes": f"{what}, a fraction; {result.signature}",
        }

    entries = [
        entry(f"{accuracy.split.config}__{accuracy.split.name}", accuracy.value, "accuracy")
        for accuracy in accuracies(result, manifest)
    ]
    if result.overall is None:
        return entries
    return [entry(OVERALL, result.overall.average.ewma, "overall score, average EWMA"), *entries]


def _model_index(result: Result, manifest: Manifest, dataset: str) -> dict[str, Any]:
    name = f"{manifest.name} {manifest.version}"
    entries = [
        {
            "task": {"type": "text-classification"},
            "dataset": {
                "name": name,
                "type": dataset,
                "config": accuracy.split.config,
                "split": accuracy.split.name,
                "revision": tag_of(manifest.version),
            },
            "metrics": [{"type": "accuracy", "value": accuracy.value}],
        }
        for accuracy in accuracies(result, manifest)
    ]
    if result.overall is not None:
        figures = {f"{estimate} EWMA": estimate_of(result.overall, estimate).ewma for estimate in ESTIMATES}
        metrics = [{"type": "accuracy", "name": key, "value": value} for key, value in figures.items()]
        whole = {"name": name, "type": dataset, "revision": tag_of(manifest.version)}
        entries.append({"task": {"type": "text-classification"}, "dataset": whole, "metrics": metrics})
    return {"model-index": [{"name": result.model.name, "results": entries}]}


def _yaml(document: object) -> str:
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
