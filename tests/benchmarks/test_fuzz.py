"""Spoilt inputs of every kind are refused or read, and a fault is seen as one."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.fuzz import processes
from benchmarks.fuzz.inputs import run_all
from benchmarks.fuzz.material import ROOT, make_material
from benchmarks.fuzz.oracle import Oracle
from benchmarks.fuzz.processes import Death, Life, do_all
from benchmarks.fuzz.running import Sandbox


def fault_of(action: Callable[[Path], int]) -> str:
    """Return what is said of an action that goes wrong."""

    def do(_: int) -> Life[list[str]]:
        sandbox = Sandbox()
        ending = sandbox.run(lambda: action(sandbox.path))
        sandbox.remove()
        return Life(result=ending.faults)

    (found,) = do_all(do, [0])
    return found.how if isinstance(found, Death) else " ".join(found)


def test_a_few_inputs_of_every_kind_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make fuzz` runs thousands."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    material = make_material(tmp_path / "material")
    outcomes = list(run_all(material, 57, 1, 1, tmp_path / "faults"))
    assert len(outcomes) == 57
    assert len({outcome.kind for outcome in outcomes}) == 7
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


def test_one_that_ends_its_process_does_not_end_the_others() -> None:
    """Nor does one after which the process should do no more."""

    def do(number: int) -> Life[int]:
        if number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return Life(result=os.getpid() if number < 2 else -number, is_spent=number == 3)

    found = list(do_all(do, range(6)))
    assert found[0] == found[1] != os.getpid()
    assert found[2:] == [Death(number=2, how=f"ended by signal {signal.SIGKILL:d}"), -3, -4, -5]


def test_one_that_hangs_or_never_ends_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is processor time, so that a busy machine makes no faults."""
    monkeypatch.setattr(processes, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(processes, "PATIENCE_SECONDS", 0.5)
    assert "did nothing for 0.5 s" in fault_of(lambda _: signal.pause() or 0)
    monkeypatch.setattr(processes, "PATIENCE_SECONDS", 600)
    monkeypatch.setattr(processes, "MOST_CPU_SECONDS", 0.2)
    assert "0.2 s of processor time" in fault_of(_never_end)


def _never_end(_: Path) -> int:
    while True:
        pass
