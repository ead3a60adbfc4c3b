"""Commands under load, in small: what `python -m benchmarks.load` does with thousands."""

import pytest

from benchmarks.load import LOADS, main

SMALL = ["--submissions", "6", "--requests", "40", "--gigabytes", "0.02", "--builds", "2"]


@pytest.mark.parametrize("name", LOADS)
def test_a_small_load_loses_doubles_and_differs_in_nothing(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every problem is a line, and the exit code says whether there is one."""
    assert main([*SMALL, "--only", name]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out.startswith(name)
