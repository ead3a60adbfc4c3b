"""Synonym: another word of the same meaning, in the sense and the form that the original has in its text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.wordnet.synonyms import has_synonyms, synonyms_of
from builder.language.words.lexicons import Lexicon, load_lexicons
from builder.language.words.negations import is_negation
from builder.models.embedding_cache import Embedding
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.word_swaps.listed import is_listed, listed_swaps
from builder.word_swaps.swaps import (
    SENTENCE_LIMIT,
    SentenceLimit,
    Swap,
    WordInText,
    cosine,
    of_same_tags,
    of_similar_sentences,
    operations_of,
    share_a_stem,
)
from builder.word_swaps.tagged_texts import TaggedText, tagged_texts
from builder.word_swaps.whole_words import fits_article
from builder.word_swaps.word_uses import WordUse, form_of, is_bound_to_next, is_own_word, use_of

WORDNET, LEXICON = "wordnet", "lexicon"
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
    tagged = list(tagged_texts(texts))
    listed = [swap for text in tagged for swap in listed_swaps(text) if _keeps_class(guard, text, swap)]
    words = [word for text in tagged for word in _words_of(text)]
    unlisted = [word for word in words if word.has_synonyms]
    vectors = encode([word.sentence.text for word in unlisted])
    to_check = [
        swap
        for word, vector in zip(unlisted, vectors, strict=True)
        for swap in word.from_wordnet(guard, vector)
    ]
    to_check += [swap for word in words for swap in word.from_lexicon(guard, lexicon)]
    return operations_of(texts, _without_clashes([*listed, *_similar(to_check, thresholds)]))


def _keeps_class(guard: Guard, text: TaggedText, swap: Swap) -> bool:
    """Whether a swap brings in no word that is typical of another class than the words it replaces."""
    label, before = text.source.label, swap.original.split()
    return not any(
        guard.class_refusal(swap.original, word, label=label, is_close=True)
        for word in swap.form.split()
        if word not in before
    )


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


def _words_of(text: TaggedText) -> Iterator["_Word"]:
    """Yield the words that WordNet or a lexicon may replace: in no fixed phrase or title, no negations."""
    for word in text.whole_words.values():
        number = word.number
        if number in text.in_phrases or number in text.in_titles or is_negation(word.text):
            continue
        yield _Word(
            text_number=text.number,
            word=word,
            sentence=text.sentence(number),
            neighbours=text.neighbours[number],
            label=text.source.label,
            present=text.present,
            is_listed=is_listed(text, number),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word(WordInText):
    """A word, and what may replace it."""

    is_listed: bool

    @property
    def has_synonyms(self) -> bool:
        """Whether WordNet may know a synonym of the word, and nobody has listed any by hand."""
        use = None if self.is_listed else self._open_use()
        return use is not None and has_synonyms(use.lemma, use.part_of_speech)

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
        form = form_of(lemma, use, self.neighbours)
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
