"""The lists of words that transformations use, from data/words.yaml."""

from functools import lru_cache
from pathlib import Path

import yaml

from contract.machine.hashes import hash_of_file

LISTS_PATH = Path(__file__).parent / "data" / "words.yaml"
# Units are keyed by the hash of the code, which through this constant covers the lists.
LISTS_SHA256 = "2122a59bb9ac0fceb220f16e45bc5e9092cc20fe1c5761743f4f9a66933c8486"


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
