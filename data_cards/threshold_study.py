"""Chooses the thresholds of word swaps by reading: draws swaps from both sides of them, and counts verdicts.

python -m data_cards.threshold_study draw DIMENSION SHEET [-n 60] [--samples 100]: prints, writes a sheet
python -m data_cards.threshold_study count SHEET: prints the share of good swaps above values of each signal

DIMENSION is synonym or contextual. The thresholds of similarity and likelihood are lifted while drawing; the
guards of label, form and part of speech stay. Swaps are drawn evenly over the range of the signals. A sheet
is a TSV of sample, place, words, signals and verdict: a reader writes yes or no into the last column.
"""

import argparse
import contextlib
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from builder.dimensions import DIMENSIONS, contextual
from builder.language.masked_lm import Gap, score_words
from builder.models.encoder import encode
from builder.models.resources import PACKAGED, Resources
from builder.operations.dimension import Dimension, WordsOfText
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.values.associations import learn
from builder.values.contexts import contexts_of
from builder.word_swaps import swaps
from contract.schema.edits import words_of

# What is lifted while drawing, and to what.
LIFTED: tuple[tuple[Any, str, Any], ...] = (
    (swaps, "LEAST_OF_WORDS", -1.0),
    (swaps, "LEAST_FAR", 2.0),
    (swaps, "MOST_FAR", 2.0),
    (contextual, "LEAST_WORD_SIMILARITY", dict.fromkeys("nvar", 0.3)),
    (contextual, "MOST_WORSE", {contextual.SYNONYM: 12.0, contextual.NEAR: 4.0}),
)
SIGNALS = ("word_cosine", "sentence_cosine", "likelihood")
N_BINS = 6


class Drawn(NamedTuple):
    """One swap: where, what, and how it looks to the encoder and the masked language model."""

    sample: str
    label: str
    sentence: str
    start: int
    original: str
    replacement: str
    source: str
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
    draw.add_argument("dimension", choices=["synonym", "contextual"])
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


@contextlib.contextmanager
def _lifted() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for module, name, value in LIFTED:
            stack.callback(setattr, module, name, getattr(module, name))
            setattr(module, name, value)
        yield


def _swaps(name: str, n_samples: int) -> list[Drawn]:
    """Return every single swap that a dimension would propose without thresholds."""
    dimension = DIMENSIONS[name]
    if not isinstance(dimension, Dimension):
        raise TypeError(f"{name} does not swap words")
    (task,) = load_tasks((TaskRecipe(name="mr", source="mr", samples=n_samples),))
    texts = [WordsOfText(sample.text, words_of(sample.text), sample.label) for sample in task.samples]
    with _lifted():
        proposals = dimension.propose(texts, Resources(associations=learn(task.train, len(task.info.labels))))
    found = []
    for sample, text, operations in zip(task.samples, texts, proposals, strict=True):
        contexts = contexts_of(text.text, text.words)
        for word, (start, end), of_word in zip(text.words, contexts, operations, strict=True):
            found += [
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
    return found


def _with_signals(found: list[Drawn]) -> list[Drawn]:
    words, others, before, after = (
        encode(texts)
        for texts in (
            [swap.original.lower() for swap in found],
            [swap.replacement.lower() for swap in found],
            [swap.sentence for swap in found],
            [swap.result for swap in found],
        )
    )
    gaps = [Gap(swap.sentence, swap.start, swap.start + len(swap.original)) for swap in found]
    scores = score_words(gaps, [(swap.original, swap.replacement) for swap in found], PACKAGED)
    return [
        swap._replace(
            word_cosine=swaps.cosine(words[place], others[place]),
            sentence_cosine=swaps.cosine(before[place], after[place]),
            likelihood=round(scores[place][1] - scores[place][0], 2),
        )
        for place, swap in enumerate(found)
    ]


def _spread(found: list[Drawn], n: int) -> list[Drawn]:
    """Return n swaps of different words, as many from each part of each signal's range."""
    chosen: dict[tuple[str, str], Drawn] = {}
    for signal in SIGNALS:
        order = sorted(found, key=lambda swap, signal=signal: (getattr(swap, signal), swap))  # type: ignore[misc]
        for place in range(max(1, n // len(SIGNALS))):
            swap = order[place * len(order) // max(1, n // len(SIGNALS))]
            chosen.setdefault((swap.original, swap.replacement), swap)
    return sorted(chosen.values())[:n]


def _write(drawn: list[Drawn], sheet: Path) -> None:
    columns = ["sample", "start", "original", "replacement", "source", *SIGNALS]
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow([*columns, "verdict"])
        for swap in drawn:
            writer.writerow([*(getattr(swap, column) for column in columns), ""])
            print(f"{swap.label}\t{swap.sentence}\n\t{swap.original} -> {swap.replacement}")


def _count(sheet: Path) -> None:
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["verdict"]]
    for signal in SIGNALS:
        values = sorted(float(row[signal]) for row in rows)
        for least in sorted({values[place * len(values) // N_BINS] for place in range(N_BINS)}):
            kept = [row["verdict"].startswith("yes") for row in rows if float(row[signal]) >= least]
            share = sum(kept) / len(kept)
            print(f"{signal:<16} at least {least:>7.2f} {sum(kept):>4} of {len(kept):>4}  {share:.2f}")


if __name__ == "__main__":
    main()
