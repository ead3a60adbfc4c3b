"""Trains the parser: `python -m builder.making.parser.train TREEBANK_FOLDER`.

Needs the extra `build`. A spaCy pipeline of tagger, morphologizer and parser on the vectors of the packaged
sentence encoder; every sentence is seen as written and as benchmarks print it, in small letters with spaces
around each piece. Takes about a quarter of an hour on one core.
"""

import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.language.parser.tokenizer import add_treebank_pieces
from builder.language.parser.vectors import set_word_vectors
from builder.language.parser.weights import WEIGHTS_PATH, hash_of_weights
from builder.making.parser.config import CONFIG
from builder.making.treebank import Tree, in_small_letters, read_trees

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

# How many sentences are read together, in turn: the parser has to find their borders too.
SENTENCES_A_TEXT = (1, 2, 1, 3, 1, 1, 2)
# Some of the development portion tells which step is the best; the card's figures are those of all of it.
MOST_TREES = {"train": None, "dev": 400}


@click.command()
@click.argument("treebank_path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", "out_path", type=click.Path(path_type=Path), default=WEIGHTS_PATH)
@click.option("--steps", "n_steps", type=int, default=CONFIG["training"]["max_steps"], show_default=True)
def main(treebank_path: Path, out_path: Path, n_steps: int) -> None:
    """Train on the treebank's training portion and keep what is best on its development portion."""
    import spacy
    from spacy.tokens import DocBin
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train
    from thinc.api import Config

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = spacy.blank("en")
        set_word_vectors(start.vocab)
        start.to_disk(folder / "vectors")
        for portion in ("train", "dev"):
            trees = read_trees(treebank_path, portion)[: MOST_TREES[portion]]
            forms = [trees, [in_small_letters(tree) for tree in trees]]
            docs = list(documents(forms, start.vocab))
            DocBin(docs=docs, store_user_data=False).to_disk(folder / f"{portion}.spacy")
        config = Config(CONFIG).copy()
        config["paths"] = {name: str(folder / f"{name}.spacy") for name in ("train", "dev")}
        config["paths"]["vectors"] = str(folder / "vectors")
        config["training"]["max_steps"] = n_steps
        nlp = init_nlp(config)
        add_treebank_pieces(nlp)
        (folder / "out").mkdir()
        train(nlp, folder / "out")
        best = spacy.load(folder / "out" / "model-best")
        best.to_disk(out_path, exclude=["vocab"])
    click.echo(
        f"{out_path} has hash {hash_of_weights(out_path)}: that goes into builder/language/parser/weights.py",
        err=True,
    )


def documents(forms: Sequence[Sequence[Tree]], vocab: "Vocab") -> Iterator["Doc"]:
    """Yield trees as documents of a few sentences, one form of the treebank after the other."""
    sizes = cycle(SENTENCES_A_TEXT)
    for form in forms:
        group: list[Tree] = []
        size = next(sizes)
        for tree in form:
            if group and (tree.is_new_document or len(group) >= size):
                yield _document(group, vocab)
                group, size = [], next(sizes)
            group.append(tree)
        yield _document(group, vocab)


def _document(trees: Sequence[Tree], vocab: "Vocab") -> "Doc":
    from spacy.tokens import Doc

    nodes = [node for tree in trees for node in tree.nodes]
    firsts = [sum(len(tree.nodes) for tree in trees[:number]) for number in range(len(trees))]
    heads = [first + node.head for first, tree in zip(firsts, trees, strict=True) for node in tree.nodes]
    return Doc(
        vocab,
        words=[node.text for node in nodes],
        spaces=[node.is_spaced for node in nodes],
        tags=[node.tag for node in nodes],
        pos=[node.universal_tag for node in nodes],
        morphs=[node.features for node in nodes],
        heads=heads,
        deps=[node.relation for node in nodes],
        sent_starts=[number in firsts for number in range(len(nodes))],
    )


if __name__ == "__main__":
    main()
