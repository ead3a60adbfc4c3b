"""A search hangs on no dimension but the one it is given: a change of one redoes no work of the others."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.searches import SEARCHES

ROOT = Path(__file__).parents[3]


def imported_names(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, at its top or inside functions, and their packages."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            steps = name.split(".")
            yield from (".".join(steps[:n]) for n in range(1, len(steps) + 1))


def file_of(name: str) -> Path | None:
    """Return the file of a module of ours, or nothing."""
    path = ROOT.joinpath(*name.split("."))
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None)


def import_closure(name: str) -> set[str]:
    """Return a module and all modules of ours that it imports, directly or through others."""
    closure: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        path = file_of(name)
        if path is not None and name not in closure:
            closure.add(name)
            waiting += imported_names(path)
    return closure


@pytest.mark.parametrize("setting", list(SEARCHES))
def test_a_search_imports_no_dimension(setting: str) -> None:
    """Neither the registry nor one of its modules."""
    closure = import_closure(f"builder.searches.{setting}")
    assert "builder.searches.search" in closure
    assert not {name for name in closure if name.startswith("builder.dimensions")}


def test_the_closure_sees_imports_inside_functions() -> None:
    """Or the test above could not fail."""
    closure = import_closure("builder.dimensions.contextual")
    assert {"builder.dimensions.contextual", "builder.models.encoder"} <= closure
    assert "builder.recipe.recipe" in import_closure("builder.commands.build")
