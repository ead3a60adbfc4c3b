"""Tables and lists fit a terminal of 80 columns."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.predicting.predicting import predict

ROOT = Path(__file__).parents[3]
_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def printed(*arguments: object) -> list[str]:
    """Return the lines that a command prints on a terminal of 80 columns."""
    end, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "import hardfrost; hardfrost.main()", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    data = b""
    try:
        while piece := os.read(end, 65_536):
            data += piece
    except OSError:
        # How Linux says that the other end is closed.
        pass
    os.close(end)
    assert process.wait() == 0
    return _STYLE.sub("", data.decode()).splitlines()


@pytest.mark.parametrize("command", ["score", "compare", "info", "list classifiers", "list dimensions"])
def test_lines_fit_a_narrow_terminal(command: str, release_path: Path, tmp_path: Path) -> None:
    """All but the signature, which is cited in one piece."""
    predict(release_path, "guess", tmp_path / "a_file_with_a_long_name_of_the_first.jsonl")
    predict(release_path, "majority", tmp_path / "b.jsonl")
    first, second = tmp_path / "a_file_with_a_long_name_of_the_first.jsonl", tmp_path / "b.jsonl"
    arguments = {
        "score": (
            release_path,
            first,
            "--model-name",
            "a model",
            "-o",
            tmp_path / "r.json",
            "--resamples",
            20,
        ),
        "compare": (release_path, first, second, "--resamples", 20),
        "info": (release_path,),
    }
    lines = printed(*command.split(), *arguments.get(command, ()))
    assert len(lines) > 3
    assert [line for line in lines if len(line) > 80 and not line.startswith("benchmark:")] == []
