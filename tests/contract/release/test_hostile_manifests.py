"""A manifest from outside is refused before any name in it becomes part of a path, a page or code."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from contract.machine.errors import ExitCode, UserError
from contract.release.release import MANIFEST, Release
from hardfrost import cli

CODE = 'benign"""\n__import__("os").system("id")\n"""'
NAMES = [
    CODE,
    "/abs/x",
    "../../x",
    "a/b",
    "a\\b",
    "",
    ".",
    "UPPER",
    "a b",
    "a\x1b[2J",
    "a\u202eb",
    "{{ 1 }}",
    "a\n",
    "x" * 61,
]
LINES = ["two\nlines", "bell\x07", "\x1b[2J", "line\u2028end", "half \ud800", "", " ", "x" * 1001]
COMMANDS = (["verify"], ["info"], ["pack"], ["export", "lm-eval", "-o", "out"])


@pytest.fixture
def hostile(tiny: Path, tmp_path: Path) -> Callable[[Callable[[Any], object]], Path]:
    """Return a function that copies the release, changes its manifest, and returns the copy's folder."""

    def changed(change: Callable[[Any], object]) -> Path:
        folder = tmp_path / "release"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tiny, folder)
        raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        change(raw)
        (folder / MANIFEST).write_text(json.dumps(raw), encoding="utf-8")
        return folder

    return changed


Hostile = Callable[[Callable[[Any], object]], Path]


def set_name(part: str, value: str) -> Callable[[Any], object]:
    """Return what sets the name of the release, or of its first task, dimension, surrogate or split."""

    def change(raw: Any) -> None:
        if part in {"name", "version"}:
            raw[part] = value
        elif part in {"task", "dimension"}:
            raw["splits"][-1][part] = value
        else:
            raw[part][0]["name"] = value

    return change


@pytest.mark.parametrize("part", ["name", "version", "tasks", "dimensions", "task", "dimension"])
@pytest.mark.parametrize("name", NAMES)
def test_names_are_names(part: str, name: str, hostile: Hostile) -> None:
    """Of the release, its version, tasks, dimensions and splits; the error names the file."""
    with pytest.raises(UserError, match=MANIFEST) as refused:
        Release.open(hostile(set_name(part, name)))
    assert refused.value.exit_code == ExitCode.BAD_INPUT


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("key", ["labels", "fields"])
def test_labels_and_fields_are_lines(line: str, key: str, hostile: Hostile) -> None:
    """Any text of one line is a label, and nothing else is."""
    with pytest.raises(UserError, match=MANIFEST):
        Release.open(hostile(lambda raw: raw["tasks"][0][key].__setitem__(0, line)))


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw["columns"].pop(),
        lambda raw: raw["columns"].append("text"),
        lambda raw: raw["columns"].__setitem__(2, "txet"),
        lambda raw: raw["columns"].reverse(),
        lambda raw: raw["tasks"].append(raw["tasks"][0]),
        lambda raw: raw["tasks"].__setitem__(0, {**raw["tasks"][0], "name": "other"}),
        lambda raw: raw["dimensions"].clear(),
        lambda raw: raw["splits"].append(raw["splits"][0]),
        lambda raw: raw["splits"][0].update(path="../../etc/passwd"),
        lambda raw: raw["surrogates"].append(raw["surrogates"][0]),
        lambda raw: raw["tasks"][0].update(labels=["same", "same"]),
        lambda raw: raw["recipe"].update(name="half \ud800"),
        lambda raw: raw.update(canary="two\nlines"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(
    change: Callable[[Any], object], hostile: Hostile
) -> None:
    """Columns other than those of a release, parts listed twice or not at all, other paths."""
    folder = hostile(change)
    for command in COMMANDS:
        done = CliRunner().invoke(cli, [*command, str(folder)])
        assert isinstance(done.exception, UserError), (command, done.exception)
        assert MANIFEST in done.exception.message


def test_numbers_too_large_to_hold_are_refused(hostile: Hostile) -> None:
    """They would be infinite, and could not be hashed."""
    folder = hostile(lambda raw: raw["recipe"].update(huge="HUGE"))
    path = folder / MANIFEST
    path.write_text(path.read_text(encoding="utf-8").replace('"HUGE"', "1e999"), encoding="utf-8")
    with pytest.raises(UserError, match="too large a number"):
        Release.open(folder)


@pytest.mark.parametrize("name", [CODE, "/tmp/x", "../../x"])  # noqa: S108
def test_no_command_writes_outside_its_folder(name: str, hostile: Hostile, tmp_path: Path) -> None:
    """Whatever the release calls itself, nothing is written at all."""
    folder = hostile(set_name("name", name))
    before = sorted(tmp_path.rglob("*"))
    for command in (
        ["pack", folder],
        *(["export", harness, folder, "-o", tmp_path / "out"] for harness in ("lm-eval", "inspect")),
    ):
        assert isinstance(CliRunner().invoke(cli, [str(part) for part in command]).exception, UserError)
    assert sorted(tmp_path.rglob("*")) == before
