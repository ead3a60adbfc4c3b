"""Checks the synonyms against people's ratings: `python -m benchmarks.simlex FILE [--antonyms FILE]…`.

Prints the mean rating (0 to 10) of the pairs of SimLex-999 that the dimension `synonym` would swap, beside
that of all pairs, and how many opposites it lets through: pairs rated below 2, and files of antonyms.
"""

import argparse
import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.wordnet.synonyms import certain_synonyms
from builder.language.words.thesaurus import load_thesaurus
from builder.word_swaps.swaps import share_a_stem
from contract.machine.errors import bad_input

PARTS_OF_SPEECH = {"A": ("a", "JJ"), "N": ("n", "NN"), "V": ("v", "VB"), "R": ("r", "RB")}
# Below this, people did not find two words alike at all.
LEAST_ALIKE = 2.0


class Rated(NamedTuple):
    """Two words, their part of speech, and how alike people find them."""

    one: str
    other: str
    part_of_speech: str
    rating: float


def main() -> None:
    """Read the files and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("simlex", type=Path)
    parser.add_argument("--antonyms", type=Path, action="append", default=[])
    options = parser.parse_args()
    pairs = _read(options.simlex)
    swapped = [pair for pair in pairs if would_swap(pair.one, pair.other, [pair.part_of_speech])]
    _print_ratings("all pairs", pairs)
    _print_ratings("pairs that are swapped", swapped)
    for part_of_speech in PARTS_OF_SPEECH:
        _print_ratings(
            f"  of these {part_of_speech}",
            [pair for pair in swapped if pair.part_of_speech == part_of_speech],
        )
    unlike = [pair for pair in pairs if pair.rating < LEAST_ALIKE]
    _print_let_through(
        f"rated below {LEAST_ALIKE:g}", len(unlike), [pair for pair in swapped if pair in unlike]
    )
    for path in options.antonyms:
        opposites = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        let_through = [pair for pair in opposites if would_swap(pair[0], pair[1], list(PARTS_OF_SPEECH))]
        _print_let_through(path.name, len(opposites), let_through)


def would_swap(one: str, other: str, parts_of_speech: Iterable[str]) -> bool:
    """Whether either word could stand for the other in some text, as one of the parts of speech."""
    return any(
        _could_stand(*pair, *PARTS_OF_SPEECH[part_of_speech])
        for part_of_speech in parts_of_speech
        for pair in ((one, other), (other, one))
    )


def _could_stand(original: str, candidate: str, part_of_speech: str, tag: str) -> bool:
    listed = load_thesaurus().get((original, part_of_speech))
    if listed is not None:
        return any(
            substitute.text == candidate
            for entry in listed
            if len(entry.words) == 1
            for substitute in entry.substitutes
        )
    guard = Guard({})
    if not is_replaceable(original, tag) or share_a_stem(original, candidate):
        return False
    if guard.refusal(original, candidate, label=None, is_close=True):
        return False
    return any(synonym.lemma == candidate for synonym in certain_synonyms(original, part_of_speech))


def _read(path: Path) -> list[Rated]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        if not {"word1", "word2", "POS", "SimLex999"} <= set(rows.fieldnames or ()):
            raise bad_input(f"{path}:1: expected SimLex-999's columns, found {rows.fieldnames}")
        return [Rated(row["word1"], row["word2"], row["POS"], float(row["SimLex999"])) for row in rows]


def _print_ratings(what: str, pairs: Sequence[Rated]) -> None:
    if pairs:
        mean = sum(pair.rating for pair in pairs) / len(pairs)
        print(f"{what:<28}{len(pairs):>5}  mean rating {mean:.2f}, lowest {min(p.rating for p in pairs):.2f}")


def _print_let_through(what: str, n: int, through: Sequence[Sequence[object]]) -> None:
    print(f"{what:<28}{n:>5}  let through {len(through)} ({len(through) / n:.4f})")
    for pair in through:
        print("   ", *pair)


if __name__ == "__main__":
    main()
