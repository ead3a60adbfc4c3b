"""Neighbours of words: what the recipe's lexicons list for a form, and the thesaurus for a lemma."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from statistics import median

from builder.dimensions.synonym import LEXICON, OpenWord, open_words
from builder.label_guard.guards import Guard
from builder.language.substitution import scores_of
from builder.language.substitution.thesaurus_pairs import load_pairs
from builder.language.words.lexicons import Lexicon, load_lexicons
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.word_swaps.swaps import Swap, of_same_tags, share_a_stem
from builder.word_swaps.tagged_texts import tagged_texts

THESAURUS = "thesaurus"


def neighbour_swaps(
    texts: Sequence[WordsOfText], resources: Resources, *, most: int | None, least_score: float
) -> list[Swap]:
    """Return swaps of words for up to `most` neighbours each: of the same tag, kept by guard and judge.

    Those of the recipe's lexicons come first, then those of the thesaurus.
    """
    guard, lexicon = Guard(resources.associations), load_lexicons(resources.lexicons)
    swaps = [
        swap
        for text in tagged_texts(texts)
        for word in open_words(text)
        for swap in islice(chain(_listed(word, guard, lexicon), _thesaurus(word, guard)), most)
    ]
    return without_clashes(_accepted(texts, of_same_tags(swaps), resources.masked_lm, least_score))


def median_neighbours(lexicon: Lexicon | None = None) -> int:
    """Return how many neighbours a word that has any has in the middle: in a lexicon, or the thesaurus."""
    counts = [len(others) for others in (load_pairs() if lexicon is None else lexicon).values() if others]
    return round(median(counts)) if counts else 0


def _listed(word: OpenWord, guard: Guard, lexicon: Lexicon) -> Iterator[Swap]:
    """Yield the forms that a lexicon has for this form."""
    if word.original not in lexicon or word.open_use() is None:
        return
    for form in lexicon[word.original]:
        if (
            word.is_fit(form, form)
            and not share_a_stem(word.original, form)
            and not guard.refusal(word.original, form, label=word.label, is_close=False)
        ):
            yield word.swap(form, LEXICON, 1.0)


def _thesaurus(word: OpenWord, guard: Guard) -> Iterator[Swap]:
    """Yield what the thesaurus has for the lemma of a word, in the word's form."""
    use = word.open_use()
    if use is None:
        return
    for lemma in _pairs_of(use.lemma, use.part_of_speech):
        form = word.form_of_lemma(lemma, use)
        if (
            form is not None
            and not share_a_stem(word.original, form)
            and not guard.refusal(word.original, form, label=word.label, is_close=True)
        ):
            yield word.swap(form, THESAURUS, 1.0)


@lru_cache(maxsize=65_536)
def _pairs_of(lemma: str, part_of_speech: str) -> tuple[str, ...]:
    """Return the single words that the thesaurus has for a lemma."""
    return tuple(other for other in load_pairs().get((lemma, part_of_speech), ()) if other.isalpha())


def _accepted(
    texts: Sequence[WordsOfText], swaps: Sequence[Swap], masked_lm: str, least_score: float
) -> list[Swap]:
    """Return the swaps that the judge finds likely enough, as certain as it is."""
    by_text: dict[int, list[Swap]] = {}
    for swap in swaps:
        by_text.setdefault(swap.text_number, []).append(swap)
    if not by_text:
        return []
    judged = scores_of(
        [texts[number].text for number in by_text],
        [[swap.substitution for swap in of_text] for of_text in by_text.values()],
        masked_lm,
    )
    return [
        swap._replace(certainty=float(score))
        for of_text, scores in zip(by_text.values(), judged, strict=True)
        for swap, score in zip(of_text, scores, strict=True)
        if score >= least_score
    ]


def without_clashes(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps without those that would make two words of a text equal."""
    owner: dict[tuple[int, str], str] = {}
    for swap in sorted(swaps, key=lambda swap: swap.word.number):
        owner.setdefault((swap.text_number, swap.form), swap.original)
    return [swap for swap in swaps if owner[swap.text_number, swap.form] == swap.original]
