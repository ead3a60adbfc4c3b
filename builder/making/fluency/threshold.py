"""Prints the threshold of the fluency filter: what keeps nearly all swaps that readers found right.

Run it as `python -m builder.making.fluency.threshold [SHEET]` whenever the packaged masked language model is
another one. The sheet is that of data_cards/threshold_study: swaps in sentences of `mr`, each with an answer.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from builder.filters.fluency import MOST_RATIO, perplexity_ratios
from builder.models.resources import PACKAGED
from builder.tasks import DATA_SOURCES
from builder.tasks.task_recipe import ReadOptions
from contract.schema.edits import Edit
from contract.schema.names import sample_id

SHEET_PATH = Path(__file__).parents[3] / "data_cards" / "readings" / "thresholds-contextual.tsv"
TASK = "mr"
# The share of right swaps that the threshold keeps.
KEPT = 0.95


class ReadSwap(NamedTuple):
    """A swap in a text, and whether its reader found it right."""

    text: str
    edit: Edit
    is_right: bool


def read_swaps(path: Path) -> list[ReadSwap]:
    """Return the swaps of a sheet with the sentences they stand in."""
    raw = DATA_SOURCES[TASK].read("", ReadOptions())
    texts = {sample_id(TASK, row.row): row.text for row in raw.rows}
    swaps = []
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            start = int(line["start"])
            edit = Edit(start, start + len(line["original"]), line["original"], line["replacement"])
            swaps.append(ReadSwap(texts[line["sample"]], edit, line["answer"] == "yes"))
    return swaps


def threshold_of(ratios: Sequence[float]) -> float:
    """Return the ratio that keeps the wanted share of right swaps, to two digits."""
    return float(f"{np.quantile(ratios, KEPT):.2g}")


@click.command()
@click.argument("sheet", type=click.Path(exists=True, path_type=Path), default=SHEET_PATH)
def main(sheet: Path) -> None:
    """Print the threshold, and what it keeps of the swaps that were right and wrong."""
    swaps = read_swaps(sheet)
    ratios = perplexity_ratios([(swap.text, [swap.edit]) for swap in swaps], PACKAGED)
    by_answer = {
        answer: [ratio for swap, ratio in zip(swaps, ratios, strict=True) if swap.is_right == answer]
        for answer in (True, False)
    }
    most = threshold_of(by_answer[True])
    click.echo(f"most_ratio {most:g} (in the code: {MOST_RATIO:g})")
    for answer, of_answer in by_answer.items():
        n_kept = sum(ratio <= most for ratio in of_answer)
        deciles = " ".join(f"{ratio:.3g}" for ratio in np.quantile(of_answer, np.linspace(0.1, 0.9, 9)))
        click.echo(f"{'right' if answer else 'wrong'}: {n_kept} of {len(of_answer)} kept; deciles {deciles}")


if __name__ == "__main__":
    main()
