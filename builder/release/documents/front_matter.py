"""The front matter of the data card: what `datasets` and the Hub read of it."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import yaml

from builder.release.documents.hub_configs import HubConfig, hub_configs
from builder.release.documents.task_cards import TaskCard
from contract.schema.manifest import Manifest, TaskInfo
from contract.schema.records import COLUMNS, SCHEMA, dtype_name

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def front_matter(manifest: Manifest, cards: Mapping[str, TaskCard]) -> str:
    """Return the YAML block with its fences."""
    text = yaml.safe_dump(_front_matter(manifest, cards), sort_keys=False, allow_unicode=True, width=100)
    return f"---\n{text}---\n"


def _front_matter(manifest: Manifest, cards: Mapping[str, TaskCard]) -> dict[str, Any]:
    present = [split for split in manifest.splits if split.rows]
    n_rows = sum(split.rows for split in present)
    configs = hub_configs(manifest)
    languages = sorted({card.language for card in cards.values()}) or ["en"]
    return {
        "pretty_name": f"{manifest.name} {manifest.version}",
        # Every task keeps the licence of its source; the card states them one by one.
        "license": "other",
        "license_name": "see-the-tasks",
        "language": languages,
        "task_categories": ["text-classification"],
        "tags": ["adversarial", "robustness", "benchmark", "hardfrost"],
        "size_categories": [next((name for limit, name in SIZES if n_rows < limit), "1M<n<10M")],
        "configs": [_config(config) for config in configs],
        "dataset_info": [_dataset_info(manifest, config) for config in configs],
    }


def _config(config: HubConfig) -> dict[str, Any]:
    return {
        "config_name": config.name,
        "data_files": [
            {"split": split.name, "path": [file.path for file in split.files]} for split in config.splits
        ],
    }


def _dataset_info(manifest: Manifest, config: HubConfig) -> dict[str, Any]:
    size = sum(split.n_bytes for split in config.splits)
    return {
        "config_name": config.name,
        "version": hub_version(manifest.version),
        "features": _features(manifest.task(config.task)),
        "splits": [
            {"name": split.name, "num_bytes": split.n_bytes, "num_examples": split.n_rows}
            for split in config.splits
        ],
        "download_size": size,
        "dataset_size": size,
    }


def hub_version(version: str) -> str:
    """Return a version of three numbers, the only kind `datasets` accepts."""
    return ".".join([*version.split("."), "0", "0"][:3])


def _features(task: TaskInfo) -> list[dict[str, Any]]:
    features = [_feature(SCHEMA.field(name)) for name in COLUMNS]
    names = {str(index): label for index, label in enumerate(task.labels)}
    label = {"name": "label", "dtype": {"class_label": {"names": names}}}
    return [label if feature["name"] == "label" else feature for feature in features]


def _feature(field: pa.Field) -> dict[str, Any]:
    if pa.types.is_list(field.type):
        inner = field.type.value_type
        if pa.types.is_struct(inner):
            return {"name": field.name, "list": [_feature(part) for part in inner]}
        return {"name": field.name, "list": dtype_name(inner)}
    if pa.types.is_struct(field.type):
        return {"name": field.name, "struct": [_feature(part) for part in field.type]}
    return {"name": field.name, "dtype": dtype_name(field.type)}
