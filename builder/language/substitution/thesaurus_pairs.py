"""The pairs of the thesaurus of general English, as the judge knows them."""

import gzip
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from contract.machine.hashes import hash_of_file

PAIRS_PATH = Path(__file__).parent / "weights" / "pairs.txt.gz"
# Units are keyed by the hash of the code, which through this constant covers the pairs.
PAIRS_SHA256 = "89d0127815950ed7007e50b3b1d5dd96f60a34d9ba1e3309a7b4cf4be8cd4811"

# What may stand for a lemma as a part of speech, the best first.
Pairs = Mapping[tuple[str, str], tuple[str, ...]]


@lru_cache(maxsize=1)
def load_pairs() -> Pairs:
    """Return the shipped pairs, read once for each process."""
    if hash_of_file(PAIRS_PATH) != PAIRS_SHA256:
        raise ValueError(f"{PAIRS_PATH} is not the file this code was made for; install the package again")
    pairs = {}
    for line in gzip.decompress(PAIRS_PATH.read_bytes()).decode().splitlines():
        part_of_speech, word, listed = line.split("\t")
        pairs[word, part_of_speech] = tuple(listed.split(","))
    return pairs
