"""Lexicons that a recipe names: files of word substitutions, checked while they are read."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from contract.machine.errors import bad_input, bad_inputs
from contract.machine.hashes import hash_of_file

# The words that may replace each word; small letters, no phrases.
Lexicon = Mapping[str, tuple[str, ...]]

FORMATS = (
    "a lexicon is JSON of words and their neighbours (.json), a table with columns original and replacement"
    " (.tsv), or lines of two words or of PPDB's fields between ||| (.txt)"
)


class Substitution(NamedTuple):
    """A word and one that may replace it."""

    original: str
    replacement: str


def load_lexicons(paths: Sequence[str]) -> Lexicon:
    """Return the substitutions of all files together, those of the first file first."""
    lexicon: dict[str, dict[str, None]] = {}
    for written_path in paths:
        path = Path(written_path.removeprefix("file:"))
        if not path.is_file():
            raise bad_input(f"lexicon {written_path}: there is no such file; correct the path in the recipe")
        for original, replacement in _load(path, hash_of_file(path)):
            lexicon.setdefault(original, {})[replacement] = None
    return {original: tuple(replacements) for original, replacements in lexicon.items()}


@lru_cache(maxsize=8)
def _load(path: Path, _sha256: str) -> tuple[Substitution, ...]:
    """Return the pairs of a file, read once for each content."""
    readers = {".json": _read_json, ".tsv": _read_table, ".txt": _read_lines}
    if path.suffix.lower() not in readers:
        raise bad_input(f"{path}: unknown kind of lexicon; {FORMATS}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise bad_input(f"{path}: not UTF-8 (byte {error.start}); save the file as UTF-8") from None
    pairs = (
        Substitution(original.lower(), replacement.lower())
        for original, replacement in readers[path.suffix.lower()](path, text)
    )
    # Phrases and numbers replace no word; lines without two words were refused above.
    return tuple(pair for pair in pairs if all(map(str.isalpha, pair)) and pair.original != pair.replacement)


def _read_json(path: Path, text: str) -> Iterator[Substitution]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise bad_input(f"{path}:{line}: not JSON: {error}; {FORMATS}") from None
    if not isinstance(content, dict):
        raise bad_input(f"{path}:1: expected an object of words, found {type(content).__name__}; {FORMATS}")
    problems = [
        f"{path}: the neighbours of {word!r} are not a list of words"
        for word, neighbours in content.items()
        if not isinstance(neighbours, list) or not all(isinstance(word, str) for word in neighbours)
    ]
    if problems:
        raise bad_inputs(problems)
    for word, neighbours in content.items():
        for neighbour in neighbours:
            yield Substitution(word, neighbour)


def _read_table(path: Path, text: str) -> Iterator[Substitution]:
    rows = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    header = next(rows, [])
    if not {"original", "replacement"} <= set(header):
        raise bad_input(f"{path}:1: expected the columns original and replacement, found {header}; {FORMATS}")
    first, second = header.index("original"), header.index("replacement")
    problems = []
    for line, row in enumerate(rows, start=2):
        if len(row) > max(first, second) and row[first].strip() and row[second].strip():
            yield Substitution(row[first].strip(), row[second].strip())
        elif row:
            problems.append(f"{path}:{line}: expected an original and a replacement, found {row}")
    if problems:
        raise bad_inputs(problems)


def _read_lines(path: Path, text: str) -> Iterator[Substitution]:
    problems = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        is_ppdb = "|||" in line
        fields = [field.strip() for field in line.split("|||")][1:3] if is_ppdb else line.split()
        if len(fields) == 2 and all(fields):
            yield Substitution(*fields)
        else:
            problems.append(f"{path}:{number}: expected two words, found {line.strip()[:60]!r}; {FORMATS}")
    if problems:
        raise bad_inputs(problems)
