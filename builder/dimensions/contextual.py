"""Contextual: another word that a masked language model proposes there and that keeps the meaning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.substitution.features import NAMES, Matrix, features_of
from builder.language.substitution.places import TaggedPlace, described_candidate, described_place
from builder.language.substitution.trees import load_trees
from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import FORM, load_thesaurus
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.word_swaps.masked_words import Answer, Candidate, Word, answers_about, words_of_texts
from builder.word_swaps.swaps import Swap, of_same_tags, operations_of
from builder.word_swaps.whole_words import fits_article
from builder.word_swaps.word_uses import is_bound_to_next

# Where a candidate comes from: the model's own word, one that dictionaries list, too, or a small word.
PROPOSED, LISTED, SMALL = "proposed", "listed", "small"
# An original less likely than this was not expected by the model: candidates are compared with this instead.
LEAST_EXPECTED = -8.0
# For so many places with words of its own, about, a text has one with a word that dictionaries list, too.
OWN_FOR_ONE_LISTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How likely a candidate must be in its place, and how sure the judge must be of it."""

    # A candidate is at most this much less likely than the original, as a logarithm.
    less_likely: float = 6.0
    small_less_likely: float = 4.0
    pointing_less_likely: float = 1.5
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
# The thesaurus has these under their verb.
_FORMS_OF_SAY = frozenset({"said", "says"})
_COLUMNS = [NAMES.index(name) for name in RELATED]


def propose(
    texts: Sequence[WordsOfText], resources: Resources, thresholds: Thresholds = THRESHOLDS
) -> list[list[Operations]]:
    """Return for every word the words that fit its place and keep the label and the meaning."""
    words = list(words_of_texts(texts, is_replaceable))
    answers = answers_about(words, resources.masked_lm)
    guard = Guard(resources.associations)
    swaps = [
        swap
        for word, answer in zip(words, answers, strict=True)
        for swap in _small(word, answer, guard, thresholds)
    ]
    swaps += of_same_tags(accepted_swaps(words, answers, guard, thresholds, resources))
    return operations_of(texts, _without_clashes(_mostly_unlisted(swaps)))


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
            yield word.swap(form, LISTED if _is_of_thesaurus(word.original, form) else SMALL, 0.5)


def _is_of_thesaurus(word: str, form: str) -> bool:
    """Whether the thesaurus has a form for a small word: such pairs are the dimension synonym's field."""
    if word in _FORMS_OF_SAY:
        return True
    entries = load_thesaurus().get((word, FORM), ())
    singles = (entry.substitutes for entry in entries if len(entry.words) == 1)
    return any(form == other.text for substitutes in singles for other in substitutes)


def accepted_swaps(
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
