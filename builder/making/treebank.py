"""Reads a treebank in CoNLL-U, on which the tagger and the parser are trained."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from contract.machine.errors import bad_input

_TEXT = "# text = "


class Node(NamedTuple):
    """An annotated piece of a sentence; `head` counts from 0 within it, the root is its own head.

    `tag` is the language-specific (Penn) tag.
    """

    text: str
    universal_tag: str
    tag: str
    features: str
    head: int
    relation: str
    is_spaced: bool


class Tree(NamedTuple):
    """An annotated sentence, the text it was cut from, and whether a document begins with it."""

    text: str
    nodes: tuple[Node, ...]
    is_new_document: bool


def read_trees(treebank_path: Path, portion: str) -> list[Tree]:
    """Return the trees of a portion (train, dev, test)."""
    paths = sorted(treebank_path.glob(f"*-ud-{portion}.conllu"))
    if len(paths) != 1:
        raise bad_input(
            f"{treebank_path}: expected one file *-ud-{portion}.conllu, found {len(paths)};"
            " give the folder of a Universal Dependencies treebank"
        )
    return list(_trees(paths[0]))


def _trees(path: Path) -> Iterator[Tree]:
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        if rows:
            texts = [line.removeprefix(_TEXT) for line in lines if line.startswith(_TEXT)]
            is_new = any(line.startswith("# newdoc") for line in lines)
            yield Tree("".join(texts), tuple(_nodes(rows)), is_new)


def _nodes(rows: Sequence[Sequence[str]]) -> Iterator[Node]:
    # 3-4 is a range of words that are written as one; only what follows the range is spaced.
    inside, is_spaced_after_range = 0, True
    for row in rows:
        number, _, last = row[0].partition("-")
        is_spaced = "SpaceAfter=No" not in row[9]
        if last:
            inside, is_spaced_after_range = int(last), is_spaced
        # 3.1 is a word that is not written.
        elif number.isdecimal():
            position = int(number)
            if position <= inside:
                is_spaced = position == inside and is_spaced_after_range
            yield Node(
                text=row[1],
                universal_tag=row[3],
                tag=row[4],
                features="" if row[5] == "_" else row[5],
                head=int(row[6]) - 1 if row[6] != "0" else position - 1,
                relation=row[7] if row[7] != "root" else "ROOT",
                is_spaced=is_spaced,
            )


def in_small_letters(tree: Tree) -> Tree:
    """Return a tree of the same sentence as benchmarks print it: small letters, spaces around each piece."""
    nodes = tuple(
        node._replace(text=_SMALL.get(node.text, node.text.lower()), is_spaced=True) for node in tree.nodes
    )
    return Tree(" ".join(node.text for node in nodes), nodes, tree.is_new_document)


_SMALL = {
    "(": "-lrb-",
    ")": "-rrb-",
    "[": "-lsb-",
    "]": "-rsb-",
    "“": "``",
    "”": "''",
    "’s": "'s",
    "n’t": "n't",
}
