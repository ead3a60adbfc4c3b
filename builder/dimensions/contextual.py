"""Contextual: another word that a masked language model finds likely there and that means much the same."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.dimensions import synonym
from builder.label_guard.guards import Guard, is_replaceable
from builder.language.masked_lm import Gap, score_gaps, vocabulary_of
from builder.language.sentences.contexts import contexts_of
from builder.language.tagger import tag_words
from builder.language.wordnet.kinship import are_of_one_kind, is_mainly, is_narrower
from builder.language.wordnet.phrases import words_in_phrases
from builder.language.wordnet.tables import load_tables
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.word_families import lemmas_or_itself
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
from builder.word_swaps.whole_words import WholeWord, fits_article, whole_words_of
from builder.word_swaps.word_uses import (
    Neighbours,
    WordUse,
    form_of,
    is_bound_to_next,
    is_own_word,
    neighbours_of,
    use_of,
)

# Where a candidate comes from: a synonym that fits here, or the model's own word that is near the original.
SYNONYM, NEAR = "synonym", "near"
# How many of the model's own words are looked at for a gap, and how many of a word's swaps the encoder reads.
N_PROPOSED = 400
N_COMPARED = 5
# An original less likely than this was not expected by the model: candidates are compared with this instead.
LEAST_EXPECTED = -8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How likely a candidate must be in its gap, and how similar to the original."""

    # By origin: a candidate is at most this much less likely than the original, as a logarithm.
    less_likely: Mapping[str, float] = field(default_factory=lambda: {SYNONYM: 5.0, NEAR: 2.5})
    # By part of speech, the least cosine of the two words alone. Encoders put films near actors and buying
    # near selling: what is near must be of one kind, too.
    word_cosine: Mapping[str, float] = field(
        default_factory=lambda: {"n": 0.66, "v": 0.7, "a": 0.635, "r": 0.64}
    )
    sentence: SentenceLimit = SENTENCE_LIMIT
    synonyms: synonym.Thresholds = synonym.THRESHOLDS


THRESHOLDS = Thresholds()

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


class Candidate(NamedTuple):
    """A form that may replace a word, where it comes from, and how likely the model finds it there."""

    form: str
    origin: str
    log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(WordInText):
    """A word, the synonyms it has in its sentence, and how it is used if the model may replace it."""

    use: WordUse | None
    synonyms: tuple[str, ...]

    @property
    def gap(self) -> Gap:
        """The sentence with the word masked."""
        text, start = self.sentence
        return Gap(text, self.word.start - start, self.word.end - start)

    def can_take(self, form: str) -> bool:
        """Whether a form is new, has the number, tense or degree of the original, and fits its article."""
        if self.use is None or form in self.present or share_a_stem(self.original, form):
            return False
        paradigm = paradigm_of(form, self.use.tag)
        lemma = paradigm.forms[0] if paradigm else form
        return (
            lemma not in self.present
            and is_mainly(lemma, self.use.part_of_speech)
            and form_of(lemma, self.use, self.neighbours) == form
            and fits_article(self.neighbours.before, self.original, form)
            and form not in COLOURS
            and self._is_of_its_kind(lemma)
        )

    def _is_of_its_kind(self, lemma: str) -> bool:
        """Whether a noun or verb is of the original's kind and not narrower; other words are not checked."""
        use = self.use
        if use is None or use.part_of_speech not in {"n", "v"}:
            return use is not None
        return are_of_one_kind(use.lemma, lemma, use.part_of_speech) and not is_narrower(
            lemma, use.lemma, use.part_of_speech
        )

    def swap_for(self, candidate: Candidate) -> Swap:
        """Return a candidate as a swap, drawn the more often the likelier it is."""
        # Half the logarithm, so that less likely ones are drawn, too.
        return self.swap(candidate.form, candidate.origin, math.exp(candidate.log_probability / 2))


def propose(
    texts: Sequence[WordsOfText], resources: Resources, thresholds: Thresholds = THRESHOLDS
) -> list[list[Operations]]:
    """Return for every word the words that fit its place and keep the label and the meaning."""
    words = list(_words_of(texts, synonym.propose(texts, resources, thresholds.synonyms)))
    candidates = _likely_candidates(words, resources, thresholds)
    swaps = [
        word.swap_for(candidate)
        for word, of_word in zip(words, candidates, strict=True)
        for candidate in of_word
        if candidate.origin == SYNONYM
    ]
    return operations_of(texts, [*swaps, *_similar(words, candidates, resources, thresholds)])


