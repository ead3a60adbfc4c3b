"""How well and how fast the parser parses: `python -m benchmarks.parser TREEBANK_FOLDER`."""

import time
from pathlib import Path

import click
from spacy.training import Example

from builder.language.parser.parsing import load_folder
from builder.language.parser.weights import WEIGHTS_PATH
from builder.making.parser.train import documents
from builder.making.treebank import in_small_letters, read_trees


@click.command()
@click.argument("treebank_path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--model", "model_path", type=click.Path(path_type=Path), default=WEIGHTS_PATH)
@click.option("--portion", default="test", show_default=True)
def main(treebank_path: Path, model_path: Path, portion: str) -> None:
    """Print accuracies on raw text, cut by the parser itself, as written and as benchmarks print it."""
    nlp = load_folder(model_path)
    trees = read_trees(treebank_path, portion)
    forms = {"as written": trees, "small letters": [in_small_letters(tree) for tree in trees]}
    for name, form in forms.items():
        docs = documents([form], nlp.vocab)
        examples = [Example(nlp.make_doc(doc.text), doc) for doc in docs]
        start = time.process_time()
        scores = nlp.evaluate(examples)
        seconds = time.process_time() - start
        n_words = sum(len(example.predicted) for example in examples)
        figures = {key: scores[key] for key in ("token_f", "tag_acc", "dep_uas", "dep_las", "sents_f")}
        print(name, *(f"{key} {100 * value:.1f}" for key, value in figures.items()), end=" ")
        print(f"{len(trees)} sentences, {n_words} pieces, {n_words / seconds:.0f} pieces/s")


if __name__ == "__main__":
    main()
