"""What every test gets: a cache of its own session, and no network."""

import os
from pathlib import Path

import pytest

from builder.pipeline import build
from builder.recipe import find_recipe, read_recipe
from contract.progress import Silence

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


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
