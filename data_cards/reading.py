"""Draws cases of a release for people to read, and counts the answers of a sheet.

python -m data_cards.reading draw RELEASE --dimension NAME [-n 20] [--seed N]: prints id, label and both texts
python -m data_cards.reading blind RELEASE --seed N [-n 40] [--controls 20]: prints texts and labels in random
    order, untouched ones among them, and nothing that says which is which; the key goes to a file
python -m data_cards.reading unblind ANSWERS --key KEY: prints the sheet of ids and answers
python -m data_cards.reading count SHEET: prints the share accepted by dimension and degree

A sheet is a TSV of id and answer (yes or no, and why). It holds no text: ids name the cases of the release.
A yes means: the label is still right, the deciding part is kept, and a person can read it.
"""

import argparse
import csv
from collections import Counter
from hashlib import sha256
from pathlib import Path

from contract.release.release import Release
from contract.schema.names import CLEAN
from contract.schema.records import Record, records_of

FIELDS_OF_AN_ID = 5
DEGREES = (0.05, 0.1, 0.3, 0.5)


def main() -> None:
    """Run one of the commands."""
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
    blind = commands.add_parser("blind")
    blind.add_argument("release", type=Path)
    blind.add_argument("-n", type=int, default=40)
    blind.add_argument("--controls", type=int, default=20)
    blind.add_argument("--seed", type=int, required=True)
    blind.add_argument("--key", type=Path, required=True)
    unblind = commands.add_parser("unblind")
    unblind.add_argument("answers", type=Path, help="TSV of number, answer (yes or no) and why")
    unblind.add_argument("--key", type=Path, required=True)
    count = commands.add_parser("count")
    count.add_argument("sheet", type=Path)
    options = parser.parse_args()
    if options.command == "count":
        _count(options.sheet)
    elif options.command == "blind":
        _blind(Release.open(options.release), options)
    elif options.command == "unblind":
        _unblind(options.answers, options.key)
    else:
        _draw(Release.open(options.release), options)


def _draw(release: Release, options: argparse.Namespace) -> None:
    for split in release.splits(dimension=options.dimension, setting=options.setting):
        if split.degree in options.degrees and split.rows:
            records = list(records_of(release.table(split)))
            for record in _chosen(records, options.n, options.seed):
                label = release.manifest.task(record.task).labels[record.label]
                print(f"{record.id}\t{label}\t{record.unperturbed_text}\n\t\t{record.perturbed_text}")


def _blind(release: Release, options: argparse.Namespace) -> None:
    """Print cases of every split, and clean samples, in random order."""
    drawn: list[Record] = []
    for split in release.manifest.splits:
        n = options.n if split.is_adversarial else options.controls if split.dimension == CLEAN else 0
        drawn += _chosen(list(records_of(release.table(split))), n, options.seed) if n else []
    drawn.sort(key=lambda record: sha256(f"{options.seed}:blind:{record.id}".encode()).digest())
    options.key.write_text("".join(f"{record.id}\n" for record in drawn), encoding="utf-8")
    for number, record in enumerate(drawn, 1):
        label = release.manifest.task(record.task).labels[record.label]
        print(
            f"{number}\t{label}\t{record.text}"
            + ("" if record.text_pair is None else f"\t{record.text_pair}")
        )


def _unblind(answers: Path, key: Path) -> None:
    """Print each answer with the id of the case it is about."""
    ids = key.read_text(encoding="utf-8").splitlines()
    print("id\tanswer\twhy")
    with answers.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            print(f"{ids[int(row['number']) - 1]}\t{row['answer']}\t{row['why']}")


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
            _sample, dimension, _setting, degree, _case = _fields(row["id"])
            total[dimension, degree] += 1
            accepted[dimension, degree] += row["answer"] == "yes"
    for (dimension, degree), n in sorted(total.items()):
        n_accepted = accepted[dimension, degree]
        print(f"{dimension:<22}0.{degree:<4}{n_accepted:>3} of {n:>3}  {n_accepted / n:.2f}")


def _fields(name: str) -> list[str]:
    """Return sample, dimension, setting, degree and case of an id; a clean sample has the degree 0."""
    fields = name.rsplit(".", 4)
    return fields if len(fields) == FIELDS_OF_AN_ID else [name, CLEAN, "", "0", "0"]


if __name__ == "__main__":
    main()
