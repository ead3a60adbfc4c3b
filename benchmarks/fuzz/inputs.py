"""Spoils one input after the other, and runs a command on each."""

import importlib
import json
import multiprocessing
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

from benchmarks.fuzz.kinds import Seed, run_command, seeds_of, turns_of
from benchmarks.fuzz.material import Material
from benchmarks.fuzz.oracle import Oracle
from benchmarks.fuzz.processes import Death, Life, do_all
from benchmarks.fuzz.running import Sandbox, is_over_memory

# Imported once, before the processes are forked off that run the commands.
COMMANDS = (
    "builder.commands.build",
    "builder.commands.publish",
    "builder.release.documents",
    "builder.run.pipeline",
    "flows.command_line.check_part",
    "contract.commands.releases",
    "contract.commands.transport",
    "evaluator.commands.check",
    "evaluator.commands.export",
    "evaluator.commands.score",
    "evaluator.commands.stability",
    "evaluator.commands.template",
    "evaluator.stability.stability",
    "leaderboard.commands.leaderboard",
    "leaderboard.pages.reports",
    "leaderboard.pages.site",
)
# As many share a process: forking takes as long as a command, and some faults need a fresh one.
INPUTS_A_PROCESS = 120


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one spoilt input."""

    kind: str
    number: int
    command: str
    exit_code: int
    faults: list[str]
    # Whether a score was compared with that of another reader.
    is_compared: bool = False


@dataclass(frozen=True, kw_only=True)
class SpoiltInput:
    """An input to be given to a command; the same number makes the same one."""

    kind: str
    number: int
    seed: Seed
    data: bytes
    line: str

    @classmethod
    def of_number(cls, material: Material, seed: int, number: int) -> "SpoiltInput":
        """Spoil an input; the kinds take turns."""
        random = Random(f"{seed}.{number}")
        kinds = _seeds_of(material)
        turns = turns_of(list(kinds))
        kind = turns[number % len(turns)]
        chosen = random.choice(kinds[kind])
        return cls.of_seed(chosen, random, kind=kind, number=number)

    @classmethod
    def of_seed(cls, seed: Seed, random: Random, *, kind: str, number: int) -> "SpoiltInput":
        """Spoil one good file."""
        data = seed.mutate(seed.data, random)
        line = random.choice(list(seed.commands) or ["read"]).replace("FILE", seed.name)
        return cls(kind=kind, number=number, seed=seed, data=data, line=line)

    def put(self, sandbox: Path) -> None:
        """Write the input, and what must lie beside it."""
        self.seed.beside(sandbox)
        path = sandbox / self.seed.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data)

    def outcome(self, exit_code: int, faults: list[str], *, is_compared: bool = False) -> Outcome:
        """Return what became of it."""
        return Outcome(
            kind=self.kind,
            number=self.number,
            command=self.line.split()[0],
            exit_code=exit_code,
            faults=faults,
            is_compared=is_compared,
        )

    def keep(self, folder: Path, faults: list[str], printed: str) -> None:
        """Keep an input that did what it should not."""
        place = folder / f"{self.number:06d}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / Path(self.seed.name).name).write_bytes(self.data)
        what = {"command": self.line, "faults": faults, "printed": printed}
        (place / "fault.json").write_text(json.dumps(what, indent=2), encoding="utf-8")


def run_all(material: Material, n_inputs: int, seed: int, n_workers: int, keep: Path) -> Iterator[Outcome]:
    """Yield the outcome of every input."""
    batches = [
        range(start, min(start + INPUTS_A_PROCESS, n_inputs))
        for start in range(0, n_inputs, INPUTS_A_PROCESS)
    ]
    do = partial(_run_some, material, seed, keep.resolve())
    with multiprocessing.get_context("spawn").Pool(n_workers, _prepare) as pool:
        for outcomes in pool.imap_unordered(do, batches):
            yield from outcomes


def _prepare() -> None:
    for name in COMMANDS:
        importlib.import_module(name)


@cache
def _seeds_of(material: Material) -> dict[str, list[Seed]]:
    return seeds_of(material)


@cache
def _oracle_of(release: Path) -> Oracle:
    return Oracle.of_release(release)


def _run_some(material: Material, seed: int, keep: Path, numbers: range) -> list[Outcome]:
    """Run some inputs in a process of their own; one that ends it is a fault, the next go on in another."""
    _oracle_of(material.release)
    outcomes = []
    for found in do_all(partial(_run_one, material, seed, keep), numbers):
        if isinstance(found, Death):
            spoilt = SpoiltInput.of_number(material, seed, found.number)
            spoilt.keep(keep, [found.how], "")
            outcomes.append(spoilt.outcome(-1, [found.how]))
        else:
            outcomes.append(found)
    return outcomes


def _run_one(material: Material, seed: int, keep: Path, number: int) -> Life[Outcome]:
    """Spoil one input, run one command on it, and look at what it did."""
    return run_spoilt(SpoiltInput.of_number(material, seed, number), material, keep)


def run_spoilt(spoilt: SpoiltInput, material: Material, keep: Path) -> Life[Outcome]:
    """Run the command of a spoilt input, in this process, and look at what it did."""
    sandbox = Sandbox()
    spoilt.put(sandbox.path)
    os.environ["HARDFROST_CACHE"] = str(sandbox.path / "out" / "cache")
    action = spoilt.seed.action
    ending = sandbox.run(lambda: action(spoilt.data) if action else run_command(spoilt.line, material))
    faults = list(ending.faults)
    wrong = None
    if spoilt.kind == "predictions" and not ending.exit_code:
        result = json.loads((sandbox.path / "out" / "result.json").read_text(encoding="utf-8"))
        wrong = _oracle_of(material.release).wrong_figures(spoilt.data, spoilt.seed.name, result)
    faults += [f"wrong score: {text}" for text in wrong or []]
    if faults:
        spoilt.keep(keep, faults, ending.printed)
    sandbox.remove()
    outcome = spoilt.outcome(ending.exit_code, faults, is_compared=wrong is not None)
    return Life(result=outcome, is_spent=is_over_memory())
