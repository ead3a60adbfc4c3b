"""Single word: one word gives way to one of the words that flip a classifier's answer in many texts.

SP-Attack of the paper on single-word perturbations puts its words anywhere. Here a word must be of the kind
and form of the one that it replaces, be likely there, and pass the label guard.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.masked_lm.model import Floats, load_model
from builder.language.masked_lm.places import Span, read_places
from builder.language.substitution.features import features_of
from builder.language.substitution.places import TaggedPlace, described_candidate, described_place
from builder.language.substitution.trees import load_trees
from builder.models.embedding_cache import Embedding
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import SingleWordDimension, WordsOfText
from builder.operations.operation import Operations
from builder.word_swaps.masked_words import Word, words_of_texts
from builder.word_swaps.swaps import Swap, of_same_tags, operations_of

METHOD = "single-word"
# M of the paper: of each text so many words are tried, those that can stand somewhere in it.
N_WORDS = 50
# A word is at most this much less likely in its place than the one that stood there, as a logarithm; one that
# the model did not expect at all counts as likely as this.
LESS_LIKELY = 1.0
LEAST_EXPECTED = -7.0
# Below this, nothing is likely enough, whatever stood there.
LEAST_LIKELY = -5.0
# The least score of the judge of substitutions. Dimensions that promise the same meaning ask for more.
LEAST_ACCEPTED = 0.75
# Why exchanges are refused, beside the reasons of the label guard.
KEPT, OTHER_FORM, UNLIKELY, OTHER_TAGS = "kept-word", "other-form", "unlikely", "other-tags"
OTHER_MEANING, WEAKER = "other-meaning", "weaker-word"


def propose_words(
    texts: Sequence[WordsOfText], words: Sequence[Sequence[str]], resources: Resources
) -> list[list[Operations]]:
    """Return for every word of a text the words of its label that can stand there and keep the label."""
    places = [place for place in words_of_texts(texts, is_replaceable) if place.use is not None]
    forms = [words[place.label or 0] for place in places]
    likelihoods = _likelihoods(places, words, resources.masked_lm)
    guard = Guard(resources.associations)
    sentences = list(dict.fromkeys(place.sentence.text for place in places))
    vectors = dict(zip(sentences, encode(sentences, resources.encoder), strict=True))
    refused: dict[int, Counter[str]] = {number: Counter() for number in range(len(texts))}
    standing: dict[int, dict[str, list[Swap]]] = {number: {} for number in range(len(texts))}
    for place, of_place, likelihood in zip(places, forms, likelihoods, strict=True):
        found = _accepted(place, of_place, likelihood, guard, vectors[place.sentence.text])
        refused[place.text_number].update(found.refused)
        for form in found.forms:
            own = standing[place.text_number].setdefault(form, [])
            own.append(place.swap(form, METHOD, 1.0))
    n_places = Counter(place.text_number for place in places)
    swaps: list[Swap] = []
    for number, text in enumerate(texts):
        of_label = words[text.label or 0]
        # Names, numbers, negations and grammar stay.
        refused[number][KEPT] += (len(text.words) - n_places[number]) * len(of_label)
        chosen = [form for form in of_label if form in standing[number]]
        refused[number][WEAKER] += sum(len(standing[number][form]) for form in chosen[N_WORDS:])
        swaps += [swap for form in chosen[:N_WORDS] for swap in standing[number][form]]
    kept = of_same_tags(swaps)
    lost = Counter(swap.text_number for swap in swaps)
    lost.subtract(swap.text_number for swap in kept)
    for number, n in lost.items():
        refused[number][OTHER_TAGS] += n
    return [
        _with_refused(operations, refused[number])
        for number, operations in enumerate(operations_of(texts, kept))
    ]


class _Likelihood(NamedTuple):
    """How likely the word of a place is there, and each of the words that may replace it."""

    expected: float | None
    forms: Floats


class _Accepted(NamedTuple):
    """The words that can stand in a place, and how many cannot, by reason."""

    forms: list[str]
    refused: Counter[str]


def _accepted(
    word: Word, forms: Sequence[str], likelihood: _Likelihood, guard: Guard, vector: Embedding
) -> _Accepted:
    """Return the words that the guard lets through, that fit the place, and that the judge accepts there."""
    refused: Counter[str] = Counter()
    left: list[tuple[str, float]] = []
    expected = max(LEAST_EXPECTED, -np.inf if likelihood.expected is None else likelihood.expected)
    # The guard is asked last: so its refusals are of words that would otherwise stand there.
    is_likely = likelihood.forms >= max(expected - LESS_LIKELY, LEAST_LIKELY)
    refused[UNLIKELY] += int((~is_likely).sum())
    for number in np.flatnonzero(is_likely).tolist():
        form, log = forms[number], float(likelihood.forms[number])
        reason = OTHER_FORM if not word.can_take(form) else None
        reason = reason or guard.refusal(word.original, form, label=word.label, is_close=False)
        if reason is None:
            left.append((form, log))
        else:
            refused[reason] += 1
    if not left or word.use is None:
        return _Accepted([], refused)
    place = TaggedPlace(word.sentence.text, word.span, word.use.tag)
    rows = features_of(
        described_place(place, vector, likelihood.expected),
        [described_candidate(form, word.use.tag, log) for form, log in left],
    )
    scores = load_trees().probabilities(rows).tolist()
    kept = [form for (form, _), score in zip(left, scores, strict=True) if score >= LEAST_ACCEPTED]
    refused[OTHER_MEANING] += len(left) - len(kept)
    return _Accepted(kept, refused)


def _likelihoods(places: Sequence[Word], words: Sequence[Sequence[str]], masked_lm: str) -> list[_Likelihood]:
    """Return how likely the masked language model finds each word in each place."""
    tokens = load_model(masked_lm).token_of_word
    # By label; the last place, which is never likely, for words that are no single piece.
    numbers = [np.array([tokens.get(form, -1) for form in of_label], np.int64) for of_label in words]
    by_sentence: dict[str, dict[Span, list[int]]] = {}
    for number, place in enumerate(places):
        by_sentence.setdefault(place.sentence.text, {}).setdefault(place.span, []).append(number)
    sentences = list(by_sentence)
    spans = [sorted(of_sentence) for of_sentence in by_sentence.values()]

    def read(number: int, place: int, logs: Floats) -> list[_Likelihood]:
        owners = by_sentence[sentences[number]][spans[number][place]]
        own = tokens.get(places[owners[0]].original)
        expected = None if own is None else float(logs[own])
        return [
            _Likelihood(expected, np.append(logs, -np.inf)[numbers[places[owner].label or 0]])
            for owner in owners
        ]

    found: dict[int, _Likelihood] = {}
    rows = read_places(sentences, spans, read, masked_lm)
    for sentence, of_sentence, answers in zip(sentences, spans, rows, strict=True):
        for span, of_span in zip(of_sentence, answers, strict=True):
            found.update(zip(by_sentence[sentence][span], of_span, strict=True))
    return [found[number] for number in range(len(places))]


def _with_refused(operations: Sequence[Operations], refused: Counter[str]) -> list[Operations]:
    """Return the operations of a text, the first of its words with all that was refused in the text."""
    counted = {name: n for name, n in sorted(refused.items()) if n}
    return [
        Operations(own.items, [1.0] * len(own), counted) if number == 0 else own
        for number, own in enumerate(operations)
    ]


SINGLE_WORD = SingleWordDimension(
    name="single-word",
    summary="one word gives way to one of the words that flip a source's answer in many texts",
    stands_for="attackers who know a few words that a classifier pays too much attention to",
    tag="malicious",
    group="single-word",
    uses=("associations", "encoder", "masked_lm"),
    propose_words=propose_words,
)
