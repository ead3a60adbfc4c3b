"""The strongest words of a classifier: those that flip most rows of each label, measured on stated rows."""

from collections.abc import Sequence

import numpy as np

from builder.singleword.brute_force import brute_force_row
from builder.singleword.matrix import Votes, matrix_of
from builder.singleword.measures import rho, rho_lower
from builder.singleword.search import SearchChoice, search_for
from builder.singleword.sentences import Sentence, sentences_of
from builder.singleword.vocabulary import words_of_data
from builder.values.randomness import Draw
from builder.values.samples import Sample
from classifiers.machinery.classifier import Classifier
from contract.schema.manifest import TextField
from contract.schema.single_words import StrongWord, StrongWords

# Of each label so many training rows, and of all training rows the most frequent words.
ROWS_OF_A_LABEL = 16
N_VOCABULARY = 3000
# EUBA's early stop: a quarter of the paper's, since its matrix only ranks words here.
M = 128
# Of each label so many words are kept.
MOST_WORDS = 1000


def vocabulary_of(train: Sequence[Sample]) -> list[str]:
    """Return the words that are tried: the most frequent ones of training rows, in small letters."""
    return words_of_data(train, N_VOCABULARY)


def rows_of(train: Sequence[Sample], n_labels: int, *, seed: int, task: str) -> list[Sample]:
    """Return the rows on which words are tried: as many of each label, drawn at random."""
    rows: list[Sample] = []
    for label in range(n_labels):
        own = [row for row in train if row.label == label]
        rows += Draw("single-word-rows", seed, task, label).sample(own, min(ROWS_OF_A_LABEL, len(own)))
    return rows


def measure_strong_words(
    classifier: Classifier,
    votes: Votes,
    rows: Sequence[Sample],
    words: Sequence[str],
    *,
    field: TextField,
    n_labels: int,
) -> StrongWords:
    """Return for each label the words that flip most of its rows, of rows that the classifier has right."""
    sentences = sentences_of(rows, field)
    answers = votes([sentence.pair for sentence in sentences]) if sentences else ()
    right = [own for own, vote in zip(sentences, answers, strict=True) if own.label == vote]
    if not right or not words:
        return StrongWords(search="none", n_words=len(words), n_rows=(0,) * n_labels, words=((),) * n_labels)
    search = search_for(classifier, words, votes, SearchChoice(m=M), sentences=right, n_labels=n_labels)
    # A classifier without gradients and sums is asked about everything: the rows and words are few.
    name = "brute-force" if search.row is None else search.name
    found = [brute_force_row(own, words, votes) if search.row is None else search.row(own) for own in right]
    matrix = matrix_of(words, found)
    return StrongWords(
        search=name,
        n_words=len(words),
        n_rows=tuple(sum(own.label == label for own in right) for label in range(n_labels)),
        rho=rho(matrix),
        rho_lower=rho_lower(matrix),
        words=tuple(_strongest(matrix.is_flipped, words, right, label) for label in range(n_labels)),
    )


def _strongest(
    is_flipped: np.ndarray, words: Sequence[str], right: Sequence[Sentence], label: int
) -> tuple[StrongWord, ...]:
    own = np.array([sentence.label == label for sentence in right], np.bool_)
    if not own.any():
        return ()
    hits = is_flipped[own].sum(axis=0).tolist()
    order = sorted(
        (place for place, n in enumerate(hits) if n), key=lambda place: (-hits[place], words[place])
    )
    n = int(own.sum())
    return tuple(
        StrongWord(word=words[place], kappa=round(hits[place] / n, 6)) for place in order[:MOST_WORDS]
    )