def _words_of(texts: Sequence[WordsOfText], synonyms: Sequence[Sequence[Operations]]) -> Iterator[Word]:
    """Yield the words that have synonyms or may be replaced by the model's own."""
    tagged = tag_words([text.text for text in texts])
    for text_number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        small = [word.text.lower() for word in text.words]
        in_phrases = words_in_phrases(small)
        pieces = {piece for word in small for piece in (word, *word.split("-"))}
        present = frozenset(lemma for piece in pieces for lemma in lemmas_or_itself(piece))
        contexts, neighbours = contexts_of(text.text, text.words), neighbours_of(text, cores)
        for word in whole_words_of(text, cores):
            operations = [item for item in synonyms[text_number][word.number].items if item.n_words == 1]
            use = None if word.number in in_phrases else _use_of(word, neighbours[word.number])
            if operations or use is not None:
                start, end = contexts[word.number]
                yield Word(
                    text_number=text_number,
                    word=word,
                    sentence=Sentence(text.text[start:end], start),
                    neighbours=neighbours[word.number],
                    use=use,
                    synonyms=tuple(item.edits[0].replacement.lower() for item in operations),
                    label=text.label,
                    present=present,
                )


def _use_of(word: WholeWord, neighbours: Neighbours) -> WordUse | None:
    """Return how a word is used if the model may replace it."""
    small = word.text.lower()
    use = use_of(word, neighbours) if is_replaceable(small, word.tag) else None
    if use is None or is_bound_to_next(use, neighbours) or is_own_word(small, use) or small in COLOURS:
        return None
    # Names in small letters have no senses; the second half of one may have: chris rock, sharon stone.
    is_name = use.part_of_speech == "n" and neighbours.before_tag.startswith("NNP")
    return use if (use.lemma, use.part_of_speech) in load_tables().senses and not is_name else None


def _likely_candidates(
    words: Sequence[Word], resources: Resources, thresholds: Thresholds
) -> list[list[Candidate]]:
    """Return for each word what the model finds likely enough in its place and the guard lets through."""
    guard, vocabulary = Guard(resources.associations), vocabulary_of(resources.masked_lm)
    # Words of several pieces are rare ones, which no gap makes likely, and each would cost passes of its own.
    asked = [[form for form in (word.original, *word.synonyms) if form in vocabulary] for word in words]
    gaps = score_gaps([word.gap for word in words], asked, N_PROPOSED, resources.masked_lm)
    candidates = []
    for word, forms, gap in zip(words, asked, gaps, strict=True):
        scores = dict(zip(forms, gap.scores, strict=True))
        expected = max(scores.pop(word.original, LEAST_EXPECTED), LEAST_EXPECTED)
        synonyms = [
            Candidate(form, SYNONYM, score)
            for form, score in scores.items()
            if score >= expected - thresholds.less_likely[SYNONYM]
        ]
        near = [
            Candidate(form, NEAR, score)
            for form, score in gap.best
            if score >= expected - thresholds.less_likely[NEAR]
            and form not in word.synonyms
            and word.can_take(form)
            and not guard.refusal(word.original, form, label=word.label, is_close=False)
        ]
        candidates.append([*synonyms, *near])
    return candidates


def _similar(
    words: Sequence[Word],
    candidates: Sequence[Sequence[Candidate]],
    resources: Resources,
    thresholds: Thresholds,
) -> list[Swap]:
    """Return the model's own words that keep the meaning: that of the word, then that of the sentence."""
    near = [
        (word, candidate)
        for word, of_word in zip(words, candidates, strict=True)
        for candidate in of_word
        if candidate.origin == NEAR
    ]
    forms = sorted({form for word, candidate in near for form in (word.original, candidate.form)})
    vectors = dict(zip(forms, encode(forms, resources.encoder), strict=True))
    by_word: dict[tuple[int, int], list[tuple[float, Swap]]] = {}
    for word, candidate in near:
        similarity = cosine(vectors[word.original], vectors[candidate.form])
        if word.use is not None and similarity >= thresholds.word_cosine[word.use.part_of_speech]:
            swap = word.swap_for(candidate)
            by_word.setdefault((word.text_number, word.word.number), []).append((similarity, swap))
    nearest = [
        swap
        for of_word in by_word.values()
        for _, swap in sorted(of_word, key=lambda pair: (-pair[0], pair[1].form))[:N_COMPARED]
    ]
    return of_similar_sentences(of_same_tags(nearest), thresholds.sentence, resources.encoder)


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
