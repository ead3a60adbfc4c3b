"""Contextual: another word that a masked language model proposes there and that keeps the meaning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.masked_lm.model import Floats, load_model
from builder.language.masked_lm.places import Span, read_places
from builder.language.sentences.contexts import contexts_of
from builder.language.substitution.features import NAMES, Matrix, features_of
from builder.language.substitution.places import TaggedPlace, described_candidate, described_place
from builder.language.substitution.thesaurus_pairs import load_pairs
from builder.language.substitution.trees import load_trees
from builder.language.substitution.vectors import word_vectors
from builder.language.tagger import tag_words
from builder.language.wordnet.kinship import is_mainly, is_narrower
from builder.language.wordnet.phrases import words_in_phrases
from builder.language.wordnet.synonyms import certain_synonyms
from builder.language.wordnet.tables import load_tables
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.negations import is_negation
from builder.language.words.word_families import lemmas_or_itself
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.word_swaps.function_words import alternatives_to
from builder.word_swaps.swaps import (
    Sentence,
    Swap,
    WordInText,
    of_same_tags,
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

# Where a candidate comes from: the model's own word, one that dictionaries list, too, or a small word.
PROPOSED, LISTED, SMALL = "proposed", "listed", "small"
# How many of the model's words are looked at for a place, by likelihood and nearness to the original.
N_PROPOSED = 60
WEIGHT_OF_NEARNESS = 12.0
# An original less likely than this was not expected by the model: candidates are compared with this instead.
LEAST_EXPECTED = -8.0
# For so many places with words of its own, about, a text has one with a word that dictionaries list, too.
OWN_FOR_ONE_LISTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How likely a candidate must be in its place, and how sure the judge must be of it."""

    # A candidate is at most this much less likely than the original, as a logarithm.
    less_likely: float = 6.0
    small_less_likely: float = 5.0
    pointing_less_likely: float = 2.5
    # The least score of the judge (docs/measured.md); with `close`, two words are known to mean the same.
    # Blind readers refused three of ten cases with 0.65, most for words that scored less than 0.9.
    accepted: float = 0.82
    accepted_if_bound: float = 0.88
    # Words that no dictionary relates fit the same places, and are rarely the same: rats for mice.
    accepted_if_unrelated: float = 0.95
    close: float = 0.8


THRESHOLDS = Thresholds()

# Features that relate two words by dictionaries, and how large they must be: rarer senses relate too much.
RELATED = {"shared_of_word": 0.2, "listed": 0.1, "listed_reversely": 0.1, "n_common": 1.0}
_COLUMNS = [NAMES.index(name) for name in RELATED]
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
    """A form that may replace a word, and how likely the model finds it there."""

    form: str
    log_probability: float


class Answer(NamedTuple):
    """How likely a word is in its place, and what else is likely there."""

    expected: float | None
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(WordInText):
    """A word, and how it is used if the model may replace it, or the small words that may."""

    use: WordUse | None
    small: tuple[str, ...]

    @property
    def span(self) -> Span:
        """Where the word stands in its sentence."""
        return Span(self.word.start - self.sentence.start, self.word.end - self.sentence.start)

    def can_take(self, form: str) -> bool:
        """Whether a form is new, has the number, tense or degree of the original, and fits its article."""
        use = self.use
        if use is None or form in self.present or share_a_stem(self.original, form) or form in COLOURS:
            return False
        lemma = self.lemma_of(form)
        return (
            lemma not in self.present
            and is_mainly(lemma, use.part_of_speech)
            and form_of(lemma, use, self.neighbours) == form
            and fits_article(self.neighbours.before, self.original, form)
            and not (use.part_of_speech in {"n", "v"} and is_narrower(lemma, use.lemma, use.part_of_speech))
        )

    def lemma_of(self, form: str) -> str:
        """Return the lemma of a form of the same kind."""
        paradigm = paradigm_of(form, self.use.tag if self.use else self.word.tag)
        return paradigm.forms[0] if paradigm else form

    def is_listed(self, form: str) -> bool:
        """Whether dictionaries give a form as a synonym: such pairs are the dimension synonym's field."""
        use = self.use
        if use is None:
            return False
        form_lemma = self.lemma_of(form)
        pairs = load_pairs().get((use.lemma, use.part_of_speech), ())
        known = (synonym.lemma for synonym in certain_synonyms(use.lemma, use.part_of_speech))
        return form_lemma in pairs or form_lemma in known


