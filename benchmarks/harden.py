"""What adversarial training wins on mr: `python -m benchmarks.harden --out FOLDER`.

Builds a release of `mr` with Zéroe's attacks, hardens a kind of classifier on it, and says which lines hold:
the diagonal of 1-1 is positive and above the rest, leave-one-out lies between.
"""

import sys
from pathlib import Path
from statistics import fmean

import click

from builder.dimensions import DIMENSIONS
from builder.recipe.recipe import Recipe
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from contract.machine.progress import Bars
from contract.release.release import MANIFEST
from contract.schema.hardening import OTHER_ATTACKS, SAME_ATTACK, Hardening, ranking_of
from flows.harden.running import REPORT, HardenRequest, run_hardening
from leaderboard.pages.hardening import write_hardening

MIDDLE = 0.5


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where finished parts are kept.")
@click.option("--kind", default="cnn", show_default=True)
@click.option("--samples", default=500, show_default=True)
@click.option("--train-rows", default=4000, show_default=True)
@click.option("--workers", default=2, show_default=True)
def main(out: Path, kind: str, samples: int, train_rows: int, workers: int) -> None:
    """Print the gains at the middle degree and the ranking of schemes; exit 1 where a line does not hold."""
    release = out / f"release-{samples}-{train_rows}"
    if not (release / MANIFEST).is_file():
        build(_recipe(samples, train_rows), release, Bars(), ExecutionOptions.with_workers(workers))
    folder = out / f"{kind}-{samples}-{train_rows}"
    request = HardenRequest(
        release_path=release,
        folder=folder,
        kind=kind,
        schemes=("1-1", "leave-one-out"),
        train_rows=train_rows,
    )
    with Bars() as bars:
        found = run_hardening(request, workers, bars)
    write_hardening(found, folder / REPORT)
    place = found.degrees.index(MIDDLE)
    own = {model.trained_on[0]: model for model in found.models if model.scheme == "1-1"}
    diagonal = {attack: found.gain(own[attack], attack, place) or 0.0 for attack in found.attacks}
    rest = fmean(
        found.gain(model, attack, place) or 0.0
        for trained, model in own.items()
        for attack in found.attacks
        if attack != trained
    )
    click.echo(f"{kind} on mr, clean {found.plain.clean:.3f}, gains at p = {MIDDLE} in percentage points")
    for attack, gain in diagonal.items():
        before = found.plain.accuracies[attack][place]
        click.echo(f"  {attack:15} without {100 * (before or 0):5.1f}   trained on it {100 * gain:+5.1f}")
    ranking = {each.name: each for each in ranking_of(found)}
    for each in ranking.values():
        click.echo(f"  {each.name:20} {100 * each.gain:+5.1f}   clean {100 * each.clean_change:+5.1f}")
    lines = _lines(found, diagonal, rest)
    for line, holds in lines.items():
        click.echo(f"{'holds' if holds else 'DOES NOT HOLD':13}  {line}")
    sys.exit(0 if all(lines.values()) else 1)


def _lines(found: Hardening, diagonal: dict[str, float], rest: float) -> dict[str, bool]:
    ranking = {each.name: each.gain for each in ranking_of(found)}
    return {
        "the diagonal of 1-1 is positive for every attack": min(diagonal.values()) > 0,
        f"its mean {fmean(diagonal.values()):.3f} is above that beside it {rest:.3f}": fmean(
            diagonal.values()
        )
        > rest,
        "leave-one-out lies between": ranking[OTHER_ATTACKS]
        <= ranking["leave-one-out"]
        <= ranking[SAME_ATTACK],
    }


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
