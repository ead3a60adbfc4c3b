"""Accuracy and speed of the part-of-speech tagger, beside taggers that come in pip packages.

Run: python -m benchmarks.tagger TREEBANK_FOLDER [--nltk-model averaged_perceptron_tagger.pickle]
The gruut model needs gruut-lang-en and python-crfsuite, NLTK's needs nltk and its file.
"""

import argparse
import base64
import importlib.util
import io
import pickle
import re
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from builder.language.tagger import tag
from builder.language.tagger.tagging import shared_tagger
from builder.making.treebank import Tree, read_trees

PORTIONS = ("train", "dev", "test")
Pieces = Sequence[str]
Tag = Callable[[Sequence[Pieces]], Iterable[str]]


def main() -> None:
    """Print one line a tagger: the share of right tags, as written and in small letters, and its speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebank_path", type=Path)
    parser.add_argument("--portion", choices=PORTIONS, default="test")
    parser.add_argument("--nltk-model", type=Path)
    options = parser.parse_args()
    sentences = read_trees(options.treebank_path, options.portion)
    taggers: dict[str, Tag] = {"builder.language.tagger": shared_tagger().tags}
    if importlib.util.find_spec("gruut_lang_en") and importlib.util.find_spec("pycrfsuite"):
        taggers["gruut-lang-en CRF"] = _gruut()
    if options.nltk_model:
        taggers["NLTK perceptron"] = _nltk(options.nltk_model)
    print(f"{'':<20}{'as written':>12}{'small letters':>15}{'pieces/s':>10}")
    for name, tag_all in taggers.items():
        written, seconds = _accuracy(tag_all, sentences, str)
        small, _ = _accuracy(tag_all, sentences, str.lower)
        n = sum(len(sentence.nodes) for sentence in sentences)
        print(f"{name:<20}{written:>12.2%}{small:>15.2%}{n / seconds:>10.0f}")
    _print_raw(sentences)


def _accuracy(tag_all: Tag, sentences: Sequence[Tree], change: Callable[[str], str]) -> tuple[float, float]:
    """Return the share of right tags, and the processor's seconds once all is loaded."""
    texts = [[change(piece.text) for piece in sentence.nodes] for sentence in sentences]
    expected = [piece.tag for sentence in sentences for piece in sentence.nodes]
    list(tag_all(texts[:10]))
    start = time.process_time()
    found = list(tag_all(texts))
    seconds = time.process_time() - start
    return sum(a == b for a, b in zip(expected, found, strict=True)) / len(expected), seconds


def _print_raw(sentences: Sequence[Tree]) -> None:
    """Print how the tagger does on raw text, which it has to cut into pieces itself."""
    texts = [sentence.text for sentence in sentences]
    tag(texts)
    start = time.process_time()
    found = tag(texts)
    seconds = time.process_time() - start
    expected = [_spans(sentence) for sentence in sentences]
    ours = [{(token.start, token.end): token.tag for token in tokens} for tokens in found]
    n_expected, n_ours = sum(map(len, expected)), sum(map(len, ours))
    pairs = list(zip(expected, ours, strict=True))
    n_cut = sum(len(a.keys() & b.keys()) for a, b in pairs)
    n_right = sum(len(a.items() & b.items()) for a, b in pairs)
    print(
        f"raw text: pieces cut right F1 {2 * n_cut / (n_expected + n_ours):.2%},"
        f" cut and tagged right F1 {2 * n_right / (n_expected + n_ours):.2%},"
        f" {n_ours / seconds:.0f} pieces/s with offsets"
    )


def _spans(sentence: Tree) -> dict[tuple[int, int], str]:
    """Return where the annotated pieces stand in the text."""
    spans = {}
    end = 0
    for piece in sentence.nodes:
        start = sentence.text.index(piece.text, end)
        end = start + len(piece.text)
        spans[start, end] = piece.tag
    return spans


def _nltk(model_path: Path) -> Tag:
    """Return NLTK's averaged perceptron with the weights of its old file."""
    from nltk.tag.perceptron import PerceptronTagger

    class Plain(pickle.Unpickler):
        """Reads numbers, strings and containers, and no code."""

        def find_class(self, module: str, name: str) -> Any:
            if name == "set":
                return set
            raise pickle.UnpicklingError(f"{module}.{name} is not plain data")

    weights, tagdict, classes = Plain(io.BytesIO(model_path.read_bytes())).load()
    tagger = PerceptronTagger(load=False)
    tagger.model.weights, tagger.tagdict, tagger.classes = weights, tagdict, classes
    tagger.model.classes = classes
    # Its tags are the Wall Street Journal's: brackets bare, no tag for hyphens, "to" always TO.
    names = {"(": "-LRB-", ")": "-RRB-"}
    return lambda texts: (names.get(tag, tag) for text in texts for _, tag in tagger.tag(list(text)))


def _gruut() -> Tag:
    """Return the conditional random field of gruut-lang-en, whose features its file names."""
    import gruut_lang_en
    import pycrfsuite

    model = pycrfsuite.Tagger()
    model.open(str(Path(gruut_lang_en.__file__).parent / "pos" / "model.crf"))
    return lambda texts: chain.from_iterable(model.tag(_gruut_features(text)) for text in texts)


def _gruut_features(text: Pieces) -> list[dict[str, Any]]:
    def features(word: str, prefix: str) -> dict[str, Any]:
        encoded = base64.b64encode(word.encode()).decode()
        return {
            f"{prefix}bias": 1.0,
            f"{prefix}word": encoded,
            f"{prefix}len(word)": len(word),
            f"{prefix}word.ispunctuation": re.fullmatch(r"\W+", word) is not None,
            f"{prefix}word.isdigit()": word.isdigit(),
            f"{prefix}word[:2]": word[:2],
            f"{prefix}word[:3]": word[:3],
            f"{prefix}word[-2:]": word[-2:],
            f"{prefix}word[-3:]": word[-3:],
        }

    rows = []
    for index, word in enumerate(text):
        row = features(word, "")
        for place in (-2, -1, 1, 2):
            if 0 <= index + place < len(text):
                row |= features(text[index + place], f"{place:+d}:")
        rows.append(row)
    rows[0]["BOS"] = True
    rows[-1]["EOS"] = True
    return rows


if __name__ == "__main__":
    main()
