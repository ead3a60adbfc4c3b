"""Reads a treebank in CoNLL-U."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from contract.machine.errors import bad_input


class Tagged(NamedTuple):
    """A piece of a sentence as annotated."""

    text: str
    tag: str


class Sentence(NamedTuple):
    """An annotated sentence, and the text it was cut from."""

    text: str
    pieces: tuple[Tagged, ...]


def read_sentences(treebank_path: Path, part: str) -> list[Sentence]:
    """Return the sentences of a part (train, dev, test), with language-specific (Penn) tags."""
    paths = sorted(treebank_path.glob(f"*-ud-{part}.conllu"))
    if len(paths) != 1:
        raise bad_input(f"{treebank_path}: expected one file *-ud-{part}.conllu, found {len(paths)}")
    return list(_sentences(paths[0]))


def _sentences(path: Path) -> Iterator[Sentence]:
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        # 3-4 is a range of words that are written as one, 3.1 a word that is not written.
        pieces = tuple(Tagged(row[1], row[4]) for row in rows if row[0].isdecimal())
        if pieces:
            yield Sentence(texts[0], pieces)
