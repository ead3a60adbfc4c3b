"""The code that makes a result, as a hash: other code may make another result, other comments cannot."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from contract.machine.cache_folder import cache_path
from contract.machine.hashes import hash_of, hash_of_file
from contract.machine.outside import code_sha256
from contract.machine.value_cache import SUFFIX, ValueCache

ROOT = Path(__file__).parents[2]
OURS = ("builder.", "classifiers.", "contract.")
# Of the contract, what an edit is, how rows are named and laid out, and what a fold is can change a case.
MAKES_CASES = (
    "builder.",
    "contract.folding",
    "contract.schema.edits",
    "contract.schema.names",
    "contract.schema.records",
)
# Weights do not say everything: code turns them and a text into an answer.
ANSWERS = ("classifiers.",)
# Where parsed modules are kept, and how many: some hundred bytes each, a few hundred for each version.
CODE_FOLDER = "code"
MOST_MODULES = 20_000
MOST_BYTES = 20_000_000
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
    hashes: dict[str, str] = {name: _module(path).sha256 for name in alone if (path := _path_of(name))}
    waiting = sorted(set(modules))
    # Of a part from another package, all of its package counts.
    hashes |= {name: code_sha256(name) for name in waiting if not f"{name}.".startswith(OURS)}
    while waiting:
        name = waiting.pop()
        path = _path_of(name)
        if name in hashes or path is None:
            continue
        hashes[name] = _module(path).sha256
        waiting += [imported for imported in _imported(path) if imported.startswith(watched)]
    paths = [path for name in hashes if (path := _path_of(name))]
    libraries = sorted({library for path in paths for library in _libraries(path)})
    return hash_of([hashes, {library: installed_version(library) for library in libraries}])


@lru_cache(maxsize=1)
def hash_of_all_code() -> str:
    """Return the hash of all files that can take part in a build, as they were when first asked for.

    Their bytes: this one compares machines and names no result.
    """
    paths = sorted(path for name in OURS for path in (ROOT / name.rstrip(".")).rglob("*.py"))
    return hash_of({path.relative_to(ROOT).as_posix(): hash_of_file(path) for path in paths})


_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_EMPTY: tuple[object, ...] = (None, [])


@dataclass(frozen=True, kw_only=True)
class _Module:
    """What counts of a module: the hash of its code, and the names that it imports."""

    sha256: str
    imported: tuple[str, ...]


# Once in each process: what it has imported does not change when its file does.
@lru_cache(maxsize=1024)
def _module(path: Path) -> _Module:
    """Return what counts of a module, from the cache if a file with the same bytes was parsed before."""
    content = path.read_bytes()
    key = hashlib.sha256(_own_sha256() + content).digest()
    cache = _parsed_modules()
    known = cache.load([key]).get(key)
    if known is None:
        module = _parsed(content)
        cache.store({key: "\n".join([module.sha256, *module.imported]).encode()})
        return module
    sha256, *imported = known.decode().split("\n")
    return _Module(sha256=sha256, imported=tuple(imported))


def _parsed(content: bytes) -> _Module:
    tree = ast.parse(content)
    code = repr(_code_of(tree))
    return _Module(sha256=hashlib.sha256(code.encode()).hexdigest(), imported=tuple(_names(tree)))


@lru_cache(maxsize=1)
def _own_sha256() -> bytes:
    """Return the hash of this file: what it makes of others is kept only as long as it stays the same."""
    return hashlib.sha256(Path(__file__).read_bytes()).digest()


def _parsed_modules() -> ValueCache:
    """Return the cache of parsed modules: a hundred of them take seconds, more than many commands."""
    folder = cache_path() / CODE_FOLDER
    return ValueCache(folder / f"modules{SUFFIX}", home=folder, most_rows=MOST_MODULES, most_bytes=MOST_BYTES)


def _code_of(node: object) -> object:
    """Return a parsed piece of code as plain values, without docstrings; comments and layout are not parsed.

    Empty fields are left out, since versions of Python differ in which ones there are.
    """
    if isinstance(node, list):
        return [_code_of(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    fields: list[tuple[str, Any]] = [(name, getattr(node, name, None)) for name in node._fields]
    if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        fields = [(name, value[1:] if name == "body" else value) for name, value in fields]
    return [type(node).__name__, [(name, _code_of(value)) for name, value in fields if value not in _EMPTY]]


def _imported(path: Path) -> tuple[str, ...]:
    return tuple(name for name in _module(path).imported if name.startswith(OURS))


def _libraries(path: Path) -> set[str]:
    roots = {name.partition(".")[0] for name in _module(path).imported}
    return {LIBRARIES[root] for root in roots if root in LIBRARIES}


@lru_cache(maxsize=64)
def installed_version(library: str) -> str | None:
    """Return the version that is installed, or None: results can be made without some libraries."""
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
    """Return the file of a module of ours, or None for any other name; nothing is imported for it."""
    place = ROOT.joinpath(*name.split("."))
    files = (place.with_name(f"{place.name}.py"), place / "__init__.py")
    return next((path for path in files if name.startswith(OURS) and path.is_file()), None)
