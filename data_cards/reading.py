"""Draws cases of a release for reading, and counts the verdicts of a sheet.

python -m data_cards.reading draw RELEASE --dimension NAME [-n 20] [--seed N]: prints id, label and both texts
python -m data_cards.reading count SHEET: prints the share accepted by dimension and degree

A sheet is a TSV of id and verdict (yes or no, and why). It holds no text: ids name the cases of the release.
A yes means: the label is still right, the deciding part is kept, and a person can read it.
"""

import argparse
import csv
from collections import Counter
from hashlib import sha256
from pathlib import Path

from contract.records import Record, records_of
from contract.release import Release

DEGREES = (0.05, 0.1, 0.3, 0.5)


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw")
    draw.add_argument("release", type=Path)
    draw.add_argument("--dimension", required=True)
    draw.add_argument("--setting", default="rule")
    draw.add_argument("-n", type=int, default=20)
    draw.add_argument("--seed", type=int, help="draw at random by this seed, not at equal distances")
    draw.add_argument("--degrees", type=float, nargs="*", default=DEGREES)
    count = commands.add_parser("count")
    count.add_argument("sheet", type=Path)
    options = parser.parse_args()
    if options.command == "count":
        _count(options.sheet)
    else:
        _draw(Release.open(options.release), options)


def _draw(release: Release, options: argparse.Namespace) -> None:
    for split in release.splits(dimension=options.dimension, setting=options.setting):
        if split.degree in options.degrees and split.rows:
            records = list(records_of(release.table(split)))
            for record in _chosen(records, options.n, options.seed):
                label = release.manifest.task(record.task).labels[record.label]
                print(f"{record.id}\t{label}\t{record.unperturbed_text}\n\t\t{record.perturbed_text}")


def _chosen(records: list[Record], n: int, seed: int | None) -> list[Record]:
    """Return n cases of different samples: at random, or the first ones at equal distances."""
    if seed is not None:
        shuffled = sorted(records, key=lambda record: sha256(f"{seed}:{record.id}".encode()).digest())
        return list({record.sample_id: record for record in shuffled[::-1]}.values())[::-1][:n]
    first = list({record.sample_id: record for record in records[::-1]}.values())[::-1]
    step = max(1, len(first) // n)
    return first[::step][:n]


def _count(sheet: Path) -> None:
    total: Counter[tuple[str, str]] = Counter()
    accepted: Counter[tuple[str, str]] = Counter()
    with sheet.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            _sample, dimension, _setting, degree, _case = row["id"].rsplit(".", 4)
            total[dimension, degree] += 1
            accepted[dimension, degree] += row["verdict"] == "yes"
    for (dimension, degree), n in sorted(total.items()):
        n_accepted = accepted[dimension, degree]
        print(f"{dimension:<22}0.{degree:<4}{n_accepted:>3} of {n:>3}  {n_accepted / n:.2f}")


if __name__ == "__main__":
    main()
