"""Spoilt inputs of every kind are refused or read, and a fault is seen as one."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.fuzz.inputs import run_all
from benchmarks.fuzz.material import ROOT, make_material
from benchmarks.fuzz.oracle import Oracle
from benchmarks.fuzz.running import remove, run_apart


def fault_of(action: Callable[[Path], int]) -> str:
    """Return what is said of an action that goes wrong."""
    ending, sandbox = run_apart(action, put=lambda _: None)
    remove(sandbox)
    return " ".join(ending.faults)


def test_a_few_inputs_of_every_kind_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make fuzz` runs thousands."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    material = make_material(tmp_path / "material")
    outcomes = list(run_all(material, 48, 1, 1, tmp_path / "faults"))
    assert len(outcomes) == 48
    assert len({outcome.kind for outcome in outcomes}) == 6
    assert [outcome.faults for outcome in outcomes if outcome.faults] == []
    answers = material.read("predictions.jsonl")
    oracle = Oracle.of_release(material.release)
    result = {"tasks": {"mr": {"clean": {"accuracy": 0.123}, "dimensions": {}}}}
    assert len(oracle.wrong_figures(answers, "p.jsonl", result) or []) == 1


def test_harm_is_seen() -> None:
    """A traceback, a signal, a file elsewhere and a control character are faults."""

    def crash(_: Path) -> int:
        raise ValueError("spoilt")

    def write_outside(sandbox: Path) -> int:
        (sandbox / ".." / "elsewhere").write_text("", encoding="utf-8")
        return 0

    assert "traceback: ValueError: spoilt" in fault_of(crash)
    assert "signal 9" in fault_of(lambda _: os.kill(os.getpid(), signal.SIGKILL) or 0)
    assert "wrote deep/elsewhere" in fault_of(write_outside)
    assert "control characters" in fault_of(lambda _: sys.stdout.write("\x1b[31m"))
    assert fault_of(lambda sandbox: (sandbox / "out/x").write_text("")) == ""
