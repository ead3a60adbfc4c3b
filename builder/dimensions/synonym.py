"""Synonym: another word of the same meaning, in the sense and the form that the original has in its text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.word_swaps.swaps import (
    SENTENCE_LIMIT,
    Sentence,
    SentenceLimit,
    Swap,
    WordInText,
    cosine,
    of_same_tags,
    of_similar_sentences,
    operations_of,
    share_a_stem,
)
from builder.word_swaps.whole_words import fits_article, whole_words_of
from builder.word_swaps.word_uses import (
    WordUse,
    form_of,
    is_attribute,
    is_bound_to_next,
    is_own_word,
    neighbours_of,
    use_of,
)

LISTED, WORDNET, LEXICON = "listed", "wordnet", "lexicon"
# A synonym this certain may replace a word typical of a class, although its own class is not known.
LEAST_CLOSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How similar a swap from WordNet or a lexicon must be; what is listed by hand needs no check."""

    # The least cosine of the two words alone.
    word_cosine: float = 0.55
    sentence: SentenceLimit = SENTENCE_LIMIT


THRESHOLDS = Thresholds()


def propose(
    texts: Sequence[WordsOfText], resources: Resources, thresholds: Thresholds = THRESHOLDS
) -> list[list[Operations]]:
    """Return the synonyms of every word of every text, chosen by its sentence."""
    guard, lexicon = Guard(resources.associations), load_lexicons(resources.lexicons)
    words = list(_words_of(texts))
    vectors = encode([word.sentence.text for word in words])
    listed: list[Swap] = []
    to_check: list[Swap] = []
    for word, vector in zip(words, vectors, strict=True):
        by_hand = word.listed(guard)
        listed += by_hand or ()
        if by_hand is None:
            to_check += word.from_wordnet(guard, vector)
        to_check += word.from_lexicon(guard, lexicon)
    return operations_of(texts, _without_clashes([*listed, *_similar(to_check, thresholds)]))


def _similar(swaps: Sequence[Swap], thresholds: Thresholds) -> list[Swap]:
    """Return the swaps after which the sentence is tagged as before and is about the same."""
    kept = of_same_tags([swap for swap in swaps if not share_a_stem(swap.original, swap.form)])
    words = sorted({word for swap in kept for word in (swap.original, swap.form)})
    vectors = dict(zip(words, encode(words), strict=True))
    kept = [
        swap for swap in kept if cosine(vectors[swap.original], vectors[swap.form]) >= thresholds.word_cosine
    ]
    return of_similar_sentences(kept, thresholds.sentence)


