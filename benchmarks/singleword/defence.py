"""Measure what SP-Defense and its baselines do to a surrogate of `mr`: clean accuracy, ρ, ρ* and SP-Attack.

Run it as `python -m benchmarks.singleword.defence`. A scheme changes each training row once against the
undefended classifier; another of its kind is trained on both.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from benchmarks.singleword.texts import Bench, open_bench
from builder.label_guard.guards import Guard
from builder.singleword.augmentation import SCHEMES, Augmenter, special_words
from builder.singleword.euba import Euba, scores_with
from builder.singleword.matrix import Matrix, matrix_of
from builder.singleword.measures import kappa, rho
from builder.singleword.sentences import Sentence, sentences_of
from builder.singleword.sp_attack import SpAttack, SpAttackChoice, guarded
from builder.singleword.vocabulary import words_only
from builder.values.randomness import Draw
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.inference import Inference
from classifiers.machinery.single_words import WordScorer, known_words

NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Line:
    """What one classifier is worth."""

    accuracy: float
    rho: float
    rho_star: float
    attack_success: float


@click.command()
@click.option("--kind", type=click.Choice(["cnn", "minilm"]), default="cnn", show_default=True)
@click.option("--samples", type=click.IntRange(2), default=100, show_default=True)
@click.option("--words", "n_words", type=click.IntRange(60), default=2000, show_default=True)
@click.option("--recipe", default="mr", show_default=True)
def main(kind: str, samples: int, n_words: int, recipe: str) -> None:
    """Print one line a scheme."""
    bench = open_bench(recipe, kind)
    known = words_only(known_words(bench.inference.classifier))
    words = sorted(Draw("benchmark-words", kind).sample(known, min(n_words, len(known))))
    click.echo(f"{kind}: {samples} rows of each set, {len(words):,} words, m = 512")
    click.echo(f"{'defence':12s}  {'CAcc':>6s}  {'ρ':>6s}  {'ρ*':>6s}  {'ASR of SP-Attack':>16s}")
    for name in (NONE, *SCHEMES):
        classifier = bench.inference.classifier if name == NONE else _defended(bench, name, words)
        line = _measured(bench, classifier, words, samples)
        click.echo(
            f"{name:12s}  {line.accuracy:6.3f}  {line.rho:6.3f}  {line.rho_star:6.3f}"
            f"  {line.attack_success:16.3f}"
        )


def _defended(bench: Bench, scheme: str, words: Sequence[str]) -> Classifier:
    """Return a classifier trained on the rows and on each row changed once."""
    base = bench.inference.classifier
    if not isinstance(base, ByEmbeddings):
        raise TypeError("schemes of this benchmark need gradients")
    rows = list(bench.job.rows)
    augmenter = Augmenter(words, WordScorer.of(base, words), special_words(rows))
    change = SCHEMES[scheme].change
    changed = [
        (change(augmenter, sentence), sentence.sample.text_pair, sentence.label)
        for sentence in sentences_of(rows, "text")
    ]
    training = TrainingSet(
        texts=[*((row.text, row.text_pair) for row in rows), *((text, pair) for text, pair, _ in changed)],
        labels=[*(row.label for row in rows), *(label for _, _, label in changed)],
        n_labels=len(bench.task.info.labels),
        seed=bench.job.seed,
        epochs=bench.job.recipe.epochs,
    )
    kind = TRAINABLE_KINDS[bench.job.recipe.kind]
    with tempfile.TemporaryDirectory() as folder:
        kind.train(training, Path(folder))
        return kind.load(Path(folder))


def _measured(bench: Bench, classifier: Classifier, words: Sequence[str], n: int) -> Line:
    inference = Inference(classifier, "0" * 64, None)
    rows = Draw("benchmark-rows").sample(list(bench.job.rows), min(n, len(bench.job.rows)))
    on_train = _matrix(inference, _right(inference, rows), words)
    test = bench.task.samples[:n]
    right = _right(inference, test)
    strongest = np.argsort(-kappa(on_train), kind="stable")
    attack = SpAttack(
        words=[words[place] for place in strongest[: SpAttackChoice().n_words]],
        votes=inference.votes,
        refusal=guarded(Guard(bench.task.associations)),
    )
    flipped = [attack.attack(sentence) is not None for sentence in right]
    return Line(
        accuracy=len(right) / len(test),
        rho=rho(on_train),
        rho_star=rho(_matrix(inference, right, words)),
        attack_success=sum(flipped) / len(flipped),
    )


def _right(inference: Inference, rows: Sequence[Sample]) -> list[Sentence]:
    sentences = sentences_of(rows, "text")
    votes = inference.votes([sentence.pair for sentence in sentences])
    return [own for own, vote in zip(sentences, votes, strict=True) if own.label == vote]


def _matrix(inference: Inference, sentences: Sequence[Sentence], words: Sequence[str]) -> Matrix:
    classifier = inference.classifier
    if not isinstance(classifier, ByEmbeddings):
        raise TypeError("this benchmark measures classifiers with gradients")
    search = Euba(
        words=words,
        n_labels=2,
        votes=inference.votes,
        scores=scores_with(WordScorer.of(classifier, words), "euba"),
    )
    return matrix_of(words, [search.row(sentence) for sentence in sentences])


if __name__ == "__main__":
    main()
