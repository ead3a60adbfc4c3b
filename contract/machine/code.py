"""The code that makes a result, as a hash: whoever changes it makes another result."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from contract.machine.hashes import hash_of, hash_of_file

ROOT = Path(__file__).parents[2]
OURS = ("builder.", "classifiers.", "contract.")
# Of the contract, what an edit is and how rows are named and laid out can change a case.
MAKES_CASES = ("builder.", "contract.schema.edits", "contract.schema.names", "contract.schema.records")
# Weights do not say everything: code turns them and a text into an answer.
ANSWERS = ("classifiers.",)
# Libraries that compute, by the name they are imported by: another version may give another result.
LIBRARIES = {
    "lemminflect": "lemminflect",
    "numpy": "numpy",
    "rapidfuzz": "rapidfuzz",
    "scipy": "scipy",
    "sentence_transformers": "sentence-transformers",
    "sklearn": "scikit-learn",
    "spacy": "spacy",
    "textblob": "textblob",
    "torch": "torch",
    "transformers": "transformers",
    "vaderSentiment": "vaderSentiment",
    "wordfreq": "wordfreq",
}


def hash_of_code(
    modules: Iterable[str], watched: tuple[str, ...] = MAKES_CASES, *, alone: Iterable[str] = ()
) -> str:
    """Return the hash of modules, of all of ours that they import, at the top or when used, and of libraries.

    Modules that count alone, without what they import, are those that put the others together.
    """
    found: dict[str, str] = {name: _hash_of_source(path) for name in alone if (path := _path_of(name))}
    waiting = sorted(set(modules))
    while waiting:
        name = waiting.pop()
        path = _path_of(name)
        if name in found or path is None:
            continue
        found[name] = _hash_of_source(path)
        waiting += [each for each in _imported(path) if each.startswith(watched)]
    paths = [path for name in found if (path := _path_of(name))]
    used = sorted({library for path in paths for library in _libraries(path)})
    return hash_of([found, {library: installed_version(library) for library in used}])


@lru_cache(maxsize=1)
def hash_of_all_code() -> str:
    """Return the hash of all code that can take part in a build, as it was when first asked for."""
    paths = sorted(path for name in OURS for path in (ROOT / name.rstrip(".")).rglob("*.py"))
    return hash_of({path.relative_to(ROOT).as_posix(): _hash_of_source(path) for path in paths})


# Once a process: what it has imported does not change when its file does.
@lru_cache(maxsize=1024)
def _hash_of_source(path: Path) -> str:
    return hash_of_file(path)


@lru_cache(maxsize=1024)
def _all_imported(path: Path) -> tuple[str, ...]:
    return tuple(_names(ast.parse(path.read_bytes())))


def _imported(path: Path) -> tuple[str, ...]:
    return tuple(name for name in _all_imported(path) if name.startswith(OURS))


def _libraries(path: Path) -> set[str]:
    roots = {name.partition(".")[0] for name in _all_imported(path)}
    return {LIBRARIES[root] for root in roots if root in LIBRARIES}


@lru_cache(maxsize=64)
def installed_version(library: str) -> str | None:
    """Return the version that is installed, or nothing: who does without it makes results all the same."""
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module imports, and those that may be modules of a package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@lru_cache(maxsize=1024)
def _path_of(name: str) -> Path | None:
    """Return a module's file, or nothing for a name that is no module of ours; nothing is imported for it."""
    place = ROOT.joinpath(*name.split("."))
    files = (place.with_name(f"{place.name}.py"), place / "__init__.py")
    return next((path for path in files if name.startswith(OURS) and path.is_file()), None)
