"""The tasks on which ranks are checked, and the recipe of the frozen release of each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from builder.dimensions import CORE_DIMENSIONS
from builder.recipe.recipe import Recipe
from builder.tasks.task import Task, load_tasks

# Five families: words, characters, word sequence, subwords, encoder. Each is a source.
PANEL: tuple[str | dict[str, Any], ...] = (
    "word-tfidf",
    "char-tfidf",
    "cnn",
    "subword",
    {"kind": "minilm", "train_rows": 1500},
)
TRAIN_ROWS = 8000
TASKS = ("mr", "sst2", "agnews")


def recipe_of(
    name: str,
    n_samples: int,
    data: Path | None,
    panel: Sequence[str | dict[str, Any]] = PANEL,
    *,
    is_quick: bool = False,
) -> Recipe:
    """Return the recipe of a task's release: every dimension, random cases and attempts.

    Where it should be quick, the encoder votes and is no source.
    """
    sources = [own for own in panel if isinstance(own, str) and own != "minilm"] if is_quick else []
    return Recipe.model_validate(
        {
            "name": f"ranks-{name}",
            "version": "1",
            "seed": 1,
            "tasks": [{"name": name, "samples": n_samples, "train_rows": TRAIN_ROWS, **_source(name, data)}],
            "dimensions": list(CORE_DIMENSIONS),
            "settings": ["rule", "score"],
            "cases": {"rule": 2, "score": 5},
            "surrogates": list(panel),
            "sources": {"score": sources},
        }
    )


def task_of(recipe: Recipe) -> Task:
    """Return the one task of a recipe."""
    (task,) = load_tasks(recipe.tasks)
    return task


def _source(name: str, data: Path | None) -> dict[str, Any]:
    """Return where a task's rows come from."""
    if name == "mr":
        return {"source": "mr"}
    if data is None:
        raise click.UsageError(f"the task {name} is read from files; give their folder with --data")
    if name == "sst2":
        columns = {"text": "sentence", "label": "label"}
        return {
            "source": f"file:{data / 'sst2' / 'dev.tsv'}",
            "read": {"columns": columns},
            "train": f"file:{data / 'sst2' / 'train.tsv'}",
            "labels": ["negative", "positive"],
        }
    return {
        "source": f"file:{data / 'agnews' / 'test.csv'}",
        "read": {"header": False, "columns": {"text": 2, "label": 0}},
        "train": f"file:{data / 'agnews' / 'train_10k.tsv'}",
        "read_train": {"header": False, "columns": {"text": 0, "label": 1}},
        "labels": ["World", "Sports", "Business", "Sci/Tech"],
        "label_map": {"1": "World", "2": "Sports", "3": "Business", "4": "Sci/Tech"},
    }
