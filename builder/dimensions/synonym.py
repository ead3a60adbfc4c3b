"""Synonym: another word for the same thing, in the sense and the form that the original has in its text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.sentences.contexts import contexts_of
from builder.language.tagger import tag_words
from builder.language.wordnet.phrases import words_in_phrases
from builder.language.wordnet.synonyms import synonyms_of
from builder.language.words.lexicons import Lexicon, load_lexicons
from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import FORM, load_thesaurus
from builder.language.words.word_families import lemmas_or_itself
from builder.models.embedding_cache import Embedding
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, Operation, Operations, WordsOfText, operation
from builder.word_swaps.swaps import Sentence, Swap, judge
from builder.word_swaps.whole_words import Slot, fits_article, in_casing_of, slots_of
from builder.word_swaps.word_uses import (
    Neighbours,
    Reading,
    form_of,
    is_attribute,
    is_half,
    is_own_word,
    neighbours_of,
    reading_of,
)
from contract.schema.edits import Edit

LISTED, WORDNET, LEXICON = "listed", "wordnet", "lexicon"
# A synonym this certain may stand for a word that speaks for a class, though nobody knows what it speaks for.
LEAST_CLOSE = 0.5

_NO_OPERATIONS = Operations((), ())


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the synonyms of every word of every text, read in its sentence."""
    guard, lexicon = Guard(resources.associations), load_lexicons(resources.lexicons)
    places = list(_places(texts))
    vectors = encode([place.sentence.text for place in places])
    listed: list[Swap] = []
    open_to_doubt: list[Swap] = []
    for place, vector in zip(places, vectors, strict=True):
        written = place.listed(guard)
        listed += written or ()
        if written is None:
            open_to_doubt += place.from_wordnet(guard, vector)
        open_to_doubt += place.from_lexicon(guard, lexicon)
    by_word: dict[tuple[int, int], dict[str, Swap]] = {}
    for swap in _without_clashes([*listed, *judge(open_to_doubt)]):
        by_word.setdefault((swap.number, swap.slot.number), {}).setdefault(swap.form, swap)
    return [
        [
            _operations(word.start, list(by_word.get((number, place), {}).values()))
            for place, word in enumerate(text.words)
        ]
        for number, text in enumerate(texts)
    ]


