"""The searches against brute force: what they find is true, and with m = infinity it is everything."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from made_models import Counting, made_words, right_sentences, trained

from builder.singleword.brute_force import brute_force_row
from builder.singleword.euba import VARIANTS, Euba, Variant, scores_with
from builder.singleword.linear_sums import LinearSums, agrees
from builder.singleword.matrix import Matrix, matrix_of
from builder.singleword.measures import rho
from builder.singleword.sentences import Sentence
from classifiers.machinery.classifier import Classifier, Numbers
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.single_words import WordScorer, linear_form_of

WORDS = made_words()
N_SENTENCES = 10


def euba(
    classifier: Classifier,
    sentences: list[Sentence],
    m: float,
    *,
    variant: Variant = "euba",
    votes: Counting | None = None,
    has_second_phase: bool = True,
) -> Matrix:
    """Return what EUBA finds."""
    assert isinstance(classifier, ByEmbeddings)
    search = Euba(
        words=WORDS,
        n_labels=2,
        votes=votes or Counting(classifier),
        scores=scores_with(WordScorer.of(classifier, WORDS), variant),
        m=m,
        variant=variant,
        has_second_phase=has_second_phase,
    )
    return matrix_of(WORDS, [search.row(sentence) for sentence in sentences])


def brute(classifier: Classifier, sentences: list[Sentence], votes: Counting | None = None) -> Matrix:
    """Return the truth."""
    asked = votes or Counting(classifier)
    return matrix_of(WORDS, [brute_force_row(sentence, WORDS, asked) for sentence in sentences])


@pytest.mark.parametrize("kind", ["word-tfidf", "char-tfidf", "nbsvm"])
def test_sums_of_a_linear_classifier_equal_brute_force(kind: str, tmp_path: Path) -> None:
    """Also beside commas, in the first place, and where a word stands in the text already."""
    classifier = trained(kind, tmp_path)
    form = linear_form_of(classifier)
    assert form is not None
    sums = LinearSums(form, WORDS)
    sentences = right_sentences(classifier, N_SENTENCES)
    truth = brute(classifier, sentences)
    found = matrix_of(WORDS, [sums.row(sentence) for sentence in sentences])
    assert truth.is_flipped.any()
    assert not truth.is_flipped.all()
    assert (found.is_flipped == truth.is_flipped).all()
    assert found.is_exact
    assert agrees(sums, sentences, WORDS, Counting(classifier))
    for sentence in sentences:
        for place, rows in enumerate(sums.answers(sentence)):
            asked = classifier.probabilities([sentence.with_word(place, word) for word in WORDS])
            assert np.abs(rows - asked).max() < 1e-9


def test_sums_that_are_not_the_classifiers_own_are_noticed(tmp_path: Path) -> None:
    """A pipeline may split texts otherwise than its parts suggest."""
    classifier = trained("nbsvm", tmp_path / "right")
    other = trained("nbsvm", tmp_path / "other", 12)
    form = linear_form_of(other)
    assert form is not None
    sentences = right_sentences(classifier, N_SENTENCES)
    assert not agrees(LinearSums(form, WORDS), sentences, WORDS, Counting(classifier))


def test_euba_without_an_early_stop_equals_brute_force_for_the_cnn(cnn: Classifier) -> None:
    """All 300 words at every position of ten texts."""
    sentences = right_sentences(cnn, N_SENTENCES)
    truth = brute(cnn, sentences)
    found = euba(cnn, sentences, math.inf)
    assert 0 < truth.is_flipped.mean() < 1
    assert (found.is_flipped == truth.is_flipped).all()
    assert found.is_exact


def test_euba_without_an_early_stop_equals_brute_force_for_the_encoder(minilm: Classifier) -> None:
    """All 300 words at every position of ten texts."""
    # Short texts, each asked about once: an encoder takes its time.
    sentences = right_sentences(minilm, N_SENTENCES, n_plain=1)
    votes = Counting(minilm)
    truth = brute(minilm, sentences, votes)
    found = euba(minilm, sentences, math.inf, votes=votes)
    assert 0 < truth.is_flipped.mean() < 1
    assert (found.is_flipped == truth.is_flipped).all()
    assert found.is_exact


def test_rho_does_not_rise_with_m_and_never_falls_below_the_truth(cnn: Classifier) -> None:
    """For the algorithm with both phases, and for each variant."""
    sentences = right_sentences(cnn, N_SENTENCES)
    truth = brute(cnn, sentences)
    for variant in VARIANTS:
        found = [euba(cnn, sentences, m, variant=variant) for m in (4, 16, 64, 256)]
        values = [rho(each) for each in found]
        assert values == sorted(values, reverse=True)
        assert values[0] > values[-1] >= rho(truth)
        for matrix in found:
            assert not (matrix.is_flipped & ~truth.is_flipped).any()
            assert not (matrix.is_safe & truth.is_flipped).any()


def test_the_first_phase_finds_with_a_larger_m_all_that_a_smaller_one_finds(cnn: Classifier) -> None:
    """It goes further along the same order; the second phase goes by what was found before."""
    sentences = right_sentences(cnn, N_SENTENCES)
    found = [euba(cnn, sentences, m, has_second_phase=False).is_flipped for m in (2, 8, 32, 128)]
    for fewer, more in itertools.pairwise(found):
        assert not (fewer & ~more).any()


def test_most_flips_are_found_with_few_questions(cnn: Classifier) -> None:
    """That is what the first-order scores are for."""
    sentences = right_sentences(cnn, N_SENTENCES)
    truth = brute(cnn, sentences)
    found = euba(cnn, sentences, 40)
    assert found.is_flipped.sum() >= 0.9 * truth.is_flipped.sum()
    assert found.n_questions < 0.5 * truth.n_questions


def test_nothing_is_asked_twice_and_no_word_is_tried_after_it_has_flipped(cnn: Classifier) -> None:
    """With both phases, which look at some substitutions again."""
    assert isinstance(cnn, ByEmbeddings)
    (sentence,) = right_sentences(cnn, 1)
    votes = Counting(cnn)
    scores = scores_with(WordScorer.of(cnn, WORDS), "euba")
    search = Euba(words=WORDS, n_labels=2, votes=votes, scores=scores, m=30)
    row = search.row(sentence)
    assert len(set(votes.asked)) == len(votes.asked) == row.n_questions


def test_the_loop_stops_where_the_paper_stops() -> None:
    """By hand: two positions, five words, of which the second flips at its second position only."""
    scores = np.array([[0.0, 1.0, 2.0, 3.0, 4.0], [9.0, 1.5, 8.0, 7.0, 6.0]])
    (sentence,) = _sentences("one two")
    asked: list[str] = []

    def votes(texts: list[tuple[str, str | None]]) -> list[int]:
        asked.extend(text for text, _ in texts)
        return [int(text == "one b") for text, _ in texts]

    def search(m: float, *, second: bool) -> list[str]:
        asked.clear()
        Euba(
            words=list("abcde"),
            n_labels=2,
            votes=votes,
            scores=lambda _sentence: scores,
            m=m,
            has_second_phase=second,
        ).row(sentence)
        return list(asked)

    assert search(2, second=False) == ["a two", "b two"]
    assert search(3, second=False) == ["a two", "b two", "one b", "c two", "d two", "e two"]
    # The second phase knows the failures of the first and asks only about what is new.
    assert search(2, second=True) == ["a two", "b two"]
    assert search(3, second=True) == ["a two", "b two", "one b", "c two", "d two", "e two"]


def test_words_that_flipped_texts_of_a_class_are_tried_first_in_the_next() -> None:
    """The counters are kept by class."""
    first, second, other = _sentences("one two", "three four", "five six")
    other = Sentence(
        sample=type(other.sample)(id="o", text="five six", text_pair=None, label=1),
        field="text",
        positions=other.positions,
    )
    # The first text says that the last word is likeliest; the others say nothing.
    by_text: dict[str, Numbers] = {"one two": np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])}
    asked: list[str] = []

    def votes(texts: list[tuple[str, str | None]]) -> list[int]:
        asked.extend(text for text, _ in texts)
        return [int("c" in text.split()) for text, _ in texts]

    search = Euba(
        words=list("abc"),
        n_labels=2,
        votes=votes,
        scores=lambda sentence: by_text.get(sentence.sample.text, np.zeros((2, 3))),
        m=1,
    )
    assert search.row(first).is_flipped.tolist() == [False, False, True]
    asked.clear()
    assert search.row(second).is_flipped.tolist() == [False, False, True]
    assert asked[:2] == ["a four", "c four"]
    assert search.n_flips.tolist() == [[0, 0, 2], [0, 0, 0]]


def _sentences(*texts: str) -> list[Sentence]:
    from builder.singleword.sentences import sentences_of
    from builder.values.samples import Sample

    samples = [Sample(id=text, text=text, text_pair=None, label=0) for text in texts]
    return sentences_of(samples, "text")


def test_a_masked_score_is_the_tangent_at_the_mask(cnn: Classifier) -> None:
    """At the mask's own embedding it is the log probability of the masked text; the rest is linear."""
    assert isinstance(cnn, ByEmbeddings)
    (sentence,) = right_sentences(cnn, 1)
    model = cnn.embedded()
    scorer = WordScorer.of(cnn, ["charming", "dreary"])
    found = scorer.masked(sentence.pair, sentence.positions, sentence.label, "text")
    at_mask = WordScorer(model, None, 0 * scorer.at_start, 0 * scorer.inside)
    base = at_mask.masked(sentence.pair, sentence.positions, sentence.label, "text")
    half = WordScorer(model, None, scorer.at_start / 2, scorer.inside / 2)
    middle = half.masked(sentence.pair, sentence.positions, sentence.label, "text")
    # The CNN's mask is a zero.
    assert np.abs((found + base) / 2 - middle).max() < 1e-4
    hidden = model.tokens([sentence.pair] * 2, "text")
    assert base.shape == (len(sentence.positions), 2)
    assert len(hidden[0].spans) > len(sentence.positions)
    against = "dreary" if sentence.label else "charming"
    assert scorer_prefers(found, ["charming", "dreary"], against)


def scorer_prefers(found: Numbers, words: list[str], expected: str) -> bool:
    """Whether a word is held for the stronger attack at its best place."""
    return words[int(found.min(axis=0).argmin())] == expected
