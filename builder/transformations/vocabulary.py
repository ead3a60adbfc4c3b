"""The lists of words that transformations go by, from data/words.yaml."""

from functools import lru_cache
from pathlib import Path

import yaml

from contract.files import hash_of_file

LISTS_PATH = Path(__file__).parent / "data" / "words.yaml"
# Code and lists belong together; a build is named by the hash of the code, and so of the lists.
LISTS_SHA256 = "686f378ac98099de631cdf5b92b1c0779d60b8b2749804715560f75a9dbca8d2"


@lru_cache(maxsize=64)
def words(name: str) -> frozenset[str]:
    """Return a list of words by its name."""
    return frozenset(_lists()[name])


@lru_cache(maxsize=1)
def _lists() -> dict[str, list[str]]:
    if hash_of_file(LISTS_PATH) != LISTS_SHA256:
        raise ValueError(f"{LISTS_PATH} is not the file this code was made for; install the package again")
    lists: dict[str, list[str]] = yaml.safe_load(LISTS_PATH.read_text(encoding="utf-8"))
    return lists