def propose(
    texts: Sequence[WordsOfText], resources: Resources, thresholds: Thresholds = THRESHOLDS
) -> list[list[Operations]]:
    """Return for every word the words that fit its place and keep the label and the meaning."""
    words = list(_words_of(texts))
    answers = _answers(words, resources.masked_lm)
    guard = Guard(resources.associations)
    swaps = [
        swap
        for word, answer in zip(words, answers, strict=True)
        for swap in _small(word, answer, guard, thresholds)
    ]
    swaps += of_same_tags(_accepted(words, answers, guard, thresholds, resources))
    return operations_of(texts, _without_clashes(_mostly_unlisted(swaps)))


def _words_of(texts: Sequence[WordsOfText]) -> Iterator[Word]:
    """Yield the words that the model may replace."""
    tagged = tag_words([text.text for text in texts])
    for text_number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        lower = [word.text.lower() for word in text.words]
        in_phrases = words_in_phrases(lower)
        pieces = {piece for word in lower for piece in (word, *word.split("-"))}
        present = frozenset(lemma for piece in pieces for lemma in lemmas_or_itself(piece))
        contexts, neighbours = contexts_of(text.text, text.words), neighbours_of(text, cores)
        for word in whole_words_of(text, cores):
            around = neighbours[word.number]
            small = alternatives_to(word.text.lower(), word.tag, around)
            use = None if small or word.number in in_phrases else _use_of(word, around)
            if small or use is not None:
                start, end = contexts[word.number]
                yield Word(
                    text_number=text_number,
                    word=word,
                    sentence=Sentence(text.text[start:end], start),
                    neighbours=around,
                    use=use,
                    small=small,
                    label=text.label,
                    present=present,
                )


def _use_of(word: WholeWord, neighbours: Neighbours) -> WordUse | None:
    """Return how a word is used if the model may replace it."""
    small = word.text.lower()
    use = use_of(word, neighbours) if is_replaceable(small, word.tag) else None
    if use is None or is_own_word(small, use) or small in COLOURS:
        return None
    # Names in small letters have no senses; the second half of one may have: chris rock, sharon stone.
    is_name = use.part_of_speech == "n" and neighbours.before_tag.startswith("NNP")
    return use if (use.lemma, use.part_of_speech) in load_tables().senses and not is_name else None


def _answers(words: Sequence[Word], masked_lm: str) -> list[Answer]:
    """Return what the model says about each word's place; words of one sentence share passes."""
    model = load_model(masked_lm)
    tokens, of_word = model.tokens_of_words, model.token_of_word
    vocabulary = [model.words[token] for token in tokens]
    vectors = word_vectors(vocabulary)
    by_sentence: dict[str, dict[Span, list[int]]] = {}
    for number, word in enumerate(words):
        by_sentence.setdefault(word.sentence.text, {}).setdefault(word.span, []).append(number)
    spans = [sorted(of_sentence) for of_sentence in by_sentence.values()]
    sentences = list(by_sentence)

    def read(number: int, place: int, logs: Floats) -> Answer:
        word = words[by_sentence[sentences[number]][spans[number][place]][0]]
        token = of_word.get(word.original)
        expected = None if token is None else float(logs[token])
        if word.small:
            forms = [form for form in word.small if form in of_word]
            return Answer(expected, tuple(Candidate(form, float(logs[of_word[form]])) for form in forms))
        likely = logs[tokens]
        combined = likely + WEIGHT_OF_NEARNESS * (vectors @ word_vectors([word.original])[0])
        best = (-combined).argsort(kind="stable")[:N_PROPOSED]
        return Answer(expected, tuple(Candidate(vocabulary[one], float(likely[one])) for one in best))

    answers: dict[int, Answer] = {}
    for sentence, of_sentence, of_answers in zip(
        sentences, spans, read_places(sentences, spans, read, masked_lm), strict=True
    ):
        for span, answer in zip(of_sentence, of_answers, strict=True):
            answers.update(dict.fromkeys(by_sentence[sentence][span], answer))
    return [answers[number] for number in range(len(words))]


def _is_likely(candidate: Candidate, expected: float | None, most_less: float) -> bool:
    known = LEAST_EXPECTED if expected is None else max(expected, LEAST_EXPECTED)
    return candidate.log_probability >= known - most_less


