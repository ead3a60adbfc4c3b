"""Chooses the thresholds of word swaps: draws swaps from both sides of them for reading, and counts answers.

python -m data_cards.threshold_study draw DIMENSION SHEET [-n 60] [--samples 100]: prints, writes a sheet
python -m data_cards.threshold_study count SHEET: prints the share of good swaps above values of each signal

DIMENSION is synonym or contextual. Swaps are drawn with looser thresholds of similarity and likelihood; the
guards of label, form and part of speech stay. Swaps are drawn evenly over the range of the signals. A sheet
is a TSV of sample, start, words, signals and answer: a reader writes yes or no into the last column.
"""

import argparse
import csv
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from builder.dimensions import contextual, synonym
from builder.language.masked_lm import Gap, score_words
from builder.language.sentences.contexts import contexts_of
from builder.models.encoder import encode
from builder.models.resources import PACKAGED, Resources
from builder.operations.dimension import Propose, WordsOfText
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.values.associations import learn
from builder.word_swaps.swaps import cosine
from contract.schema.edits import words_of

# Looser than what builds use, so that swaps from both sides of the thresholds are drawn.
LOOSE_SYNONYM = synonym.Thresholds(least=dict.fromkeys(synonym.THRESHOLDS.least, 0.0))
LOOSE_CONTEXTUAL = contextual.Thresholds(
    less_likely=12.0,
    small_less_likely=8.0,
    pointing_less_likely=5.0,
    accepted=0.3,
    accepted_if_bound=0.4,
    accepted_if_unrelated=0.6,
)
PROPOSE: Mapping[str, Propose] = {
    "synonym": partial(synonym.propose, thresholds=LOOSE_SYNONYM),
    "contextual": partial(contextual.propose, thresholds=LOOSE_CONTEXTUAL),
}
SIGNALS = ("word_cosine", "sentence_cosine", "likelihood")
N_BINS = 6


class Drawn(NamedTuple):
    """One swap: where it stands, its words, and what encoder and masked language model say about it."""

    sample: str
    label: str
    sentence: str
    start: int
    original: str
    replacement: str
    origin: str
    word_cosine: float = 0.0
    sentence_cosine: float = 0.0
    likelihood: float = 0.0

    @property
    def result(self) -> str:
        """The sentence with the swap made."""
        return (
            self.sentence[: self.start] + self.replacement + self.sentence[self.start + len(self.original) :]
        )


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw")
    draw.add_argument("dimension", choices=list(PROPOSE))
    draw.add_argument("sheet", type=Path)
    draw.add_argument("-n", type=int, default=60)
    draw.add_argument("--samples", type=int, default=100)
    count = commands.add_parser("count")
    count.add_argument("sheet", type=Path)
    options = parser.parse_args()
    if options.command == "count":
        _count(options.sheet)
    else:
        _write(_spread(_with_signals(_swaps(options.dimension, options.samples)), options.n), options.sheet)


def _swaps(name: str, n_samples: int) -> list[Drawn]:
    """Return every single swap that a dimension proposes with loose thresholds."""
    (task,) = load_tasks((TaskRecipe(name="mr", source="mr", samples=n_samples),))
    texts = [WordsOfText(sample.text, words_of(sample.text), sample.label) for sample in task.samples]
    resources = Resources(associations=learn(task.train, len(task.info.labels)))
    proposals = PROPOSE[name](texts, resources)
    drawn = []
    for sample, text, operations in zip(task.samples, texts, proposals, strict=True):
        contexts = contexts_of(text.text, text.words)
        for word, (start, end), of_word in zip(text.words, contexts, operations, strict=True):
            drawn += [
                Drawn(
                    sample.id,
                    task.info.labels[sample.label],
                    text.text[start:end],
                    word.start + item.edits[0].start - start,
                    item.edits[0].original,
                    item.edits[0].replacement,
                    item.name,
                )
                for item in of_word.items
            ]
    return drawn


def _with_signals(drawn: list[Drawn]) -> list[Drawn]:
    """Return the swaps with what the encoder and the masked language model say about them."""
    words, others, before, after = (
        encode(texts)
        for texts in (
            [swap.original.lower() for swap in drawn],
            [swap.replacement.lower() for swap in drawn],
            [swap.sentence for swap in drawn],
            [swap.result for swap in drawn],
        )
    )
    gaps = [Gap(swap.sentence, swap.start, swap.start + len(swap.original)) for swap in drawn]
    scores = score_words(gaps, [(swap.original, swap.replacement) for swap in drawn], PACKAGED)
    return [
        swap._replace(
            word_cosine=cosine(words[number], others[number]),
            sentence_cosine=cosine(before[number], after[number]),
            likelihood=round(scores[number][1] - scores[number][0], 2),
        )
        for number, swap in enumerate(drawn)
    ]


def _spread(drawn: list[Drawn], n: int) -> list[Drawn]:
    """Return n swaps of different words, equally many from each section of each signal's range."""
    chosen: dict[tuple[str, str], Drawn] = {}
    for signal in SIGNALS:
        order = sorted(drawn, key=lambda swap, signal=signal: (getattr(swap, signal), swap))  # type: ignore[misc]
        for section in range(max(1, n // len(SIGNALS))):
            swap = order[section * len(order) // max(1, n // len(SIGNALS))]
            chosen.setdefault((swap.original, swap.replacement), swap)
    return sorted(chosen.values())[:n]


def _write(drawn: list[Drawn], sheet: Path) -> None:
    columns = ["sample", "start", "original", "replacement", "origin", *SIGNALS]
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow([*columns, "answer"])
        for swap in drawn:
            writer.writerow([*(getattr(swap, column) for column in columns), ""])
            print(f"{swap.label}\t{swap.sentence}\n\t{swap.original} -> {swap.replacement}")


def _count(sheet: Path) -> None:
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["answer"]]
    for signal in SIGNALS:
        values = sorted(float(row[signal]) for row in rows)
        for least in sorted({values[number * len(values) // N_BINS] for number in range(N_BINS)}):
            kept = [row["answer"].startswith("yes") for row in rows if float(row[signal]) >= least]
            share = sum(kept) / len(kept)
            print(f"{signal:<16} at least {least:>7.2f} {sum(kept):>4} of {len(kept):>4}  {share:.2f}")


if __name__ == "__main__":
    main()
