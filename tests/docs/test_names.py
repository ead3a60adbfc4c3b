"""Files, modules, commands and options that the documentation names exist."""

import importlib.util
import re
import shlex
from pathlib import Path

import click
import pytest
from pages import ROOT, blocks_of

import hardfrost

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
NAMED_PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`")


@pytest.fixture(params=PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def page(request: pytest.FixtureRequest) -> Path:
    """Return each page in turn."""
    path: Path = request.param
    return path


def test_named_files_and_folders_exist(page: Path) -> None:
    """All but those that a page tells its reader to write."""
    written = {block.title for block in blocks_of(page)}
    named = set(NAMED_PATH.findall(page.read_text(encoding="utf-8"))) - written
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_named_modules_exist(page: Path) -> None:
    """After `python -m`."""
    named = set(re.findall(r"python -m ([\w.]+)", page.read_text(encoding="utf-8")))
    assert [name for name in sorted(named) if importlib.util.find_spec(name) is None] == []


def test_named_commands_have_the_named_options(page: Path) -> None:
    """In blocks and in sentences; a command may be a command of a command."""
    wrong = []
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"(?:^\$ |`)(hardfrost [a-z][^`\n]*)", text, flags=re.MULTILINE):
        words = shlex.split(line.replace("…", ""), comments=True)[1:]
        context = click.Context(hardfrost.cli)
        command: click.Command | None = hardfrost.cli
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            command = command.get_command(context, words.pop(0))
        known = {"--help"} | {name for part in (command.params if command else ()) for name in part.opts}
        wrong += (
            [line]
            if command is None
            else [f"{line}: {word}" for word in words if word.startswith("--") and word not in known]
        )
    assert wrong == []
