"""Tasks and a group for EleutherAI's lm-evaluation-harness."""

from pathlib import Path
from typing import Any

import yaml

from contract.machine.whole_files import write_text
from contract.release.release import Release
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import tag_of
from evaluator.exporting.questions import fields_of, files_of, question_of, splits_to_ask, task_name


def export_lm_eval(release: Release, out: Path, *, repo: str | None = None) -> list[Path]:
    """Write a YAML file for every split, one for what the splits of a task share, and the group of all."""
    splits = splits_to_ask(release)
    written = [_write(out / _shared_name(task), _shared(task)) for task in release.manifest.tasks]
    names = []
    for split in splits:
        name = task_name(release, split)
        names.append(name)
        document = {
            "include": _shared_name(release.manifest.task(split.task)),
            "task": name,
            **_location(release, split, repo),
            "metadata": {"version": release.manifest.version},
        }
        written.append(_write(out / f"{name}.yaml", document))
    group = f"hardfrost_{release.manifest.name}"
    # Every split counts alike, as in Hardfrost's own means; its EWMA scores need `hardfrost score`.
    mean = {"metric": "acc", "aggregation": "mean", "weight_by_size": False}
    document = {
        "group": group,
        "task": names,
        "aggregate_metric_list": [mean],
        "metadata": {"version": release.manifest.version},
    }
    return [*written, _write(out / f"_{group}.yaml", document)]


def _shared_name(task: TaskInfo) -> str:
    # Without the ending the harness does not take it for a task.
    return f"_shared_{task.name}_yaml"


def _shared(task: TaskInfo) -> dict[str, Any]:
    texts = "\n".join(f"{_literal(name)}: {{{{{column}}}}}" for name, column in fields_of(task))
    return {
        "output_type": "multiple_choice",
        "doc_to_text": f"{texts}\n{_literal(question_of(task))}\nLabel:",
        "doc_to_target": "label",
        "doc_to_choice": list(task.labels),
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    }


def _literal(text: str) -> str:
    """Return a text that Jinja writes as it is: everything that it obeys begins with a brace."""
    return text.replace("{", "{{ '{' }}")


def _location(release: Release, split: SplitInfo, repo: str | None) -> dict[str, Any]:
    """Return where the rows are: in this folder, or on the Hub at the version's tag."""
    if repo is not None:
        return {
            "dataset_path": repo,
            "dataset_name": split.config,
            "dataset_kwargs": {"revision": tag_of(release.manifest.version)},
            "test_split": split.name,
        }
    paths = [str((release.path / file.path).resolve()) for file in files_of(release, split)]
    return {
        "dataset_path": "parquet",
        "dataset_kwargs": {"data_files": {"test": paths}},
        "test_split": "test",
    }


def _write(path: Path, document: dict[str, Any]) -> Path:
    write_text(path, yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100))
    return path
