"""Substitutions in their texts, made into the rows of numbers that the judge looks at."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from builder.language.masked_lm.model import Floats, load_model
from builder.language.masked_lm.places import Span, read_places
from builder.language.sentences.contexts import contexts_of
from builder.language.substitution.features import NAMES, Candidate, Matrix, Place, features_of
from builder.language.tagger import tag
from builder.language.wordnet.synonyms import probabilities_of
from builder.language.words.inflected_forms import paradigm_of
from builder.models.embedding_cache import Embedding
from builder.models.encoder import encode
from contract.schema.edits import words_of

# How many words to each side are a word's neighbourhood.
N_AROUND = 6

_PART_OF_SPEECH = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}


class Substitution(NamedTuple):
    """Text[start:end], which is a word, becomes another word or expression."""

    start: int
    end: int
    substitute: str


class TaggedPlace(NamedTuple):
    """A word's sentence, its place there, and its tag."""

    sentence: str
    span: Span
    tag: str

    @property
    def word(self) -> str:
        """The word in small letters."""
        return self.sentence[self.span.start : self.span.end].lower()


def rows_of(texts: Sequence[str], swaps: Sequence[Sequence[Substitution]], masked_lm: str) -> list[Matrix]:
    """Return for each swap of each text a row of features."""
    places = [
        _places_of(text, of_text, {token.start: token.tag for token in tokens})
        for text, of_text, tokens in zip(texts, swaps, tag(texts), strict=True)
    ]
    forms: dict[str, dict[Span, list[str]]] = {}
    for of_text, of_places in zip(swaps, places, strict=True):
        for swap, place in zip(of_text, of_places, strict=True):
            forms.setdefault(place.sentence, {}).setdefault(place.span, []).append(swap.substitute.lower())
    likelihoods = _likelihoods(forms, masked_lm)
    vectors = dict(zip(forms, encode(list(forms)), strict=True))
    features: dict[TaggedPlace, dict[str, Matrix]] = {}
    for place in dict.fromkeys(place for of_text in places for place in of_text):
        known = likelihoods[place.sentence, place.span]
        described = described_place(place, vectors[place.sentence], known.get(place.word))
        asked = list(dict.fromkeys(forms[place.sentence][place.span]))
        candidates = [described_candidate(form, place.tag, known.get(form)) for form in asked]
        features[place] = dict(zip(asked, features_of(described, candidates), strict=True))
    return [
        np.stack(
            [features[place][swap.substitute.lower()] for swap, place in zip(of_text, of_places, strict=True)]
        )
        if of_text
        else np.zeros((0, len(NAMES)))
        for of_text, of_places in zip(swaps, places, strict=True)
    ]


def described_place(place: TaggedPlace, vector: Embedding, log_probability: float | None) -> Place:
    """Return a place as the features need it, given the vector of its sentence and how likely its word is."""
    small = place.sentence.lower()
    before, after = small[: place.span.start].split(), small[place.span.end :].split()
    lemma = lemma_of(place.word, place.tag)
    part_of_speech = _PART_OF_SPEECH.get(place.tag[:2], "")
    return Place(
        word=place.word,
        lemma=lemma,
        part_of_speech=part_of_speech,
        around=tuple(
            word for word in (*before[-N_AROUND:], *after[:N_AROUND]) if word.isalpha() and len(word) > 2
        ),
        senses=probabilities_of(lemma, part_of_speech, vector),
        log_probability=float("-inf") if log_probability is None else log_probability,
    )


def described_candidate(form: str, token_tag: str, log_probability: float | None) -> Candidate:
    """Return a candidate as the features need it."""
    return Candidate(form=form, lemma=lemma_of(form, token_tag), log_probability=log_probability)


def lemma_of(form: str, token_tag: str) -> str:
    """Return the lemma of a form in small letters, or the form if its paradigm is not known."""
    paradigm = paradigm_of(form, token_tag)
    return paradigm.forms[0] if paradigm else form


def _places_of(text: str, swaps: Sequence[Substitution], tags: Mapping[int, str]) -> list[TaggedPlace]:
    words = words_of(text)
    starts, contexts = [word.start for word in words], contexts_of(text, words)
    places = []
    for swap in swaps:
        start, end = contexts[max(0, bisect_right(starts, swap.start) - 1)]
        span = Span(swap.start - start, swap.end - start)
        places.append(TaggedPlace(text[start:end], span, tags.get(swap.start, "")))
    return places


def _likelihoods(
    forms: Mapping[str, Mapping[Span, Sequence[str]]], masked_lm: str
) -> dict[tuple[str, Span], dict[str, float]]:
    """Return how likely each word and each form that is one piece is in its place."""
    tokens = load_model(masked_lm).token_of_word
    sentences = list(forms)
    spans = [sorted(forms[sentence]) for sentence in sentences]

    def read(number: int, place: int, logs: Floats) -> dict[str, float]:
        sentence, span = sentences[number], spans[number][place]
        asked = (sentence[span.start : span.end].lower(), *forms[sentence][span])
        return {form: float(logs[tokens[form]]) for form in asked if form in tokens}

    answers = read_places(sentences, spans, read, masked_lm)
    return {
        (sentence, span): answer
        for sentence, of_sentence, of_answers in zip(sentences, spans, answers, strict=True)
        for span, answer in zip(of_sentence, of_answers, strict=True)
    }