def _without_clashes(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps without those that would make two words of a text equal: "total and total"."""
    owner: dict[tuple[int, str], str] = {}
    for swap in sorted(swaps, key=lambda swap: swap.word.number):
        owner.setdefault((swap.text_number, swap.form), swap.original)
    return [swap for swap in swaps if owner[swap.text_number, swap.form] == swap.original]


def _words_of(texts: Sequence[WordsOfText]) -> Iterator["_Word"]:
    """Yield the words that may be replaced: whole ones, in no fixed phrase, no negations."""
    tagged = tag_words([text.text for text in texts])
    for text_number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        small = [
            (word.text if core is None else core.text).lower()
            for word, core in zip(text.words, cores, strict=True)
        ]
        in_phrases = words_in_phrases(small)
        present = frozenset(lemma for word in small for lemma in lemmas_or_itself(word))
        contexts, neighbours = contexts_of(text.text, text.words), neighbours_of(text, cores)
        for word in whole_words_of(text, cores):
            if word.number not in in_phrases and not is_negation(word.text):
                start, end = contexts[word.number]
                yield _Word(
                    text_number=text_number,
                    word=word,
                    sentence=Sentence(text.text[start:end], start),
                    neighbours=neighbours[word.number],
                    label=text.label,
                    present=present,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word(WordInText):
    """A word, and what may replace it."""

    def listed(self, guard: Guard) -> list[Swap] | None:
        """Return the synonyms listed by hand for this word; None if the word is not listed."""
        use = self._listed_use()
        if use is None:
            return None
        is_bound = use.part_of_speech != FORM and is_bound_to_next(use, self.neighbours)
        swaps = []
        for entry in load_thesaurus()[use.lemma, use.part_of_speech]:
            if entry.before:
                fits = entry.before in {self.neighbours.after, self.neighbours.after_tag[:1]}
            else:
                is_modifier = use.part_of_speech == "n" and self.neighbours.after_tag.startswith("NN")
                fits = not is_bound or (is_modifier and entry.is_mutual)
            form = self._form(entry.lemma, use) if fits else None
            if form and not guard.class_refusal(self.original, form, label=self.label, is_close=True):
                swaps.append(self.swap(form, LISTED, 1.0))
        return swaps

    def _listed_use(self) -> WordUse | None:
        """Return the use under which the word is listed by hand."""
        thesaurus = load_thesaurus()
        if (self.original, FORM) in thesaurus:
            return WordUse(self.original, FORM, "")
        if is_negation(self.neighbours.before) and self.word.tag.startswith("RB"):
            # "Not nearly" is not "not almost".
            return None
        if (self.original, "a") in thesaurus and self._is_rather_adjective():
            return WordUse(self.original, "a", "JJ")
        use = use_of(self.word, self.neighbours, is_verb=self.neighbours.after == "to")
        return use if use and (use.lemma, use.part_of_speech) in thesaurus else None

    def _is_rather_adjective(self) -> bool:
        """Whether what is tagged as a participle, or as a noun in -ing, is used as an adjective."""
        if self.word.tag in {"VBG", "VBN"} and self.neighbours.after_tag[:2] in {"", "CC", "RB", "VB"}:
            return True
        is_taken_for_noun = self.word.tag == "NN" and self.original.endswith("ing")
        return is_taken_for_noun and is_attribute(self.neighbours)

    def from_wordnet(self, guard: Guard, vector: Embedding) -> list[Swap]:
        """Return synonyms of the sense that the word has in its sentence."""
        use = self._open_use()
        if use is None:
            return []
        swaps = []
        for synonym in synonyms_of(use.lemma, use.part_of_speech, vector):
            form = self._form(synonym.lemma, use) if self._may_stand(synonym.position) else None
            is_close = synonym.certainty >= LEAST_CLOSE
            if form and not guard.refusal(self.original, form, label=self.label, is_close=is_close):
                swaps.append(self.swap(form, WORDNET, synonym.certainty))
        return swaps

    def from_lexicon(self, guard: Guard, lexicon: Lexicon) -> list[Swap]:
        """Return the synonyms that the recipe's lexicons have for this form."""
        if self.original not in lexicon or self._open_use() is None:
            return []
        return [
            self.swap(form, LEXICON, 0.5)
            for form in lexicon[self.original]
            if self._is_fit(form, form)
            and not guard.refusal(self.original, form, label=self.label, is_close=False)
        ]

    def _open_use(self) -> WordUse | None:
        """Return how the word is used if WordNet or a lexicon may replace it."""
        use = use_of(self.word, self.neighbours)
        if use is None or is_bound_to_next(use, self.neighbours) or is_own_word(self.original, use):
            return None
        # It may be the second half of a name in small letters: chris rock, sharon stone.
        if use.part_of_speech == "n" and self.neighbours.before_tag.startswith("NNP"):
            return None
        # "Highly recommended" and "not quite" are fixed expressions.
        if use.part_of_speech == "r" and (
            self.neighbours.after_tag == "VBN" or is_negation(self.neighbours.before)
        ):
            return None
        return use if is_replaceable(self.original, self.word.tag) else None

    def _form(self, lemma: str, use: WordUse) -> str | None:
        """Return the form that another lemma would have here, if it fits."""
        form = lemma if use.part_of_speech == FORM else form_of(lemma, use, self.neighbours)
        return form if form is not None and self._is_fit(form, lemma) else None

    def _is_fit(self, form: str, lemma: str) -> bool:
        """Whether a form is not in the text already and goes with the article before it."""
        is_new = form != self.original and not {form, lemma} & self.present
        return is_new and fits_article(self.neighbours.before, self.original, form)

    def _may_stand(self, position: str) -> bool:
        """Whether an adjective may stand here, before its noun or after it."""
        is_attribute = self.neighbours.after_tag[:2] in {"NN", "JJ"}
        return position == "" or (position == "a") == is_attribute


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
