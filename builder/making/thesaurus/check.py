"""Checks the thesaurus: `python -m builder.making.thesaurus.check [--antonyms FILE]… [--simlex FILE]`.

Prints every pair of a word and a substitute that cannot be right: opposites by WordNet or by a file of
antonyms, words of opposite valence, pairs that people rated below 4 of 10. Ends with 1 where there is one.
"""

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from builder.language.wordnet.antonyms import are_opposed
from builder.language.words.valence import valence_of
from builder.making.thesaurus.senses import FOLDER, Fault, Sense, read_senses
from contract.machine.errors import bad_input

LEAST_RATING = 4.0
# Valences nearer to zero than this say little.
LEAST_VALENCE = 0.5


class Doubt(NamedTuple):
    """A pair that a list of opposites, a lexicon or a rating speaks against."""

    place: str
    word: str
    substitute: str
    why: str


@click.command(help=__doc__)
@click.option("--folder", type=click.Path(exists=True, path_type=Path), default=FOLDER, show_default=False)
@click.option("--antonyms", type=click.Path(exists=True, path_type=Path), multiple=True)
@click.option("--simlex", type=click.Path(exists=True, path_type=Path))
def main(folder: Path, antonyms: Sequence[Path], simlex: Path | None) -> None:
    """Print faults, doubts and counts."""
    lines = list(read_senses(folder))
    faults = [line for line in lines if isinstance(line, Fault)]
    senses = [line for line in lines if isinstance(line, Sense)]
    opposites = {pair for path in antonyms for pair in _pairs(path)}
    ratings = {} if simlex is None else _ratings(simlex)
    doubts = [doubt for sense in senses for doubt in doubts_about(sense, opposites, ratings)]
    for fault in faults:
        click.echo(f"{fault.place}: {fault.text}")
    for doubt in doubts:
        click.echo(f"{doubt.place}: {doubt.word} > {doubt.substitute}: {doubt.why}")
    words = {sense.word for sense in senses}
    with_substitutes = {sense.word for sense in senses if sense.substitutes}
    n_pairs = sum(len(sense.substitutes) for sense in senses)
    click.echo(
        f"{len(words):,} words, {len(with_substitutes):,} with substitutes, {len(senses):,} senses,"
        f" {n_pairs:,} pairs; {len(faults)} faults, {len(doubts)} doubts"
    )
    sys.exit(1 if faults or doubts else 0)


def doubts_about(
    sense: Sense, opposites: set[frozenset[str]], ratings: dict[frozenset[str], float]
) -> Iterator[Doubt]:
    """Yield the substitutes of a sense that something speaks against."""
    for substitute in sense.substitutes:
        pair = frozenset({sense.word, substitute.text})
        why = ""
        if are_opposed(sense.word, substitute.text):
            why = "opposites by WordNet or by a prefix"
        elif pair in opposites:
            why = "opposites by a list"
        elif ratings.get(pair, LEAST_RATING) < LEAST_RATING:
            why = f"rated {ratings[pair]:g}"
        elif _is_against(sense.word, substitute.text):
            why = "opposite valence"
        if why:
            yield Doubt(sense.place, sense.word, substitute.text, why)


def _is_against(word: str, other: str) -> bool:
    one, two = valence_of(word), valence_of(other)
    return one is not None and two is not None and one * two < 0 and min(abs(one), abs(two)) >= LEAST_VALENCE


def _pairs(path: Path) -> Iterator[frozenset[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield frozenset(line.split()[:2])


def _ratings(path: Path) -> dict[frozenset[str], float]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        if not {"word1", "word2", "SimLex999"} <= set(rows.fieldnames or ()):
            raise bad_input(f"{path}:1: expected SimLex-999's columns, found {rows.fieldnames}")
        return {frozenset({row["word1"], row["word2"]}): float(row["SimLex999"]) for row in rows}


if __name__ == "__main__":
    main()
