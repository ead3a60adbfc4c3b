"""Swaps listed by hand: which entries of the thesaurus hold where, and the forms that they take there."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from builder.language.clauses.articles import article_before
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import FORM, Entry, Substitute, load_thesaurus
from builder.word_swaps.conditions import Beside
from builder.word_swaps.swaps import Swap
from builder.word_swaps.tagged_texts import TaggedText
from builder.word_swaps.whole_words import WholeWord
from builder.word_swaps.word_uses import WordUse, inflected, is_attribute, is_loosely_bound, use_of, words_in

# A word in one of its senses; an expression, or a word, that has the neighbourhood its entry asks for.
LISTED, EXPRESSION = "listed", "expression"
# How certain the first substitute of an entry is; each further one is less so.
FIRST, LESS = 1.0, 0.8
# A verb that ends with one of these takes no pronoun after it: "put off it".
_PARTICLES = words_in("apart aside away back down off out over through together up")
# Nor does one that ends with these have a passive that reads well: "was gone to".
_PREPOSITIONS = words_in("about across after at by for from in into of on to upon with")

# A participle after one of these is a verb: "was banned from", "has stopped the".
_HELPING = words_in("am are be been being had has have is was were")


class _Span(NamedTuple):
    """Words of a text from the first to before the end, and what stands there instead."""

    first: int
    end: int
    words: tuple[str, ...]


def listed_swaps(text: TaggedText) -> Iterator[Swap]:
    """Yield the swaps that the thesaurus has for the words of a text."""
    for number, word in enumerate(text.small):
        if number in text.in_titles or text.tags[number].startswith("NNP"):
            continue
        for use in _uses(text, number, word):
            for entry in load_thesaurus().get((use.lemma, use.part_of_speech), ()):
                if _holds(entry, use, text, number):
                    yield from _swaps(entry, use, text, number)


def _uses(text: TaggedText, number: int, word: str) -> Iterator[WordUse]:
    """Yield as what a word may be listed: a form, an adjective, a verb, or what its tag says."""
    thesaurus = load_thesaurus()
    if (word, FORM) in thesaurus:
        yield WordUse(word, FORM, text.tags[number])
    whole_word, neighbours, tag = text.whole_words.get(number), text.neighbours[number], text.tags[number]
    if whole_word is None or (is_negation(neighbours.before) and tag.startswith("RB")):
        # "Not nearly" is not "not almost".
        return
    if (word, "a") in thesaurus and _is_rather_adjective(text, number):
        yield WordUse(word, "a", "JJ")
        return
    is_verb = neighbours.after == "to" or (tag in {"VBG", "VBN"} and neighbours.before in _HELPING)
    use = use_of(whole_word, neighbours, is_verb=is_verb)
    if use is None and tag.startswith("VB"):
        # Unclear as one word, but an expression may follow.
        paradigm = paradigm_of(word, tag)
        use = None if paradigm is None else WordUse(paradigm.forms[0], "v", tag)
        if use is None or not any(len(entry.words) > 1 for entry in thesaurus.get(use[:2], ())):
            return
    # "A yearly tax": what stands before a noun is no adverb, whatever the tagger says.
    if use is not None and not (use.part_of_speech == "r" and neighbours.before_tag in {"DT", "PRP$"}):
        yield use


def _is_rather_adjective(text: TaggedText, number: int) -> bool:
    """Whether what is tagged as a participle, or as a noun in -ing, is used as an adjective."""
    tag, neighbours = text.tags[number], text.neighbours[number]
    if tag in {"VBG", "VBN"} and neighbours.after_tag[:2] in {"", "CC", "RB", "VB"}:
        return True
    is_taken_for_noun = tag == "NN" and text.small[number].endswith("ing")
    return is_taken_for_noun and is_attribute(neighbours)


def _holds(entry: Entry, use: WordUse, text: TaggedText, number: int) -> bool:
    """Whether an expression stands here, in the form and neighbourhood that its entry asks for."""
    n_words = len(entry.words)
    last = number + n_words - 1
    if entry.tag and entry.tag != use.tag:
        return False
    if n_words == 1:
        if number in text.in_phrases or text.whole_words.get(number) is None:
            return False
    elif tuple(text.small[number + 1 : last + 1]) != entry.words[1:] or not _is_joined(text, number, last):
        return False
    if not Beside(text, number, last).fits(entry.before, entry.after):
        return False
    return not entry.not_near or entry.not_near.isdisjoint(text.near(number, last))


def _is_joined(text: TaggedText, first: int, last: int) -> bool:
    return all(text.neighbours[number].after for number in range(first, last))


def _swaps(entry: Entry, use: WordUse, text: TaggedText, number: int) -> Iterator[Swap]:
    certainty = FIRST
    for substitute in entry.substitutes:
        if _may_stand(entry, substitute, use, text, number):
            form = substitute.text
            if use.part_of_speech != FORM:
                form = inflected(form, use, text.neighbours[number]) or ""
            swap = _swap(entry, form, use, text, number) if form else None
            if swap is not None:
                yield swap._replace(certainty=certainty)
        certainty *= LESS


def _may_stand(entry: Entry, substitute: Substitute, use: WordUse, text: TaggedText, number: int) -> bool:
    """Whether a substitute goes with the words after it."""
    neighbours = text.neighbours[number + len(entry.words) - 1]
    if entry.is_bare and use.part_of_speech != FORM and is_loosely_bound(use, neighbours):
        is_modifier = use.part_of_speech == "n" and neighbours.after_tag.startswith("NN")
        return is_modifier and substitute.is_mutual
    last = substitute.text.rpartition(" ")
    if use.part_of_speech == "v" and last[0]:
        if last[2] in _PARTICLES and neighbours.after_tag == "PRP":
            return False
        return last[2] not in _PREPOSITIONS or use.tag != "VBN" or len(entry.words) > 1
    return True


def _swap(entry: Entry, form: str, use: WordUse, text: TaggedText, number: int) -> Swap | None:
    """Return the swap of the words that differ; none where it repeats a word or breaks a name."""
    span = _trimmed(number, text.small[number : number + len(entry.words)], form.split())
    new = set(span.words) - set(text.small[number : number + len(entry.words)])
    if use.part_of_speech != FORM and len(entry.words) == 1 and new & text.present:
        return None
    if any(map(is_negation, (*text.small[span.first : span.end], *span.words))):
        return None
    article = text.small[span.first - 1] if text.neighbours[span.first].before in {"a", "an"} else ""
    if article and article_before(span.words[0]) != article:
        span = _Span(span.first - 1, span.end, (article_before(span.words[0]), *span.words))
    words = [text.whole_words.get(each) for each in range(span.first, span.end)]
    if any(word is None or word.tag.startswith("NNP") for word in words):
        return None
    return _span_swap(text, span, LISTED if entry.is_bare and use.part_of_speech != FORM else EXPRESSION)


def _span_swap(text: TaggedText, span: _Span, origin: str) -> Swap:
    first, last = text.whole_words[span.first], text.whole_words[span.end - 1]
    word = WholeWord(span.first, first.start, last.end, text.source.text[first.start : last.end], first.tag)
    n_words = span.end - span.first
    return Swap(text.number, word, text.sentence(span.first), " ".join(span.words), origin, 1.0, n_words)


def _trimmed(first: int, old: Sequence[str], new: Sequence[str]) -> _Span:
    """Return the words that differ: those alike at both ends are left out, but one is left on each side."""
    most = min(len(old), len(new)) - 1
    at_start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old[:most], new, strict=False)))
    most -= at_start
    pairs = zip(reversed(old[len(old) - most :]), reversed(new), strict=False) if most else ()
    at_end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return _Span(first + at_start, first + len(old) - at_end, tuple(new[at_start : len(new) - at_end]))
