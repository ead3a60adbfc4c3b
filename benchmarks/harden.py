"""What adversarial training wins on mr: `python -m benchmarks.harden --out FOLDER`.

Builds a release of `mr` with Zéroe's attacks, hardens kinds of classifiers on it, and says which lines hold:
the diagonal of 1-1 is positive and above the rest, leave-one-out lies between. `--keep` writes the figures
that `docs/defences.md` shows; a run goes on where an earlier one ended.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

import click

from builder.dimensions import DIMENSIONS
from builder.recipe.recipe import Recipe
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from contract.machine.progress import Bars
from contract.machine.whole_files import write_text
from contract.release.release import MANIFEST
from contract.schema.hardening import OTHER_ATTACKS, SAME_ATTACK, Hardening, Scheme, ranking_of
from docs.generators.defences import KEPT_PATH
from flows.harden.running import REPORT, HardenRequest, run_hardening
from leaderboard.pages.hardening import write_hardening

MIDDLE = 0.5
KINDS = ("word-tfidf", "cnn", "char-tfidf")
SCHEMES: tuple[Scheme, ...] = ("1-1", "leave-one-out", "random")
# Of kept accuracies; a case more or less is seen in the fourth.
DIGITS = 5


@dataclass(frozen=True, kw_only=True)
class Check:
    """The lines that should hold of a run, by its gains at the middle degree."""

    found: Hardening

    @cached_property
    def place(self) -> int:
        """Where the middle degree stands."""
        return self.found.degrees.index(MIDDLE)

    def gains(self, *, is_same: bool) -> dict[tuple[str, str], float]:
        """Return the gains of 1-1 by what a model is trained and tested on: the diagonal, or all others."""
        return {
            (model.trained_on[0], attack): self.found.gain(model, attack, self.place) or 0.0
            for model in self.found.models
            if model.scheme == "1-1"
            for attack in self.found.attacks
            if (attack in model.trained_on) == is_same
        }

    def lines(self) -> dict[str, bool]:
        """Return what should hold, and whether it does."""
        diagonal, rest = (self.gains(is_same=is_same).values() for is_same in (True, False))
        ranking = {each.name: each.gain for each in ranking_of(self.found)}
        return {
            "the diagonal of 1-1 is positive for every attack": min(diagonal) > 0,
            f"its mean {100 * fmean(diagonal):.1f} is above that beside it {100 * fmean(rest):.1f}": fmean(
                diagonal
            )
            > fmean(rest),
            "leave-one-out lies between": ranking[OTHER_ATTACKS]
            <= ranking["leave-one-out"]
            <= ranking[SAME_ATTACK],
        }


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where finished parts are kept.")
@click.option("--kind", "kinds", default=KINDS, multiple=True, show_default=True)
@click.option("--samples", default=1000, show_default=True)
@click.option("--train-rows", default=2000, show_default=True)
@click.option("--workers", default=1, show_default=True)
@click.option("--keep", "is_kept", is_flag=True, help="Write what the documentation shows.")
def main(
    out: Path, kinds: tuple[str, ...], samples: int, train_rows: int, workers: int, *, is_kept: bool
) -> None:
    """Print the gains at the middle degree and the ranking of schemes; exit 1 where a line does not hold."""
    release = out / f"release-{samples}-{train_rows}"
    if not (release / MANIFEST).is_file():
        build(_recipe(samples, train_rows), release, Bars(), ExecutionOptions.with_workers(workers))
    runs = []
    for kind in kinds:
        folder = out / f"{kind}-{samples}-{train_rows}"
        request = HardenRequest(
            release_path=release, folder=folder, kind=kind, schemes=SCHEMES, train_rows=train_rows
        )
        with Bars() as bars:
            runs.append(run_hardening(request, workers, bars))
        write_hardening(runs[-1], folder / REPORT)
        _print(runs[-1])
        if is_kept:
            write_text(KEPT_PATH, kept_lines(runs))
    sys.exit(0 if all(all(Check(found=run).lines().values()) for run in runs) else 1)


def kept_lines(runs: Sequence[Hardening]) -> str:
    """Return the runs as lines of JSON, accuracies without digits that say nothing."""
    return "".join(
        json.dumps(_rounded(run.to_json()), ensure_ascii=False, sort_keys=True) + "\n" for run in runs
    )


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(own) for key, own in value.items()}
    return [_rounded(own) for own in value] if isinstance(value, list | tuple) else value


def _print(found: Hardening) -> None:
    check = Check(found=found)
    click.echo(
        f"{found.kind} on mr, clean {found.plain.clean:.3f}, gains at p = {MIDDLE} in percentage points"
    )
    for (_, attack), gain in check.gains(is_same=True).items():
        before = found.plain.accuracies[attack][check.place]
        click.echo(f"  {attack:15} without {100 * (before or 0):5.1f}   trained on it {100 * gain:+5.1f}")
    for each in ranking_of(found):
        click.echo(f"  {each.name:20} {100 * each.gain:+5.1f}   clean {100 * each.clean_change:+5.1f}")
    for line, holds in check.lines().items():
        click.echo(f"{'holds' if holds else 'DOES NOT HOLD':13}  {line}")


def _recipe(samples: int, train_rows: int) -> Recipe:
    attacks = [name for name, own in DIMENSIONS.items() if own.group == "zeroe"]
    return Recipe.model_validate(
        {
            "name": "harden-mr",
            "version": "1",
            "seed": 1,
            "tasks": [{"name": "mr", "source": "mr", "samples": samples, "train_rows": train_rows}],
            "dimensions": attacks,
            "cases": {"rule": 1},
            "surrogates": ["word-tfidf"],
        }
    )


if __name__ == "__main__":
    main()
