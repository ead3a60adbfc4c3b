"""The lists of words that transformations use, from data/words.yaml."""

from functools import lru_cache
from pathlib import Path

import yaml

from contract.machine.hashes import hash_of_file

LISTS_PATH = Path(__file__).parent / "data" / "words.yaml"
# Units are keyed by the hash of the code, which through this constant covers the lists.
LISTS_SHA256 = "35fda05f10bfb3009f47fe95ed7eb064f797fa83e903642eee6bbda7599376e8"


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
