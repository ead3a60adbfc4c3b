"""Synonym: another word of the same meaning, in the sense and the form that the original has in its text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from builder.label_guard.guards import Guard, is_replaceable
from builder.language.substitution import scores_of
from builder.language.wordnet.synonyms import certain_synonyms
from builder.language.words.lexicons import Lexicon, load_lexicons
from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import load_thesaurus
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.word_swaps.listed import LISTED, listed_swaps
from builder.word_swaps.swaps import Swap, WordInText, of_same_tags, operations_of, share_a_stem
from builder.word_swaps.tagged_texts import TaggedText, tagged_texts
from builder.word_swaps.variants import variant_swaps
from builder.word_swaps.whole_words import fits_article
from builder.word_swaps.word_uses import WordUse, form_of, is_bound_to_next, is_own_word, use_of

WORDNET, LEXICON = "wordnet", "lexicon"
# How certain a swap from a lexicon is before it is judged.
UNJUDGED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """How likely readers must accept a swap, says the judge, by where it comes from.

    A word has more uses than any list tells apart: blind readers refused a quarter of the cases whose words
    were taken from the thesaurus as they are, and a fifth of those with 0.8. Expressions, whose
    neighbourhood is listed, are not judged.
    """

    least: Mapping[str, float] = field(default_factory=lambda: {LISTED: 0.9, WORDNET: 0.9, LEXICON: 0.45})


THRESHOLDS = Thresholds()


def propose(
    texts: Sequence[WordsOfText], resources: Resources, thresholds: Thresholds = THRESHOLDS
) -> list[list[Operations]]:
    """Return the synonyms of every word of every text, chosen by its sentence."""
    guard, lexicon = Guard(resources.associations), load_lexicons(resources.lexicons)
    by_hand: list[Swap] = []
    others: list[Swap] = []
    for text in tagged_texts(texts):
        listed = [swap for swap in listed_swaps(text) if _keeps_class(guard, text, swap)]
        changed = {number for swap in listed for number in swap.numbers}
        for word in open_words(text):
            if word.word.number not in changed:
                others += word.from_wordnet(guard)
            others += word.from_lexicon(guard, lexicon)
        by_hand += [*listed, *variant_swaps(text)]
    accepted = _accepted(texts, [*by_hand, *of_same_tags(others)], resources.masked_lm, thresholds)
    return operations_of(texts, _without_clashes(accepted))


def _accepted(
    texts: Sequence[WordsOfText], swaps: Sequence[Swap], masked_lm: str, thresholds: Thresholds
) -> list[Swap]:
    """Return the swaps that need no judge, and those that it accepts, as certain as it is."""
    by_text: dict[int, list[Swap]] = {}
    for swap in swaps:
        if swap.origin in thresholds.least:
            by_text.setdefault(swap.text_number, []).append(swap)
    if not by_text:
        # The judge would load its models to read nothing.
        return list(swaps)
    judged = scores_of(
        [texts[number].text for number in by_text],
        [[swap.substitution for swap in of_text] for of_text in by_text.values()],
        masked_lm,
    )
    accepted = [
        swap._replace(certainty=float(score))
        for of_text, scores in zip(by_text.values(), judged, strict=True)
        for swap, score in zip(of_text, scores, strict=True)
        if score >= thresholds.least[swap.origin]
    ]
    return [*(swap for swap in swaps if swap.origin not in thresholds.least), *accepted]


def _keeps_class(guard: Guard, text: TaggedText, swap: Swap) -> bool:
    """Whether a swap brings in no word that is typical of another class than the words it replaces."""
    label, before = text.source.label, swap.original.split()
    return not any(
        guard.class_refusal(swap.original, word, label=label, is_close=True)
        for word in swap.form.split()
        if word not in before
    )


def _without_clashes(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps without those that would make two words of a text equal: "total and total"."""
    owner: dict[tuple[int, str], str] = {}
    for swap in sorted(swaps, key=lambda swap: swap.word.number):
        owner.setdefault((swap.text_number, swap.form), swap.original)
    return [swap for swap in swaps if owner[swap.text_number, swap.form] == swap.original]


def open_words(text: TaggedText) -> Iterator["OpenWord"]:
    """Yield the words that WordNet or a lexicon may replace: in no fixed phrase or title, no negations."""
    for word in text.whole_words.values():
        number = word.number
        if number in text.in_phrases or number in text.in_titles or is_negation(word.text):
            continue
        yield OpenWord(
            text_number=text.number,
            word=word,
            sentence=text.sentence(number),
            neighbours=text.neighbours[number],
            label=text.source.label,
            present=text.present,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWord(WordInText):
    """A word, and what may replace it."""

    def from_wordnet(self, guard: Guard) -> list[Swap]:
        """Return the synonyms of a word that nobody has listed, if it has nearly always one sense."""
        use = self.open_use()
        if use is None or (use.lemma, use.part_of_speech) in load_thesaurus():
            return []
        swaps = []
        for synonym in certain_synonyms(use.lemma, use.part_of_speech):
            form = self.form_of_lemma(synonym.lemma, use) if self._may_stand(synonym.position) else None
            if form is None or share_a_stem(self.original, form):
                continue
            if not guard.refusal(self.original, form, label=self.label, is_close=True):
                swaps.append(self.swap(form, WORDNET, synonym.certainty))
        return swaps

    def from_lexicon(self, guard: Guard, lexicon: Lexicon) -> list[Swap]:
        """Return the synonyms that the recipe's lexicons have for this form."""
        if self.original not in lexicon or self.open_use() is None:
            return []
        return [
            self.swap(form, LEXICON, UNJUDGED)
            for form in lexicon[self.original]
            if self.is_fit(form, form)
            and not share_a_stem(self.original, form)
            and not guard.refusal(self.original, form, label=self.label, is_close=False)
        ]

    def open_use(self) -> WordUse | None:
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

    def form_of_lemma(self, lemma: str, use: WordUse) -> str | None:
        """Return the form that another lemma would have here, if it fits."""
        form = form_of(lemma, use, self.neighbours)
        return form if form is not None and self.is_fit(form, lemma) else None

    def is_fit(self, form: str, lemma: str) -> bool:
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
    uses=("associations", "lexicons", "masked_lm"),
    propose=propose,
)
