"""Measure how fast classifiers answer, beside a bare forward pass and beside scikit-learn.

Run it as `python -m benchmarks.forward`; `transformer_limit` serves other benchmarks.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import torch

from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from classifiers import TrainingSet
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.linear import Linear, joined
from classifiers.machinery.minilm_network import MeanPooled
from classifiers.machinery.transformer import BATCH, Transformer
from classifiers.trained import char_tfidf, word_tfidf
from classifiers.trained.minilm import packaged_folder, tokenizer_of

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What a model can do at best, in texts a second: its forward pass alone, and with tokenising."""

    forward: float
    with_tokenising: float


def transformer_limit(classifier: Transformer, texts: Sequence[TextPair], repeats: int = 3) -> Limit:
    """Return the best of some runs of the plainest loop: batches of like length, single precision."""
    model = classifier.model
    best_forward = best_tokenising = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        encoded = classifier.tokenizer([text for text, _ in texts], truncation=True)
        order = sorted(range(len(texts)), key=lambda place: len(encoded["input_ids"][place]))
        batches = [
            classifier.padded(encoded, order[first : first + BATCH]) for first in range(0, len(order), BATCH)
        ]
        best_tokenising = min(best_tokenising, time.perf_counter() - start)
        start = time.perf_counter()
        with torch.inference_mode():
            for batch in batches:
                model(**batch).logits.cpu()
        best_forward = min(best_forward, time.perf_counter() - start)
    return Limit(
        forward=len(texts) / best_forward, with_tokenising=len(texts) / (best_forward + best_tokenising)
    )


@click.command()
@click.option("--texts", "n_texts", default=512, show_default=True, help="Sentences for the transformer.")
@click.option("--variants", "n_variants", default=20_000, show_default=True, help="Texts to count words in.")
def main(n_texts: int, n_variants: int) -> None:
    """Print the rates and their ratios."""
    (task,) = load_tasks((TaskRecipe(name="mr", source="mr", samples=1000),))
    texts: list[TextPair] = [(sample.text, None) for sample in task.samples[:n_texts]]
    network = MeanPooled.from_encoder(packaged_folder(), 2).eval()
    transformer = Transformer(tokenizer_of(packaged_folder()), network, [0, 1])
    limit = transformer_limit(transformer, texts)
    ours = len(texts) / _fastest(lambda: transformer.probabilities(texts))
    click.echo(f"minilm, {torch.get_num_threads()} threads, texts/s")
    click.echo(f"  forward pass {limit.forward:.0f}, with tokenising {limit.with_tokenising:.0f}")
    click.echo(f"  probabilities() {ours:.0f}, ratio to the limit {ours / limit.with_tokenising:.3f}")
    training = TrainingSet(
        texts=[(sample.text, None) for sample in task.train],
        labels=[sample.label for sample in task.train],
        n_labels=2,
        seed=0,
    )
    variants = _variants([sample.text for sample in task.samples], n_variants)
    for module in (word_tfidf, char_tfidf):
        with tempfile.TemporaryDirectory() as folder:
            module.train(training, Path(folder))
            classifier = module.load(Path(folder))
        if isinstance(classifier, Linear):
            _compare(module.__name__, classifier, module.OPTIONS, variants)


def _compare(name: str, classifier: Linear, options: dict[str, object], texts: Sequence[TextPair]) -> None:
    """Print our rate beside that of the vectorizer that scikit-learn would use, which scores nothing yet."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(**options, vocabulary=classifier.counter.vocabulary)
    vectorizer.idf_ = classifier.idf
    plain = [joined(text) for text in texts]
    theirs = len(texts) / _fastest(lambda: vectorizer.transform(plain), repeats=1)
    ours = len(texts) / _fastest(lambda: classifier.probabilities(texts))
    click.echo(f"{name}, one-word variants, texts/s")
    click.echo(f"  scikit-learn {theirs:,.0f}, ours {ours:,.0f}, ratio {ours / theirs:.1f}")


def _variants(texts: Sequence[str], n: int) -> list[TextPair]:
    """Return texts that differ from an original in one letter, as an attack asks about them."""
    found: dict[str, None] = {}
    for text in texts:
        for place, old in enumerate(text):
            for letter in ALPHABET[place % 13 :: 13]:
                if old.isalpha() and letter != old:
                    found[text[:place] + letter + text[place + 1 :]] = None
        if len(found) >= n:
            break
    return [(text, None) for text in list(found)[:n]]


def _fastest(run: Callable[[], object], repeats: int = 2) -> float:
    """Return the seconds of the fastest run."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
