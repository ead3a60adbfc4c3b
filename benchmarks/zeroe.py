"""Zéroe's figures of a release: s*(p) of every surrogate, attackers by harm, harm against edit distance.

Run it as `python -m benchmarks.zeroe RELEASE`, after `hardfrost build zeroe -o RELEASE`. The votes that a
release stores of its surrogates suffice; no model is asked.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from rapidfuzz.distance import Levenshtein

from contract.machine.errors import bad_input
from contract.release.release import Release
from contract.schema.manifest import DimensionGroup
from contract.schema.names import CLEAN
from contract.schema.records import Record, records_of


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What one attack does to one model at one degree."""

    dimension: str
    degree: float
    # s*(p): accuracy on cases over accuracy on clean texts of the task.
    relative: float
    # Edit distance of case and original over the characters of the original, mean over cases.
    distance: float
    n_cases: int


def figure_of(dimension: str, degree: float, cases: Sequence[Record], place: int, clean: float) -> Figure:
    """Return the figure of the surrogate at a place of the votes; `clean` is its accuracy on originals."""
    known = [record for record in cases if record.surrogate_predictions[place] is not None]
    right = [record.surrogate_predictions[place] == record.label for record in known]
    distances = [
        Levenshtein.distance(record.unperturbed_text, record.perturbed_text) / len(record.unperturbed_text)
        for record in known
    ]
    return Figure(
        dimension=dimension,
        degree=degree,
        relative=fmean(right) / clean,
        distance=fmean(distances),
        n_cases=len(known),
    )


def by_harm(figures: Iterable[Figure], degree: float) -> list[Figure]:
    """Return the figures of a degree, the attack that takes most first (the paper's Table 5)."""
    return sorted((each for each in figures if each.degree == degree), key=lambda each: each.relative)


def correlation(figures: Sequence[Figure]) -> float:
    """Return Pearson's correlation of edit distance and loss, 1 − s*(p) (the paper's Figure 5)."""
    points = np.array([(each.distance, 1 - each.relative) for each in figures])
    return float(np.corrcoef(points.T)[0, 1])


def guessing_line(labels: Sequence[int], clean: float) -> float:
    """Return the s* of the most frequent label."""
    return max(Counter(labels).values()) / len(labels) / clean


@click.command()
@click.argument("release_path", type=click.Path(path_type=Path))
@click.option("--group", default="zeroe", help="The group of dimensions.", show_default=True)
def main(release_path: Path, group: DimensionGroup) -> None:
    """Print the figures of every task and surrogate of a release."""
    release = Release.open(release_path)
    infos = [info for info in release.manifest.dimensions if info.group == group and info.degrees]
    if not infos:
        raise bad_input(f"{release_path}: no dimension is of the group {group}")
    for task in release.manifest.tasks:
        (split,) = release.splits(task=task.name, dimension=CLEAN)
        originals = list(records_of(release.table(split)))
        cases = {
            (split.dimension, split.degree): list(records_of(release.table(split)))
            for info in infos
            for split in release.splits(task=task.name, dimension=info.name, setting="rule")
            if split.rows and split.degree is not None
        }
        for place, surrogate in enumerate(release.manifest.surrogates_of(task.name)):
            labels = [record.label for record in originals]
            clean = fmean(record.surrogate_predictions[place] == record.label for record in originals)
            figures = [
                figure_of(dimension, degree, records, place, clean)
                for (dimension, degree), records in cases.items()
                if degree is not None
            ]
            guessing = guessing_line(labels, clean)
            click.echo(f"{task.name}, {surrogate.name}: s(0) {clean:.3f}, guessing line {guessing:.3f}")
            _print(figures)


def _print(figures: Sequence[Figure]) -> None:
    degrees = sorted({each.degree for each in figures})
    click.echo(
        f"{'attack by harm':<16}" + "".join(f"{f's*({degree:g})':>9}" for degree in degrees) + "  distance"
    )
    of = {(each.dimension, each.degree): each for each in figures}
    for worst in by_harm(figures, degrees[-1]):
        row = [of.get((worst.dimension, degree)) for degree in degrees]
        shown = "".join(f"{'-' if each is None else f'{each.relative:.3f}':>9}" for each in row)
        click.echo(f"{worst.dimension:<16}{shown}{worst.distance:>10.3f}")
    click.echo(f"correlation of edit distance and loss: {correlation(figures):.2f} ({len(figures)} points)\n")


if __name__ == "__main__":
    main()
