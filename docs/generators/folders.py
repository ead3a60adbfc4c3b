"""What each folder of code holds, by the docstring of its `__init__.py`."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
# From the ground up: each package imports only those before it.
PACKAGES = ("contract", "classifiers", "builder", "evaluator", "leaderboard", "flows")


def folders_section() -> Iterator[str]:
    """Yield a section for each package: what it is, and a table of its folders."""
    for package in PACKAGES:
        yield f"### {package}"
        yield ""
        yield summary_of(ROOT / package)
        folders = list(_folders(ROOT / package))
        if folders:
            yield ""
            yield "| folder | what it holds |"
            yield "| --- | --- |"
            yield from (f"| `{folder.relative_to(ROOT)}/` | {summary_of(folder)} |" for folder in folders)
        yield ""


def summary_of(folder: Path) -> str:
    """Return the first line of a package's docstring."""
    path = folder / "__init__.py"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if not docstring:
        raise ValueError(f"{path} has no docstring; say in a line what the folder holds")
    return docstring.partition("\n")[0]


def _folders(folder: Path) -> Iterator[Path]:
    """Yield the packages inside a package, each followed by those inside it."""
    for path in sorted(folder.iterdir()):
        if (path / "__init__.py").is_file():
            yield path
            yield from _folders(path)