def _without_clashes(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps but those that make two words of a text one: not "total and total"."""
    owner: dict[tuple[int, str], str] = {}
    for swap in sorted(swaps, key=lambda swap: swap.slot.number):
        owner.setdefault((swap.number, swap.form), swap.original)
    return [swap for swap in swaps if owner[swap.number, swap.form] == swap.original]


def _operations(offset: int, swaps: Sequence[Swap]) -> Operations:
    """Return swaps as operations on the word that begins at the offset."""
    items: list[Operation] = []
    for swap in swaps:
        slot = swap.slot
        cased = in_casing_of(slot.text, swap.form)
        edit = Edit(slot.start - offset, slot.end - offset, slot.text, cased)
        items.append(operation(swap.source, edit, cost=Levenshtein.distance(slot.text, cased)))
    return Operations(items, [swap.certainty for swap in swaps]) if items else _NO_OPERATIONS


def _places(texts: Sequence[WordsOfText]) -> Iterator["_Place"]:
    tagged = tag_words([text.text for text in texts])
    for number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        small = [
            (word.text if core is None else core.text).lower()
            for word, core in zip(text.words, cores, strict=True)
        ]
        in_phrases = words_in_phrases(small)
        present = frozenset(lemma for word in small for lemma in lemmas_or_itself(word))
        contexts, neighbours = contexts_of(text.text, text.words), neighbours_of(text, cores)
        for slot in slots_of(text, cores):
            if slot.number not in in_phrases and not is_negation(slot.text):
                start, end = contexts[slot.number]
                yield _Place(
                    number=number,
                    slot=slot,
                    sentence=Sentence(text.text[start:end], start),
                    beside=neighbours[slot.number],
                    label=text.label,
                    present=present,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A word in its text, as something that others may replace."""

    number: int
    slot: Slot
    sentence: Sentence
    beside: Neighbours
    label: int | None
    present: frozenset[str]

    @property
    def original(self) -> str:
        """The word in small letters."""
        return self.slot.text.lower()

    def listed(self, guard: Guard) -> list[Swap] | None:
        """Return what is written by hand for this word, or nothing if it is not listed."""
        reading = self._listed_reading()
        if reading is None:
            return None
        is_bound = reading.part != FORM and is_half(reading, self.beside)
        found = []
        for entry in load_thesaurus()[reading.lemma, reading.part]:
            if entry.before:
                fits = entry.before in {self.beside.after, self.beside.after_tag[:1]}
            else:
                is_modifier = reading.part == "n" and self.beside.after_tag.startswith("NN")
                fits = not is_bound or (is_modifier and entry.is_mutual)
            form = self._form(entry.lemma, reading) if fits else None
            if form and not guard.class_refusal(self.original, form, label=self.label, is_close=True):
                found.append(self._swap(form, LISTED, 1.0))
        return found

    def _listed_reading(self) -> Reading | None:
        thesaurus = load_thesaurus()
        if (self.original, FORM) in thesaurus:
            return Reading(self.original, FORM, "")
        if is_negation(self.beside.before) and self.slot.tag.startswith("RB"):
            # "Not nearly" is not "not almost".
            return None
        if (self.original, "a") in thesaurus and self._is_rather_adjective():
            return Reading(self.original, "a", "JJ")
        reading = reading_of(self.slot, self.beside, is_verb=self.beside.after == "to")
        return reading if reading and (reading.lemma, reading.part) in thesaurus else None

    def _is_rather_adjective(self) -> bool:
        """Whether a participle, as taggers call it, or a noun in -ing only says how something is."""
        if self.slot.tag in {"VBG", "VBN"} and self.beside.after_tag[:2] in {"", "CC", "RB", "VB"}:
            return True
        is_taken_for_noun = self.slot.tag == "NN" and self.original.endswith("ing")
        return is_taken_for_noun and is_attribute(self.beside)

    def from_wordnet(self, guard: Guard, vector: Embedding) -> list[Swap]:
        """Return synonyms of the sense that the word has in its sentence."""
        reading = self._open_reading()
        if reading is None:
            return []
        found = []
        for synonym in synonyms_of(reading.lemma, reading.part, vector):
            form = self._form(synonym.lemma, reading) if self._may_stand(synonym.position) else None
            is_close = synonym.certainty >= LEAST_CLOSE
            if form and not guard.refusal(self.original, form, label=self.label, is_close=is_close):
                found.append(self._swap(form, WORDNET, synonym.certainty))
        return found

    def from_lexicon(self, guard: Guard, lexicon: Lexicon) -> list[Swap]:
        """Return what the recipe's lexicons have for this form."""
        if self.original not in lexicon or self._open_reading() is None:
            return []
        return [
            self._swap(form, LEXICON, 0.5)
            for form in lexicon[self.original]
            if self._is_fit(form, form)
            and not guard.refusal(self.original, form, label=self.label, is_close=False)
        ]

    def _open_reading(self) -> Reading | None:
        reading = reading_of(self.slot, self.beside)
        if reading is None or is_half(reading, self.beside) or is_own_word(self.original, reading):
            return None
        # The second half of a name in small letters: chris rock, sharon stone.
        if reading.part == "n" and self.beside.before_tag.startswith("NNP"):
            return None
        # "Highly recommended" and "not quite" are said so and not otherwise.
        if reading.part == "r" and (self.beside.after_tag == "VBN" or is_negation(self.beside.before)):
            return None
        return reading if is_replaceable(self.original, self.slot.tag) else None

    def _form(self, lemma: str, reading: Reading) -> str | None:
        """Return how another lemma is written here, if it can be."""
        form = lemma if reading.part == FORM else form_of(lemma, reading, self.beside)
        return form if form is not None and self._is_fit(form, lemma) else None

    def _is_fit(self, form: str, lemma: str) -> bool:
        """Whether a form is not there already and goes with its article."""
        is_new = form != self.original and not {form, lemma} & self.present
        return is_new and fits_article(self.beside.before, self.original, form)

    def _may_stand(self, position: str) -> bool:
        """Whether an adjective goes before its noun, or after it, as it must here."""
        is_attribute = self.beside.after_tag[:2] in {"NN", "JJ"}
        return position == "" or (position == "a") == is_attribute

    def _swap(self, form: str, source: str, certainty: float) -> Swap:
        return Swap(self.number, self.slot, self.sentence, form, source, certainty)


SYNONYM = Dimension(
    name="synonym",
    summary="another word of the same sense, in the same form, at most one a word",
    stands_for="writers who say the same in other words: a gripping movie, an absorbing film",
    level="word",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    uses=("associations", "lexicons"),
    propose=propose,
)
