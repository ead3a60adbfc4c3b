"""Whatever a YAML file holds, it is read as plain values or refused by file and line."""

import contextlib
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.machine.errors import ExitCode, UserError
from contract.machine.yaml_files import read_yaml

BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
HOSTILE = {
    "itself": "a: &a [*a]",
    "bomb": BOMB,
    "merge": "a: &a {b: 1}\nc:\n  <<: *a",
    "deep flow": "a: " + "[" * 5_000,
    "deep closed flow": "a: " + "[" * 5_000 + "]" * 5_000,
    "deep blocks": "\n".join(" " * n + "a:" for n in range(200)),
    "no such date": "seed: 2001-99-99",
    "no integer": "seed: !!int abc",
    "no truth": "seed: !!bool abc",
    "no time": "seed: !!timestamp abc",
    "no number": "seed: !!float abc",
    "no bytes": "seed: !!binary é",
    "huge": "seed: " + "9" * 5_000,
    "huge in base 60": "seed: 1" + ":59" * 5_000,
    "object": "seed: !!python/object/apply:os.system [id]",
    "half": 'seed: "\\ud800"',
    "beyond": 'seed: "\\U00110000"',
    "nothing": 'seed: "\\0"',
    "control": "seed: \x01",
    "unhashable": "? [a]\n: b",
    "two": "--- a\n--- b",
    "unknown": "a: *b",
    "integer alone": "seed: !!int ''",
}
PIECES = ["a: ", "- ", "[", "]", "{", "}", "? ", "\n", "  ", '"', "\\x", "<<: ", ">", "%", "x"]
PIECES += ["!!int ", "!!set ", "!!omap ", "&a ", "*a ", "1:2"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused_by_line(kind: str, tmp_path: Path) -> None:
    """At once, in words."""
    path = tmp_path / "file.yaml"
    path.write_text(HOSTILE[kind], encoding="utf-8")
    start = time.monotonic()
    with pytest.raises(UserError, match=r"file\.yaml:\d+: ") as refused:
        read_yaml(path)
    assert refused.value.exit_code == ExitCode.BAD_INPUT
    assert len(refused.value.message) < 600
    assert time.monotonic() - start < 5


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """By their name: not there, not UTF-8, too large."""
    path = tmp_path / "file.yaml"
    with pytest.raises(UserError, match="there is no such file"):
        read_yaml(path)
    for content in (b"\xff\xff", b"a" * 1_000_001):
        path.write_bytes(content)
        with pytest.raises(UserError, match=r"file\.yaml: "):
            read_yaml(path)


def test_plain_values_are_read(tmp_path: Path) -> None:
    """With the nodes that know their lines; an empty file holds nothing."""
    path = tmp_path / "file.yaml"
    path.write_text('a: [1, 0.5, true, null, "\\t", é]\n', encoding="utf-8")
    value, node = read_yaml(path)
    assert value == {"a": [1, 0.5, True, None, "\t", "é"]}
    assert node is not None
    path.write_text("", encoding="utf-8")
    assert read_yaml(path) == (None, None)


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_text_ends_in_anything_but_a_value_or_an_error(parts: list[str]) -> None:
    """Pieces of YAML in any order."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.yaml"
        path.write_text("".join(parts), encoding="utf-8")
        with contextlib.suppress(UserError):
            read_yaml(path)
