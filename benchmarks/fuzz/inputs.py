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

from benchmarks.fuzz.kinds import Seed, run_command, seeds_of
from benchmarks.fuzz.material import Material
from benchmarks.fuzz.oracle import Oracle
from benchmarks.fuzz.running import remove, run_apart

# Imported once, before the processes are forked off that run the commands.
COMMANDS = (
    "builder.commands.build",
    "builder.run.pipeline",
    "contract.commands.releases",
    "contract.commands.transport",
    "evaluator.commands.check",
    "evaluator.commands.export",
    "evaluator.commands.score",
    "evaluator.commands.template",
    "leaderboard.commands.leaderboard",
    "leaderboard.pages.reports",
    "leaderboard.pages.site",
)


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


def run_all(material: Material, n_inputs: int, seed: int, n_workers: int, keep: Path) -> Iterator[Outcome]:
    """Yield the outcome of every input; the kinds take turns."""
    do = partial(_run_one, material, seed, keep)
    with multiprocessing.get_context("spawn").Pool(n_workers, _prepare) as pool:
        yield from pool.imap_unordered(do, range(n_inputs), chunksize=8)


def _prepare() -> None:
    for name in COMMANDS:
        importlib.import_module(name)


@cache
def _oracle_of(release: Path) -> Oracle:
    return Oracle.of_release(release)


def _run_one(material: Material, seed: int, keep: Path, number: int) -> Outcome:
    """Spoil one input, run one command on it, and look at what it did."""
    random = Random(f"{seed}.{number}")
    kinds = seeds_of(material)
    kind = list(kinds)[number % len(kinds)]
    chosen = random.choice(kinds[kind])
    data = chosen.mutate(chosen.data, random)
    command = random.choice(list(chosen.commands) or ["read"])
    line = command.replace("FILE", chosen.name)

    def put(sandbox: Path) -> None:
        chosen.beside(sandbox)
        path = sandbox / chosen.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def action(sandbox: Path) -> int:
        os.environ["HARDFROST_CACHE"] = str(sandbox / "out" / "cache")
        return chosen.action(data) if chosen.action else run_command(line, material)

    ending, sandbox = run_apart(action, put=put)
    faults = list(ending.faults)
    wrong = (
        _wrong_score(_oracle_of(material.release), chosen, data, sandbox)
        if kind == "predictions" and not ending.exit_code
        else None
    )
    faults += [f"wrong score: {text}" for text in wrong or []]
    if faults:
        _keep(
            keep / f"{number:06d}",
            chosen,
            data,
            {"command": line, "faults": faults, "printed": ending.printed},
        )
    remove(sandbox)
    return Outcome(
        kind=kind,
        number=number,
        command=command.split()[0],
        exit_code=ending.exit_code,
        faults=faults,
        is_compared=wrong is not None,
    )


def _wrong_score(oracle: Oracle, seed: Seed, data: bytes, sandbox: Path) -> list[str] | None:
    result = json.loads((sandbox / "out" / "result.json").read_text(encoding="utf-8"))
    return oracle.wrong_figures(data, seed.name, result)


def _keep(folder: Path, seed: Seed, data: bytes, what: dict[str, object]) -> None:
    """Keep an input that did what it should not."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / Path(seed.name).name).write_bytes(data)
    (folder / "fault.json").write_text(json.dumps(what, indent=2), encoding="utf-8")
