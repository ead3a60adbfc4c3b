"""What every test gets: a cache of its own session, and no network."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.run.pipeline import build
from contract.machine.progress import Silence

# One thread a process: the tests run in as many processes as there are cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# Started in the background, a shell's children ignore the keys that tests of interruption send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the cache of this session, which starts empty."""
    path = tmp_path_factory.mktemp("cache")
    os.environ["HARDFROST_CACHE"] = str(path)
    return path


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """Return the release of recipes/tiny.yaml; tests must not write into it."""
    path = tmp_path_factory.mktemp("tiny") / "release"
    build(read_recipe(find_recipe("tiny")), path, Silence())
    return path


@pytest.fixture
def advglue_document() -> dict[str, list[dict[str, Any]]]:
    """Return made-up rows in AdvGLUE's annotated format.

    Each task has 8 rows: 3 originals with two cases each, and two rows that people wrote.
    """
    fields = {
        "sst2": ("sentence",),
        "qqp": ("question1", "question2"),
        "mnli": ("premise", "hypothesis"),
        "mnli-mm": ("premise", "hypothesis"),
        "qnli": ("question", "sentence"),
        "rte": ("sentence1", "sentence2"),
    }
    return {task: [_advglue_row(task, names, place) for place in range(8)] for task, names in fields.items()}


def _advglue_row(task: str, fields: tuple[str, ...], place: int) -> dict[str, Any]:
    """Return a row: originals turn up in another order than one after the other, perturbed in turn."""
    number = place % 3
    row: dict[str, Any] = {"idx": place, "label": number % (3 if task.startswith("mnli") else 2)}
    for field in fields:
        row[field] = f"the {field} number {number} of {task} , as it was ."
    if place >= 6:
        perturbed = fields[0]
        return row | {
            perturbed: f"I wrote {place} for {task}.",
            "data_construction": "human",
            "method": "CheckList",
        }
    perturbed = fields[place % len(fields)]
    made = ("word", "TextFooler") if place < 3 else ("sentence", "StressTest")
    return row | {
        f"original_{perturbed}": row[perturbed],
        perturbed: row[perturbed].replace("number", f"nunber{place}").replace(" .", " and true is true ."),
        "data_construction": made[0],
        "method": made[1],
    }
