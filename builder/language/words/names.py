"""Names of people, places and peoples: those listed by hand, and the rarer ones of the spelling table."""

from functools import lru_cache
from pathlib import Path

from builder.language.pronunciation.spellings import load_spellings
from contract.machine.hashes import hash_of_file

NAMES_PATH = Path(__file__).parent / "data" / "names.txt"
# Units are keyed by the hash of the code, which through this constant covers the list.
NAMES_SHA256 = "783ba92fa85133d958cf18f32c2ef7b8e8bdfa6c9f9c1a9957a25754b211d60b"


@lru_cache(maxsize=1)
def listed_names() -> frozenset[str]:
    """Return the names listed by hand, in small letters: those to be expected where no capital tells."""
    if hash_of_file(NAMES_PATH) != NAMES_SHA256:
        raise ValueError(f"{NAMES_PATH} is not the file this code was made for; install the package again")
    lines = NAMES_PATH.read_text(encoding="utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


@lru_cache(maxsize=1)
def load_names() -> frozenset[str]:
    """Return all known names in small letters; some of them are words, too."""
    return load_spellings().names | listed_names()


def names_in(cores: list[str]) -> frozenset[str]:
    """Return the names among words in small letters; a genitive counts as the name."""
    return load_names().intersection(core.removesuffix("'s") for core in cores)


def is_listed(core: str) -> bool:
    """Whether a word in small letters, or what it is the genitive of, is listed as a name."""
    return core.removesuffix("'s") in listed_names()
