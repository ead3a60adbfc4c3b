"""The code that makes a result, as a hash: whoever changes it makes another result."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from contract.files import hash_of, hash_of_file

ROOT = Path(__file__).parents[1]
OURS = ("builder.", "classifiers.", "contract.")
# What other packages do cannot change a case; that of the contract's edits can.
MAKES_CASES = ("builder.", "contract.edits")
# Weights do not say everything: code turns them and a text into an answer.
ANSWERS = ("classifiers.",)


def hash_of_code(
    modules: Iterable[str], watched: tuple[str, ...] = MAKES_CASES, *, alone: Iterable[str] = ()
) -> str:
    """Return the hash of modules and of everything of ours that they import, at the top or when used.

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
    return hash_of(found)


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
def _imported(path: Path) -> tuple[str, ...]:
    return tuple(name for name in _names(ast.parse(path.read_bytes())) if name.startswith(OURS))


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
