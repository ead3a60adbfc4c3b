"""Commands that make shipped data find what they import and write, and every named command exists."""

import ast
import importlib
import importlib.util
import pkgutil
import re
from pathlib import Path

import pytest

from builder import making

ROOT = Path(__file__).parents[3]
MODULES = sorted(module.name for module in pkgutil.walk_packages(making.__path__, "builder.making."))
COMMANDS = [name for name in MODULES if name.endswith((".derive", ".train"))]
_NAMED = re.compile(r"python -m ((?:benchmarks|builder|data_cards)\.[a-z_.]*[a-z_])")
_PATH_NAMES = ("ADAPTER_PATH", "GLOSSES_PATH", "MODEL_PATH", "TABLE_PATH", "THESAURUS_PATH", "WEIGHTS_PATH")


def own_imports(name: str) -> list[tuple[str, str]]:
    """Return the modules and names of this project that a module imports, read without importing it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return [
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.module.startswith(("builder.", "contract."))
        for alias in node.names
    ]


@pytest.mark.parametrize("name", MODULES)
def test_what_a_module_of_making_imports_is_there(name: str) -> None:
    """Also where a package that only making needs is not installed."""
    for module, imported in own_imports(name):
        try:
            imported_from = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name and error.name.startswith(("builder", "contract")):
                raise
        else:
            assert hasattr(imported_from, imported), f"{module} has no {imported}"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_writes_files_that_ship(name: str) -> None:
    """What it writes by default is there, beside the code that reads it."""
    paths = [
        getattr(importlib.import_module(module), imported)
        for module, imported in own_imports(name)
        if imported in _PATH_NAMES
    ]
    assert paths
    assert all(path.exists() and path.is_relative_to(ROOT / "builder") for path in paths)


def test_every_command_that_is_named_exists() -> None:
    """In docstrings, model cards, documents and error texts alike; and every command is named somewhere."""
    named = {
        (path.relative_to(ROOT).as_posix(), match.group(1))
        for folder in ("benchmarks", "builder", "data_cards", "docs")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".md", ".py"}
        for match in _NAMED.finditer(path.read_text(encoding="utf-8"))
    }
    assert {module for _, module in named} >= set(COMMANDS)
    missing = [(path, module) for path, module in sorted(named) if not is_command(module)]
    assert missing == []


def is_command(module: str) -> bool:
    """Whether a module, or a folder with a main module, can be run."""
    path = ROOT / module.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
