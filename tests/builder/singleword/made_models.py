"""Small classifiers of made-up reviews, trained once for all tests of this folder."""

import random
from collections.abc import Sequence
from pathlib import Path

from builder.singleword.sentences import Sentence, sentences_of
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.inference import Inference

GOOD = ("charming", "delightful", "moving", "brilliant", "tender", "gripping", "graceful", "inspired")
BAD = ("tedious", "clumsy", "hollow", "lifeless", "careless", "shallow", "dreary", "pointless")
PLAIN = ("the", "film", "this", "story", "every", "scene", "second", "half", "performance", "ending")
LETTERS = "abcdefghiklmnoprstu"


def made_texts(n: int, seed: int, n_plain: int = 4) -> list[tuple[str, int]]:
    """Return texts with a comma and a full stop; label 1 is good."""
    draw = random.Random(seed)
    rows = []
    for number in range(n):
        label = number % 2
        words = draw.choices(PLAIN, k=n_plain) + draw.choices(GOOD if label else BAD, k=1 + number % 3 // 2)
        draw.shuffle(words)
        rows.append((f"{' '.join(words[:2])}, {' '.join(words[2:])}.", label))
    return rows


def made_words(n: int = 300) -> list[str]:
    """Return words: those of the texts and others, some of which hold parts of these."""
    draw = random.Random(5)
    known = sorted({*GOOD, *BAD, *PLAIN})
    others = {"".join(draw.choices(LETTERS, k=draw.randint(2, 7))) for _ in range(2 * n)}
    joined = {left[:4] + right[-4:] for left in GOOD for right in BAD}
    return sorted([*known, *sorted((others | joined) - set(known))[: n - len(known)]])


def trained(kind: str, folder: Path, n: int = 200) -> Classifier:
    """Return a classifier of a kind."""
    rows = made_texts(n, seed=1)
    training = TrainingSet(
        texts=[(text, None) for text, _ in rows], labels=[label for _, label in rows], n_labels=2, seed=0
    )
    folder.mkdir(parents=True, exist_ok=True)
    TRAINABLE_KINDS[kind].train(training, folder)
    return TRAINABLE_KINDS[kind].load(folder)


def right_sentences(classifier: Classifier, n: int, n_plain: int = 4) -> list[Sentence]:
    """Return new texts that the classifier has right."""
    samples = [
        Sample(id=f"made-{number}", text=text, text_pair=None, label=label)
        for number, (text, label) in enumerate(made_texts(4 * n, 9, n_plain))
    ]
    sentences = sentences_of(samples, "text")
    votes = Inference(classifier, "0" * 64, None).votes([sentence.pair for sentence in sentences])
    right = [own for own, vote in zip(sentences, votes, strict=True) if own.label == vote]
    assert len(right) >= n
    return right[:n]


class Counting:
    """The labels that a classifier gives, and how many texts it was asked about."""

    def __init__(self, classifier: Classifier) -> None:
        self._inference = Inference(classifier, "0" * 64, None)
        self.asked: list[tuple[str, str | None]] = []
        self._known: dict[tuple[str, str | None], int] = {}

    def __call__(self, texts: Sequence[tuple[str, str | None]]) -> list[int]:
        """Return the labels."""
        self.asked += texts
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._inference.votes(new), strict=True))
        return [self._known[text] for text in texts]
