"""eval.yaml: what the Hub reads to list a benchmark's tasks and collect results for them."""

from typing import Any

import yaml

from builder.release.documents.facts import Facts
from builder.release.documents.hub_configs import ALL
from contract.schema.names import OVERALL, SPLIT_WITHOUT_DEGREES, TRAIN, config_name


def eval_yaml_of(facts: Facts) -> str:
    """Return the file: an entry for the overall score, then one for every split that a model answers."""
    manifest = facts.manifest
    tasks: list[dict[str, Any]] = [
        {"id": f"{config}__{name}", "config": config, "split": name}
        # Both files of an attacked split are one.
        for config, name in dict.fromkeys(
            (split.config, split.name) for split in manifest.splits if split.rows and split.dimension != TRAIN
        )
    ]
    names = [task.name for task in manifest.tasks]
    overall: dict[str, Any] = {"id": OVERALL}
    if len(names) == 1 and any(split.is_adversarial and split.rows for split in manifest.splits):
        overall |= {"config": config_name(names[0], ALL, None), "split": SPLIT_WITHOUT_DEGREES}
    document = {
        "name": f"{manifest.name} {manifest.version}",
        "description": facts.opening,
        "evaluation_framework": "hardfrost",
        "tasks": [overall, *tasks],
    }
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
