"""Misspellings of words: the packaged list, or a file that a recipe names."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from builder.models.resources import PACKAGED
from contract.machine.errors import bad_input, bad_inputs

TABLE_PATH = Path(__file__).parent / "data" / "misspellings.txt"
# Units are keyed by the hash of the code, which through this constant covers the list.
TABLE_SHA256 = "52fb2b5da45c212c4b932462e5a1cbcfe06b3e2e0811d865fe8ff4bbe3a17a4f"
FORMAT = "each line is a word, then its misspellings, with spaces between them"
MOST_PROBLEMS = 20

# Small letters, in which apostrophes may stand.
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")

# For each word in small letters, how people misspell it.
Misspellings = Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=4)
def load_misspellings(name: str) -> Misspellings:
    """Return the packaged list, or the one in a file given as file:PATH."""
    path = TABLE_PATH if name == PACKAGED else Path(name.removeprefix("file:"))
    if not path.is_file():
        raise bad_input(f"misspellings {name}: there is no such file; correct the path in the recipe")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise bad_input(f"{path}: not UTF-8 (byte {error.start}); save the file as UTF-8") from None
    return read_misspellings(text, str(path))


def read_misspellings(text: str, where: str) -> Misspellings:
    """Return the misspellings by word; those that are no single word, or the word itself, are left out."""
    found: dict[str, dict[str, None]] = {}
    problems = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#") or not line.strip():
            continue
        word, *others = line.lower().replace("’", "'").split()
        if not others:
            problems.append(f"{where}:{number}: {word[:40]!r} has no misspelling; {FORMAT}")
            continue
        kept = [other for other in others if _WORD.fullmatch(other) and other != word]
        if kept and _WORD.fullmatch(word):
            found.setdefault(word, {}).update(dict.fromkeys(kept))
    if problems:
        raise bad_inputs(problems[:MOST_PROBLEMS])
    if not found:
        raise bad_input(f"{where}: there is no word with a misspelling in it; {FORMAT}")
    return {word: tuple(others) for word, others in found.items()}
