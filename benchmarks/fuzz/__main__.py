"""Spoils inputs of every kind and gives them to the commands that read them.

Run: python -m benchmarks.fuzz [--inputs 100000] [--seed 0] [--workers 2] [--keep FOLDER]
A command may refuse an input; it may not end in a traceback or by a signal, print control characters, write
outside its output folder, take more than 10 s of processor time or 1 GB, or score a file otherwise than its
predictions say. Fails where one did; the inputs that did it are kept.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.fuzz.inputs import Outcome, run_all
from benchmarks.fuzz.material import ROOT, make_material

INPUTS_A_LINE = 1_000


def main() -> int:
    """Run all inputs and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-faults"))
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(ROOT)
    with tempfile.TemporaryDirectory(prefix="fuzz-material-") as folder:
        material = make_material(Path(folder))
        outcomes = []
        for outcome in run_all(material, options.inputs, options.seed, options.workers, options.keep):
            outcomes.append(outcome)
            if len(outcomes) % INPUTS_A_LINE == 0:
                n_faulty = sum(bool(each.faults) for each in outcomes)
                print(f"{len(outcomes):,} inputs, {n_faulty} with faults", file=sys.stderr, flush=True)
    return _print(outcomes, options.keep)


def _print(outcomes: list[Outcome], keep: Path) -> int:
    """Print how many inputs of each kind were taken or refused, and every fault; return the exit code."""
    print(f"{'kind':<14}{'inputs':>8}{'accepted':>10}{'refused':>9}{'compared':>10}{'faults':>8}")
    for kind in dict.fromkeys(outcome.kind for outcome in sorted(outcomes, key=lambda each: each.number)):
        of_kind = [outcome for outcome in outcomes if outcome.kind == kind]
        n_accepted = sum(outcome.exit_code == 0 for outcome in of_kind)
        n_faulty = sum(bool(outcome.faults) for outcome in of_kind)
        n_compared = sum(outcome.is_compared for outcome in of_kind)
        print(
            f"{kind:<14}{len(of_kind):>8}{n_accepted:>10}{len(of_kind) - n_accepted:>9}"
            f"{n_compared:>10}{n_faulty:>8}"
        )
    faults = Counter(
        f"{outcome.kind}, {outcome.command}: {fault[:150]}"
        for outcome in outcomes
        for fault in outcome.faults
    )
    for fault, n in faults.most_common():
        print(f"{n:>5} × {fault}")
    if faults:
        print(f"kept in {keep}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
