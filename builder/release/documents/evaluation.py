"""eval.yaml: what the Hub reads to list a benchmark's tasks and collect results for them."""

from typing import Any

import yaml

from builder.release.documents.facts import Facts
from contract.schema.names import TRAIN


def eval_yaml_of(facts: Facts) -> str:
    """Return the file: one entry for every split that a model answers."""
    manifest = facts.manifest
    tasks: list[dict[str, Any]] = [
        {"id": f"{config}__{name}", "config": config, "split": name}
        # Both files of an attacked split are one.
        for config, name in dict.fromkeys(
            (split.config, split.name) for split in manifest.splits if split.rows and split.dimension != TRAIN
        )
    ]
    document = {
        "name": f"{manifest.name} {manifest.version}",
        "description": facts.opening,
        "evaluation_framework": "hardfrost",
        "tasks": tasks,
    }
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
