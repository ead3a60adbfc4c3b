"""The front matter of the data card: what `datasets` and the Hub read of it."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from builder.release.documents.hub_configs import HubConfig, HubSplit, hub_configs
from builder.release.documents.task_cards import TaskCard
from contract.schema.manifest import Manifest

# More files of one split are named by a pattern.
MOST_FILES_NAMED = 2
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def front_matter(manifest: Manifest, cards: Mapping[str, TaskCard]) -> str:
    """Return the YAML block with its fences."""
    text = yaml.safe_dump(_front_matter(manifest, cards), sort_keys=False, allow_unicode=True, width=100)
    # Features are in the Parquet files, where `datasets` finds them.
    lines = [line for config in hub_configs(manifest) for line in _config_lines(config)]
    return "\n".join([f"---\n{text}configs:", *lines, "---\n"])


def _front_matter(manifest: Manifest, cards: Mapping[str, TaskCard]) -> dict[str, Any]:
    present = [split for split in manifest.splits if split.rows]
    n_rows = sum(split.rows for split in present)
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
    }


def _config_lines(config: HubConfig) -> Iterator[str]:
    """Yield a config in one line a split: a release has hundreds, and the Hub shows them all."""
    yield f"- config_name: {config.name}"
    yield "  data_files:"
    for split in config.splits:
        paths = ", ".join(f'"{path}"' for path in _paths(config, split))
        yield f"  - {{split: {split.name}, path: [{paths}]}}"


def _paths(config: HubConfig, split: HubSplit) -> list[str]:
    """Return the files of a split; those of a whole task by pattern."""
    if len(split.files) <= MOST_FILES_NAMED:
        return [file.path for file in split.files]
    return [f"data/{config.task}/clean.parquet", f"data/{config.task}/*/*/*.parquet"]


def hub_version(version: str) -> str:
    """Return a version of three numbers, the only kind `datasets` accepts."""
    return ".".join([*version.split("."), "0", "0"][:3])
