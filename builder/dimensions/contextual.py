"""Contextual: another word that fits its place, says a masked language model, and means much the same."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from builder.dimensions import synonym
from builder.label_guard.guards import Guard, is_replaceable
from builder.language.masked_lm import Gap, ask, vocabulary_of
from builder.language.sentences.contexts import contexts_of
from builder.language.tagger import tag_words
from builder.language.wordnet.kinship import are_of_one_kind, is_mainly, is_narrower
from builder.language.wordnet.phrases import words_in_phrases
from builder.language.wordnet.tables import load_tables
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.word_families import lemmas_or_itself
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, Operation, Operations, WordsOfText, operation
from builder.word_swaps.swaps import Sentence, Swap, are_kin, cosine, most_far, of_same_tags
from builder.word_swaps.whole_words import Slot, fits_article, in_casing_of, slots_of
from builder.word_swaps.word_uses import (
    Neighbours,
    Reading,
    form_of,
    is_half,
    is_own_word,
    neighbours_of,
    reading_of,
)
from contract.schema.edits import Edit

# A candidate is a synonym that fits here, or the model's own word that is near the original.
SYNONYM, NEAR = "synonym", "near"
# How many of the model's own words are looked at for a gap, and how many of a word's swaps the encoder reads.
N_PROPOSED = 400
N_COMPARED = 5
# A candidate is at most this much less likely than the original in its place; an original that the model did
# not expect at all sets no standard.
MOST_WORSE: Mapping[str, float] = {SYNONYM: 5.0, NEAR: 2.5}
LEAST_EXPECTED = -8.0
# Cosine of the two words alone, by part of speech. Encoders put films near actors and buying near selling:
# what is near must be of one kind, too.
LEAST_WORD_SIMILARITY: Mapping[str, float] = {"n": 0.66, "v": 0.7, "a": 0.635, "r": 0.64}

# Adjectives that are near one another and exclude one another.
COLOURS = frozenset(
    [
        "black",
        "blue",
        "brown",
        "gold",
        "golden",
        "gray",
        "green",
        "grey",
        "orange",
        "pink",
        "purple",
        "red",
        "silver",
        "violet",
        "white",
        "yellow",
    ]
)

_NO_OPERATIONS = Operations((), ())


class Candidate(NamedTuple):
    """A form for a place, where from, and how likely the model finds it there."""

    form: str
    source: str
    log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A word in its sentence, the synonyms it has there, and how it is read if the model may replace it."""

    number: int
    slot: Slot
    sentence: Sentence
    beside: Neighbours
    reading: Reading | None
    synonyms: tuple[str, ...]
    label: int | None
    present: frozenset[str]

    @property
    def original(self) -> str:
        """The word in small letters."""
        return self.slot.text.lower()

    @property
    def gap(self) -> Gap:
        """The sentence with the word masked."""
        text, start = self.sentence
        return Gap(text, self.slot.start - start, self.slot.end - start)

    def can_take(self, form: str) -> bool:
        """Whether a form is new, has the number, tense or degree of the original, and fits its article."""
        if self.reading is None or form in self.present or are_kin(self.original, form):
            return False
        paradigm = paradigm_of(form, self.reading.tag)
        lemma = paradigm.forms[0] if paradigm else form
        return (
            lemma not in self.present
            and is_mainly(lemma, self.reading.part)
            and form_of(lemma, self.reading, self.beside) == form
            and fits_article(self.beside.before, self.original, form)
            and form not in COLOURS
            and self._is_of_its_kind(lemma)
        )

    def _is_of_its_kind(self, lemma: str) -> bool:
        """Whether a noun or verb names what the original does, and no more; of others nobody can say."""
        reading = self.reading
        if reading is None or reading.part not in {"n", "v"}:
            return reading is not None
        return are_of_one_kind(reading.lemma, lemma, reading.part) and not is_narrower(
            lemma, reading.lemma, reading.part
        )

    def swap(self, candidate: Candidate) -> Swap:
        """Return a candidate as a swap that is drawn the more often the likelier it is."""
        # Half the logarithm: the less likely ones come, too.
        certainty = math.exp(candidate.log_probability / 2)
        return Swap(self.number, self.slot, self.sentence, candidate.form, candidate.source, certainty)


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return for every word the words that could stand there without touching the label or the meaning."""
    places = list(_places(texts, synonym.propose(texts, resources)))
    candidates = _plausible(places, resources)
    swaps = [
        place.swap(candidate)
        for place, some in zip(places, candidates, strict=True)
        for candidate in some
        if candidate.source == SYNONYM
    ]
    swaps += _similar(places, candidates, resources)
    by_word: dict[tuple[int, int], list[Swap]] = {}
    for swap in swaps:
        by_word.setdefault((swap.number, swap.slot.number), []).append(swap)
    return [
        [_operations(word.start, by_word.get((number, place), ())) for place, word in enumerate(text.words)]
        for number, text in enumerate(texts)
    ]


def _places(texts: Sequence[WordsOfText], synonyms: Sequence[Sequence[Operations]]) -> Iterator[Place]:
    """Yield the words that have synonyms or may be replaced by the model's own."""
    tagged = tag_words([text.text for text in texts])
    for number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        small = [word.text.lower() for word in text.words]
        in_phrases = words_in_phrases(small)
        parts = {part for word in small for part in (word, *word.split("-"))}
        present = frozenset(lemma for part in parts for lemma in lemmas_or_itself(part))
        contexts, neighbours = contexts_of(text.text, text.words), neighbours_of(text, cores)
        for slot in slots_of(text, cores):
            beside = neighbours[slot.number]
            known = [item.edits[0].replacement.lower() for item in synonyms[number][slot.number].items]
            reading = None if slot.number in in_phrases else _reading(slot, beside)
            if known or reading is not None:
                start, end = contexts[slot.number]
                yield Place(
                    number=number,
                    slot=slot,
                    sentence=Sentence(text.text[start:end], start),
                    beside=beside,
                    reading=reading,
                    synonyms=tuple(known),
                    label=text.label,
                    present=present,
                )