def _small(word: Word, answer: Answer, guard: Guard, thresholds: Thresholds) -> Iterator[Swap]:
    """Yield the small words that fit a small word's place."""
    is_pointing = word.word.tag in {"DT", "PRP$"}
    most_less = thresholds.pointing_less_likely if is_pointing else thresholds.small_less_likely
    for candidate in answer.candidates if word.small else ():
        form = candidate.form
        if (
            form in word.small
            and _is_likely(candidate, answer.expected, most_less)
            and fits_article(word.neighbours.before, word.original, form)
            and not is_negation(form)
            and not guard.class_refusal(word.original, form, label=word.label, is_close=True)
        ):
            yield word.swap(form, SMALL, 0.5)


def _accepted(
    words: Sequence[Word],
    answers: Sequence[Answer],
    guard: Guard,
    thresholds: Thresholds,
    resources: Resources,
) -> list[Swap]:
    """Return the model's words that have the right form, that the judge accepts, and the guard, too."""
    sentences = list(dict.fromkeys(word.sentence.text for word in words if word.use))
    vectors = dict(zip(sentences, encode(sentences, resources.encoder), strict=True))
    swaps = []
    for word, answer in zip(words, answers, strict=True):
        if word.use is None:
            continue
        likely = [
            candidate
            for candidate in answer.candidates
            if _is_likely(candidate, answer.expected, thresholds.less_likely)
            and word.can_take(candidate.form)
        ]
        if not likely:
            continue
        place = TaggedPlace(word.sentence.text, word.span, word.use.tag)
        rows = features_of(
            described_place(place, vectors[word.sentence.text], answer.expected),
            [described_candidate(one.form, word.use.tag, one.log_probability) for one in likely],
        )
        least = _least_scores(rows, thresholds, is_bound=is_bound_to_next(word.use, word.neighbours))
        scores = load_trees().probabilities(rows)
        for candidate, score, is_accepted in zip(likely, scores.tolist(), scores >= least, strict=True):
            is_close = score >= thresholds.close
            if is_accepted and not guard.refusal(
                word.original, candidate.form, label=word.label, is_close=is_close
            ):
                origin = LISTED if word.is_listed(candidate.form) else PROPOSED
                swaps.append(word.swap(candidate.form, origin, score**2))
    return swaps


def _least_scores(rows: Matrix, thresholds: Thresholds, *, is_bound: bool) -> Matrix:
    """Return the least score that each candidate must have, by what dictionaries say about it."""
    is_related = (rows[:, _COLUMNS] >= list(RELATED.values())).any(axis=1)
    accepted = thresholds.accepted_if_bound if is_bound else thresholds.accepted
    return np.where(is_related, accepted, thresholds.accepted_if_unrelated)


def _mostly_unlisted(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps with listed ones at few places: those of which the judge is surest."""
    own: dict[int, set[int]] = {}
    for swap in swaps:
        of_text = own.setdefault(swap.text_number, set())
        if swap.origin != LISTED:
            of_text.add(swap.word.number)
    allowed: dict[int, set[int]] = {}
    for swap in sorted(swaps, key=lambda swap: (-swap.certainty, swap.word.number, swap.form)):
        of_text, others = allowed.setdefault(swap.text_number, set()), own[swap.text_number]
        is_alone = swap.word.number not in others
        if swap.origin == LISTED and is_alone and len(of_text) < (len(others) + 1) // OWN_FOR_ONE_LISTED:
            of_text.add(swap.word.number)
    return [swap for swap in swaps if swap.origin != LISTED or swap.word.number in allowed[swap.text_number]]


def _without_clashes(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps without those that would make two words of a text equal: "total and total"."""
    owner: dict[tuple[int, str], str] = {}
    for swap in sorted(swaps, key=lambda swap: swap.word.number):
        owner.setdefault((swap.text_number, swap.form), swap.original)
    return [swap for swap in swaps if owner[swap.text_number, swap.form] == swap.original]


CONTEXTUAL = Dimension(
    name="contextual",
    summary="another word that a masked language model proposes there and that keeps the meaning",
    stands_for="writers who put it in other words: fine performances for great ones",
    level="word",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    uses=("associations", "encoder", "masked_lm"),
    propose=propose,
)
