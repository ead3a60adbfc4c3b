"""The data card: README.md with the front matter that `datasets` and the Hub read."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pyarrow as pa
import yaml

from contract.manifest import Manifest, SplitInfo, TaskInfo
from contract.records import COLUMNS, SCHEMA, dtype_name

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

OPENINGS = {
    None: "A frozen adversarial-robustness benchmark for text classifiers, made by Hardfrost.",
    "advglue": "The dev set of AdvGLUE (Wang et al., Adversarial GLUE, 2021) as a release of Hardfrost."
    " Cases and labels are its authors'. Edits, where there are originals, were found by comparing texts.",
}


def card_of(manifest: Manifest) -> str:
    """Return the card: YAML front matter, then what a person wants to know first."""
    front_matter = yaml.safe_dump(_front_matter(manifest), sort_keys=False, allow_unicode=True, width=100)
    return f"---\n{front_matter}---\n\n{_body(manifest)}"


def _front_matter(manifest: Manifest) -> dict[str, Any]:
    present = [split for split in manifest.splits if split.rows]
    n_rows = sum(split.rows for split in present)
    configs = [list(splits) for _, splits in groupby(present, key=lambda split: split.config)]
    return {
        "pretty_name": f"{manifest.name} {manifest.version}",
        "license": "other",
        "license_name": "see-the-tasks",
        "language": ["en"],
        "task_categories": ["text-classification"],
        "tags": ["adversarial", "robustness", "hardfrost"],
        "size_categories": [next((name for limit, name in SIZES if n_rows < limit), "1M<n<10M")],
        "configs": [_config(splits) for splits in configs],
        "dataset_info": [_dataset_info(manifest, splits) for splits in configs],
    }


def _config(splits: list[SplitInfo]) -> dict[str, Any]:
    return {
        "config_name": splits[0].config,
        "data_files": [{"split": split.name, "path": split.path} for split in splits],
    }


def _dataset_info(manifest: Manifest, splits: list[SplitInfo]) -> dict[str, Any]:
    size = sum(split.bytes for split in splits)
    return {
        "config_name": splits[0].config,
        "version": hub_version(manifest.version),
        "features": _features(manifest.task(splits[0].task)),
        "splits": [
            {"name": split.name, "num_bytes": split.bytes, "num_examples": split.rows} for split in splits
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


def _body(manifest: Manifest) -> str:
    return "\n".join(_lines(manifest)) + "\n"


def _lines(manifest: Manifest) -> Iterator[str]:
    yield f"# {manifest.name} {manifest.version}"
    yield ""
    yield OPENINGS[manifest.imported_from]
    yield f"Recipe `{manifest.recipe_sha256[:12]}`, seed {manifest.seed}; labels are {manifest.labels}."
    yield ""
    yield "## Tasks"
    yield ""
    yield "| task | labels | samples | training rows | source | licence |"
    yield "| --- | --- | ---: | ---: | --- | --- |"
    for task in manifest.tasks:
        labels = ", ".join(task.labels)
        yield (
            f"| {task.name} | {labels} | {task.n_samples} | {task.n_train} | {task.source} | {task.licence} |"
        )
    yield ""
    for overlap in manifest.overlap:
        yield (
            f"{overlap.n_removed} rows of {overlap.training_source} were removed from the training rows of"
            f" {overlap.task} because they equal a benchmark sample on letters and digits."
        )
    yield ""
    yield "## Splits"
    yield ""
    yield "| config | split | degree | mean realised | cases | samples |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for split in manifest.splits:
        realised = "" if split.mean_realised_degree is None else f"{split.mean_realised_degree:.3f}"
        degree = "" if split.degree is None else f"{split.degree:g}"
        yield f"| {split.config} | {split.name} | {degree} | {realised} | {split.rows} | {split.samples} |"
    yield ""
    yield "## Use"
    yield ""
    example = next((split for split in manifest.splits if split.is_adversarial and split.rows), None)
    if example is not None:
        yield "```python"
        yield "from datasets import load_dataset"
        yield ""
        yield f'load_dataset("ORG/NAME", "{example.config}", split="{example.name}")'
        yield "```"
        yield ""
    yield "Score a model with `hardfrost predict` and `hardfrost score`; see the Hardfrost README."
    yield ""
    yield "## Canary"
    yield ""
    yield "Benchmark data should never stand in training corpora. If you find this string in one, it does:"
    yield f"`{manifest.canary}`"
