"""Spoilt inputs of every kind are refused or read, and a fault is seen as one."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz import processes
from benchmarks.fuzz.corpus import inputs_of, kept_faults
from benchmarks.fuzz.inputs import Outcome, SpoiltInput, run_all, run_spoilt
from benchmarks.fuzz.kinds import Seed, seeds_of
from benchmarks.fuzz.material import ROOT, Material, make_material
from benchmarks.fuzz.oracle import Oracle
from benchmarks.fuzz.processes import Death, Life, do_all
from benchmarks.fuzz.running import Sandbox

KINDS = ("predictions", "manifest", "recipe", "archive", "result", "own files", "chat reply", "rows")
EXAMPLES = 6
# Archives of kinds that `download` does not read.
NOT_TAKEN = {"r.tar.xz", "r.tar.bz2"}
# `diff` tells by its exit code whether releases differ.
GOOD_ENDINGS = [(0, []), (4, [])]


def fault_of(action: Callable[[Path], int]) -> str:
    """Return what is said of an action that goes wrong."""

    def do(_: int) -> Life[list[str]]:
        sandbox = Sandbox()
        ending = sandbox.run(lambda: action(sandbox.path))
        sandbox.remove()
        return Life(result=ending.faults)

    (found,) = do_all(do, [0])
    return found.how if isinstance(found, Death) else " ".join(found)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """Return good inputs of every kind."""
    return make_material(tmp_path_factory.mktemp("fuzz") / "material")


def faults_of(inputs: Sequence[SpoiltInput], material: Material, keep: Path) -> list[object]:
    """Return what inputs did that they should not, all in a process of their own."""
    found = do_all(lambda number: run_spoilt(inputs[number], material, keep), range(len(inputs)))
    return [each if isinstance(each, Death) else (each.command, each.faults) for each in found if _did(each)]


def _did(found: Outcome | Death) -> bool:
    return isinstance(found, Death) or bool(found.faults)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_spoilt_in_an_input_does_no_harm(kind: str, material: Material, tmp_path: Path) -> None:
    """Hypothesis chooses what is spoilt and how; a failure is told as the smallest input that it finds."""

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(seed=st.sampled_from(seeds_of(material)[kind]), random=st.randoms(use_true_random=False))
    def spoil(seed: Seed, random: Random) -> None:
        spoilt = SpoiltInput.of_seed(seed, random, kind=kind, number=0)
        assert faults_of([spoilt], material, tmp_path / "faults") == []

    spoil()


def test_inputs_that_once_did_harm_do_none(material: Material, tmp_path: Path) -> None:
    """Every command that reads such a file is given it."""
    for fault in kept_faults():
        inputs = list(inputs_of(fault, material))
        assert inputs
        assert faults_of(inputs, material, tmp_path / "faults") == [], fault["what"]


def test_good_inputs_are_taken(material: Material, tmp_path: Path) -> None:
    """Else nothing would be learned from spoilt ones."""
    for kind, seeds in seeds_of(material).items():
        for seed in seeds:
            if seed.name in NOT_TAKEN:
                continue
            for line in seed.commands or ["read"]:
                good = SpoiltInput(
                    kind=kind, number=0, seed=seed, data=seed.data, line=line.replace("FILE", seed.name)
                )
                (found,) = do_all(lambda _: run_spoilt(good, material, tmp_path / "faults"), [0])  # noqa: B023
                assert isinstance(found, Outcome)
                assert (found.exit_code, found.faults) in GOOD_ENDINGS, (kind, seed.name, line)


def test_a_few_inputs_of_every_kind_do_no_harm(
    material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make fuzz` runs a hundred thousand."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    outcomes = list(run_all(material, 65, 1, 1, tmp_path / "faults"))
    assert len(outcomes) == 65
    assert {outcome.kind for outcome in outcomes} == set(KINDS)
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
