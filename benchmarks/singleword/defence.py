"""Measure what SP-Defense and its baselines do to a surrogate of `mr`: clean accuracy, ρ, ρ* and SP-Attack.

Run it as `python -m benchmarks.singleword.defence`. A scheme changes each training row once against the
undefended classifier; another of its kind is trained on both.
"""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from benchmarks.singleword.texts import Bench, open_bench
from builder.dimensions.synonym import SYNONYM
from builder.label_guard.guards import Guard
from builder.models.resources import Resources
from builder.searches.score import search
from builder.searches.search import SearchRequest, Source
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
from contract.schema.edits import words_of

NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Line:
    """What one classifier is worth."""

    accuracy: float
    rho: float
    rho_star: float
    # Of SP-Attack, all of whose successes change one word.
    sp_attack: float
    # Of the greedy search for synonyms: all successes, and those that change one word.
    asr: float
    asr1: float


@click.command()
@click.option("--kind", type=click.Choice(["cnn", "minilm"]), default="cnn", show_default=True)
@click.option("--samples", type=click.IntRange(2), default=100, show_default=True)
@click.option("--words", "n_words", type=click.IntRange(60), default=2000, show_default=True)
@click.option("--m", type=click.IntRange(1), default=512, show_default=True, help="EUBA's early stop.")
@click.option("--test-rows", type=click.IntRange(2), default=500, show_default=True, help="For accuracy.")
@click.option("--recipe", default="mr", show_default=True)
def main(kind: str, samples: int, n_words: int, m: int, test_rows: int, recipe: str) -> None:  # noqa: PLR0917
    """Print one line a scheme."""
    start = time.process_time()
    bench = open_bench(recipe, kind, test_rows)
    known = words_only(known_words(bench.inference.classifier))
    words = sorted(Draw("benchmark-words", kind).sample(known, min(n_words, len(known))))
    click.echo(
        f"{kind}: accuracy on {test_rows} rows, all else on {samples} of each set,"
        f" {len(words):,} words, m = {m}"
    )
    click.echo(
        f"{'defence':12s}  {'CAcc':>6s}  {'ρ':>6s}  {'ρ*':>6s}  {'SP-Attack':>9s}  {'ASR':>6s}  {'ASR1':>6s}"
    )
    for name in (NONE, *SCHEMES):
        classifier = bench.inference.classifier if name == NONE else _defended(bench, name, words)
        line = _measured(bench, classifier, words, samples, m)
        click.echo(
            f"{name:12s}  {line.accuracy:6.3f}  {line.rho:6.3f}  {line.rho_star:6.3f}"
            f"  {line.sp_attack:9.3f}  {line.asr:6.3f}  {line.asr1:6.3f}"
        )
    click.echo(f"{(time.process_time() - start) / 60:.1f} minutes of processor time")


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


def _measured(bench: Bench, classifier: Classifier, words: Sequence[str], n: int, m: int) -> Line:
    inference = Inference(classifier, "0" * 64, None)
    rows = Draw("benchmark-rows").sample(list(bench.job.rows), min(n, len(bench.job.rows)))
    on_train = _matrix(inference, _right(inference, rows), words, m)
    samples = bench.task.samples
    right = _right(inference, samples[:n])
    strongest = np.argsort(-kappa(on_train), kind="stable")
    attack = SpAttack(
        words=[words[place] for place in strongest[: SpAttackChoice().n_words]],
        votes=inference.votes,
        refusal=guarded(Guard(bench.task.associations)),
    )
    flipped = [attack.attack(sentence) is not None for sentence in right]
    greedy = _greedy(bench, inference, [sentence.sample for sentence in right])
    return Line(
        accuracy=len(_right(inference, samples)) / len(samples),
        rho=rho(on_train),
        rho_star=rho(_matrix(inference, right, words, m)),
        sp_attack=sum(flipped) / len(flipped),
        asr=len(greedy.fooled) / len(right),
        asr1=len(greedy.fooled_by_one) / len(right),
    )


class _Greedy(NamedTuple):
    """The samples that a greedy search fools, and those that it fools with one word."""

    fooled: set[str]
    fooled_by_one: set[str]


def _greedy(bench: Bench, inference: Inference, samples: Sequence[Sample]) -> _Greedy:
    """Attack samples that the classifier has right with synonyms, at all degrees."""
    found = search(
        SearchRequest(
            task=bench.task.info.name,
            perturbed=bench.task.info.perturbed,
            samples=samples,
            dimension=SYNONYM,
            degrees=SYNONYM.degrees,
            n_cases=1,
            seed=0,
            resources=Resources(associations=bench.task.associations),
            source=Source(name="defended", inference=inference),
        )
    )
    fooled = [record for record in found.records if record.source_fooled]
    ones = [
        record
        for record in fooled
        if round((record.word_modification_rate or 0) * len(words_of(record.unperturbed_text))) == 1
    ]
    return _Greedy({record.sample_id for record in fooled}, {record.sample_id for record in ones})


def _right(inference: Inference, rows: Sequence[Sample]) -> list[Sentence]:
    sentences = sentences_of(rows, "text")
    votes = inference.votes([sentence.pair for sentence in sentences])
    return [own for own, vote in zip(sentences, votes, strict=True) if own.label == vote]


def _matrix(inference: Inference, sentences: Sequence[Sentence], words: Sequence[str], m: int) -> Matrix:
    classifier = inference.classifier
    if not isinstance(classifier, ByEmbeddings):
        raise TypeError("this benchmark measures classifiers with gradients")
    search = Euba(
        words=words,
        n_labels=2,
        votes=inference.votes,
        scores=scores_with(WordScorer.of(classifier, words), "euba"),
        m=m,
    )
    return matrix_of(words, [search.row(sentence) for sentence in sentences])


if __name__ == "__main__":
    main()
