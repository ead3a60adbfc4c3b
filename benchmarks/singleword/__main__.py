"""Compare EUBA and its variants with brute force on `mr`, and draw ρ against time.

Run it as `python -m benchmarks.singleword FOLDER`. Answers are kept in the folder, so that a run that was
ended goes on where it was. For the network over words all answers are computed from parts of convolutions,
which is checked against the network itself; the encoder is asked about every substitution.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from benchmarks.singleword.answers import Answers, answers_path, coded, kept_answers
from benchmarks.singleword.drawing import Curve, draw
from benchmarks.singleword.texts import Bench, open_bench
from builder.singleword.brute_force import brute_force_row
from builder.singleword.euba import VARIANTS, Euba, Variant, scores_with
from builder.singleword.matrix import Matrix, matrix_of
from builder.singleword.measures import rho
from builder.singleword.sentences import Sentence, sentences_of
from builder.singleword.vocabulary import words_only
from builder.values.randomness import Draw
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.inference import Inference
from classifiers.machinery.single_words import WordScorer, known_words

# Early stops, as in the paper's Figure 7.
STOPS = (128, 256, 512, 1024, 2048)
DEFAULT_M = 512
# What must hold of the default.
LEAST_FOUND, MOST_ASKED = 0.9, 0.1


@dataclass(frozen=True, kw_only=True)
class Point:
    """One variant with one early stop, against brute force."""

    variant: Variant
    m: int
    rho: float
    # Of the flips that brute force finds, the share found; of its questions, the share asked.
    found: float
    asked: float
    # For each text: gradients and questions, each as measured by itself.
    seconds: float


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--kind", type=click.Choice(["cnn", "minilm"]), default="cnn", show_default=True)
@click.option("--samples", type=click.IntRange(2), default=200, show_default=True)
@click.option("--words", "n_words", type=click.IntRange(10), default=2000, show_default=True)
@click.option("--recipe", default="mr", show_default=True)
@click.option("--known", "only_known", is_flag=True, help="Only texts whose answers an earlier run has kept.")
def main(folder: Path, kind: str, samples: int, n_words: int, recipe: str, *, only_known: bool) -> None:
    """Print the table, whether its promise holds, and write figure7.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    bench = open_bench(recipe, kind)
    inference, sentences = bench.inference, _right_texts(bench, samples)
    classifier = inference.classifier
    if not isinstance(classifier, ByEmbeddings):
        raise click.UsageError(f"{kind} has no gradients")
    known = words_only(known_words(classifier))
    words = sorted(Draw("benchmark-words", kind).sample(known, min(n_words, len(known))))
    if only_known:
        sentences = [own for own in sentences if answers_path(folder, inference, own, words).is_file()]
    click.echo(
        f"{kind}: {len(sentences)} texts that it has right, {len(words):,} of its {len(known):,} words"
    )
    answers = [
        kept_answers(folder, inference, sentence, words, number) for number, sentence in enumerate(sentences)
    ]
    a_question = _seconds_a_question(inference, sentences, words)
    sentences = [coded(sentence) for sentence in sentences]
    truth = matrix_of(
        words,
        [brute_force_row(own, words, each.votes) for own, each in zip(sentences, answers, strict=True)],
    )
    brute = truth.n_questions * a_question / len(sentences)
    click.echo(
        f"brute force: ρ {rho(truth):.4f}, {truth.n_questions:,} questions,"
        f" {brute:.1f} s a text at {1e3 * a_question:.2f} ms a question"
    )
    points: list[Point] = []
    for variant in VARIANTS:
        scorer = WordScorer.of(classifier, words)
        scores, seconds = _timed_scores(scorer, variant, sentences)
        for m in STOPS:
            found = _found(
                Euba(words=words, n_labels=2, votes=answers[0].votes, scores=scores, m=m, variant=variant),
                sentences,
                answers,
            )
            cost = seconds + a_question * found.n_questions / len(sentences)
            points.append(_point(variant, m, found, truth, seconds=cost))
            _show(points[-1])
    curves = [
        Curve(name=name, points=[(p.seconds, p.rho) for p in points if p.variant == name])
        for name in VARIANTS
    ]
    (folder / f"figure7-{kind}.svg").write_text(
        draw(curves, floor=rho(truth), title=f"{kind}: ρ against seconds a text"), encoding="utf-8"
    )
    (default,) = [point for point in points if point.variant == "euba" and point.m == DEFAULT_M]
    holds = default.found >= LEAST_FOUND and default.asked <= MOST_ASKED
    click.echo(
        f"m = {DEFAULT_M} finds {default.found:.1%} of the flips with {default.asked:.1%} of the questions:"
        f" {'holds' if holds else 'does not hold'} (at least {LEAST_FOUND:.0%} with at most {MOST_ASKED:.0%})"
    )


def _right_texts(bench: Bench, n: int) -> list[Sentence]:
    """Return texts that the surrogate has right, half of them training rows."""
    rows = list(bench.job.rows)
    trained = Draw("benchmark-rows").sample(rows, min(n, len(rows)))
    right: list[Sentence] = []
    for samples, most in ((bench.task.samples, n // 2), (trained, n)):
        found = sentences_of(samples, bench.task.info.perturbed)
        votes = bench.inference.votes([sentence.pair for sentence in found])
        new = [own for own, vote in zip(found, votes, strict=True) if own.label == vote]
        right += new[: most - len(right)]
    return right


def _seconds_a_question(inference: Inference, sentences: Sequence[Sentence], words: Sequence[str]) -> float:
    """Return how long the classifier takes for a text, asked about many that differ in a word."""
    texts = [own.with_word(0, word) for own in sentences[:4] for word in words[:64]]
    start = time.process_time()
    inference.classifier.probabilities(texts)
    return (time.process_time() - start) / len(texts)


class _Scores:
    """Estimates that were computed before, sentence by sentence."""

    def __init__(self, by_text: dict[str, np.ndarray]) -> None:
        self._by_text = by_text

    def __call__(self, sentence: Sentence) -> np.ndarray:
        return self._by_text[sentence.sample.id]


def _timed_scores(
    scorer: WordScorer, variant: Variant, sentences: Sequence[Sentence]
) -> tuple[_Scores, float]:
    """Return the estimates of all texts, and the seconds that a text takes."""
    estimate = scores_with(scorer, variant)
    start = time.process_time()
    found = {sentence.sample.id: estimate(sentence) for sentence in sentences}
    return _Scores(found), (time.process_time() - start) / len(sentences)


def _found(search: Euba, sentences: Sequence[Sentence], answers: Sequence[Answers]) -> Matrix:
    """Return what a search finds, the answers being known before."""
    rows = []
    for sentence, own in zip(sentences, answers, strict=True):
        search.votes = own.votes
        rows.append(search.row(sentence))
    return matrix_of(search.words, rows)


def _point(variant: Variant, m: int, found: Matrix, truth: Matrix, *, seconds: float) -> Point:
    return Point(
        variant=variant,
        m=m,
        rho=rho(found),
        found=float(found.is_flipped.sum() / truth.is_flipped.sum()),
        asked=found.n_questions / truth.n_questions,
        seconds=seconds,
    )


def _show(point: Point) -> None:
    click.echo(
        f"{point.variant:8s} m {point.m:5d}  ρ {point.rho:.4f}  flips found {point.found:6.1%}"
        f"  questions {point.asked:6.1%}  {point.seconds:7.3f} s a text"
    )


if __name__ == "__main__":
    main()
