"""The folders inside a package import each other in one direction only, and its root holds few files."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("contract", "classifiers", "builder", "evaluator", "leaderboard")
MOST_FILES_IN_A_HALL = 3


@pytest.mark.parametrize("package", PACKAGES)
def test_rooms_do_not_import_each_other_in_a_circle(package: str) -> None:
    """Imports inside functions count too."""
    circle = imports_in_a_circle(ROOT / package)
    assert not circle, "\n".join(circle)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_hall_holds_few_files(package: str) -> None:
    """All other files have a room."""
    names = sorted(path.name for path in (ROOT / package).glob("*.py"))
    assert "__init__.py" in names
    assert len(names) <= 1 + MOST_FILES_IN_A_HALL, names


def test_a_circle_is_found_and_named(tmp_path: Path) -> None:
    """A lazy import and an import of the package's root can each close a circle."""
    package = tmp_path / "house"
    files = {
        "__init__.py": "from house.attic.box import Box\n",
        "attic/box.py": "import os\n\n\ndef open_box():\n    from house.cellar import door\n",
        "cellar/door.py": "from house.cellar.key import KEY\n",
        "cellar/key.py": "KEY = 1\n",
    }
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert imports_in_a_circle(package) == []
    (package / "cellar/key.py").write_text("def turn():\n    import house.attic.box\n")
    assert sorted(imports_in_a_circle(package)) == [
        "house/attic/box.py:5 imports house.cellar.door",
        "house/cellar/key.py:2 imports house.attic.box",
    ]
    (package / "cellar/key.py").write_text("from house import Box\n")
    assert sorted(imports_in_a_circle(package)) == [
        "house/__init__.py:1 imports house.attic.box.Box",
        "house/attic/box.py:5 imports house.cellar.door",
        "house/cellar/key.py:1 imports house.Box",
    ]


def imports_in_a_circle(package: Path) -> list[str]:
    """Return the imports that make up one circle of rooms, or nothing if there is no circle."""
    imports: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        room = room_of(package, path.relative_to(package).with_suffix("").parts)
        for line, module in imported_modules(path):
            name, *inner = module.split(".")
            imported_room = room_of(package, inner)
            if name == package.name and imported_room != room:
                text = f"{path.relative_to(package.parent).as_posix()}:{line} imports {module}"
                imports[room, imported_room].append(text)
    needs: dict[str, set[str]] = defaultdict(set)
    for importer, imported in imports:
        needs[importer].add(imported)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        # The sorter lists each room before one that needs it.
        return [text for imported, importer in pairwise(circle) for text in imports[importer, imported]]
    return []


def room_of(package: Path, inner: list[str] | tuple[str, ...]) -> str:
    """Return the first-level folder that holds a module of the package; files of the root share one room."""
    return inner[0] if inner and (package / inner[0]).is_dir() else "the hall"


def imported_modules(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of everything that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute in this project"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