def _reading(slot: Slot, beside: Neighbours) -> Reading | None:
    """Return how a word is read if the model may replace it."""
    word = slot.text.lower()
    reading = reading_of(slot, beside) if is_replaceable(word, slot.tag) else None
    if reading is None or is_half(reading, beside) or is_own_word(word, reading):
        return None
    if word in COLOURS:
        return None
    # Names in small letters have no senses; the second half of one may have: chris rock, sharon stone.
    is_name = reading.part == "n" and beside.before_tag.startswith("NNP")
    return reading if (reading.lemma, reading.part) in load_tables().senses and not is_name else None


def _plausible(places: Sequence[Place], resources: Resources) -> list[list[Candidate]]:
    """Return for each place what the model finds likely enough and the guard lets through."""
    guard, vocabulary = Guard(resources.associations), vocabulary_of(resources.masked_lm)
    # Words of several pieces are rare ones, which no gap makes likely, and each would cost passes of its own.
    words = [[word for word in (place.original, *place.synonyms) if word in vocabulary] for place in places]
    answers = ask([place.gap for place in places], words, N_PROPOSED, resources.masked_lm)
    found = []
    for place, of_place, answer in zip(places, words, answers, strict=True):
        scores = dict(zip(of_place, answer.scores, strict=True))
        standard = max(scores.pop(place.original, LEAST_EXPECTED), LEAST_EXPECTED)
        candidates = [
            Candidate(form, SYNONYM, score)
            for form, score in scores.items()
            if score >= standard - MOST_WORSE[SYNONYM]
        ]
        candidates += [
            Candidate(form, NEAR, score)
            for form, score in answer.best
            if score >= standard - MOST_WORSE[NEAR]
            and form not in place.synonyms
            and place.can_take(form)
            and not guard.refusal(place.original, form, label=place.label, is_close=False)
        ]
        found.append(candidates)
    return found


def _similar(
    places: Sequence[Place], candidates: Sequence[Sequence[Candidate]], resources: Resources
) -> list[Swap]:
    """Return the model's own words that keep the meaning: that of the word, then that of the sentence."""
    near = [
        (place, candidate)
        for place, some in zip(places, candidates, strict=True)
        for candidate in some
        if candidate.source == NEAR
    ]
    words = sorted({word for place, candidate in near for word in (place.original, candidate.form)})
    vectors = dict(zip(words, encode(words, resources.encoder), strict=True))
    by_place: dict[tuple[int, int], list[tuple[float, Swap]]] = {}
    for place, candidate in near:
        similarity = cosine(vectors[place.original], vectors[candidate.form])
        if place.reading is not None and similarity >= LEAST_WORD_SIMILARITY[place.reading.part]:
            by_place.setdefault((place.number, place.slot.number), []).append(
                (similarity, place.swap(candidate))
            )
    swaps = [
        swap
        for of_place in by_place.values()
        for _, swap in sorted(of_place, key=lambda pair: (-pair[0], pair[1].form))[:N_COMPARED]
    ]
    swaps = of_same_tags(swaps)
    before = encode([swap.sentence.text for swap in swaps], resources.encoder)
    after = encode([swap.result for swap in swaps], resources.encoder)
    return [
        swap
        for swap, one, two in zip(swaps, before, after, strict=True)
        if cosine(one, two) >= 1 - most_far(len(swap.sentence.text.split()))
    ]


def _operations(offset: int, swaps: Sequence[Swap]) -> Operations:
    """Return swaps as operations on the word that begins at the offset; likely ones are drawn more often."""
    items: list[Operation] = []
    for swap in swaps:
        slot = swap.slot
        cased = in_casing_of(slot.text, swap.form)
        edit = Edit(slot.start - offset, slot.end - offset, slot.text, cased)
        items.append(operation(swap.source, edit, cost=Levenshtein.distance(slot.text, cased)))
    return Operations(items, [swap.certainty for swap in swaps]) if items else _NO_OPERATIONS


CONTEXTUAL = Dimension(
    name="contextual",
    summary="another word that fits the context, says a masked language model, and means much the same",
    stands_for="writers who put it in other words: fine performances for great ones",
    level="word",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    uses=("associations", "encoder", "lexicons", "masked_lm"),
    propose=propose,
)
