"""Inflection: another form of the same word, as learners of English and hasty writers put it."""

from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from builder.language.tagger import Token, tag_words
from builder.language.words.inflected_forms import other_forms
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operation, Operations, operation
from builder.word_swaps.whole_words import in_casing_of, whole_words_of
from contract.schema.edits import Edit

# An operation is named by what it gets wrong.
_NAMES = {"N": "number", "V": "verb-form", "J": "comparison", "R": "comparison"}
_BEFORE_ATTRIBUTES = frozenset({"DT", "PRP$", "JJ", "RB"})
_NO_OPERATIONS = Operations((), ())


def propose(texts: Sequence[WordsOfText], _resources: Resources) -> list[list[Operations]]:
    """Return the other forms of every word of every text, chosen by its tag in context."""
    cores = tag_words([text.text for text in texts])
    return [_operations(text, of_text) for text, of_text in zip(texts, cores, strict=True)]


def _operations(text: WordsOfText, cores: Sequence[Token | None]) -> list[Operations]:
    tags = ["" if core is None else core.tag for core in (None, *cores, None)]
    operations = [_NO_OPERATIONS] * len(text.words)
    for whole in whole_words_of(text, cores):
        # The tags of all words, with none before the first.
        before, after = tags[whole.number], tags[whole.number + 2]
        if not _is_attribute(before, whole.tag, after):
            word = text.words[whole.number]
            operations[whole.number] = operations_of(
                word.text, whole.start - word.start, whole.end - word.start, whole.tag
            )
    return operations


def _is_attribute(before: str, tag: str, after: str) -> bool:
    """Whether a participle stands before its noun: "a moving essay" is praise, "a move essay" is not."""
    return tag in {"VBG", "VBN"} and before in _BEFORE_ATTRIBUTES and after[:2] in {"NN", "JJ"}


@lru_cache(maxsize=65_536)
def operations_of(word: str, start: int, end: int, tag: str) -> Operations:
    """Return the other forms of the letters from start to end of a word, in the same casing."""
    core = word[start:end]
    items: list[Operation] = []
    weights: list[float] = []
    for form, likelihood in other_forms(core.lower(), tag):
        cased = in_casing_of(core, form)
        cost = Levenshtein.distance(core, cased)
        items.append(operation(_NAMES[tag[0]], Edit(start, end, core, cased), cost=cost))
        weights.append(likelihood)
    return Operations(items, weights) if items else _NO_OPERATIONS


INFLECTION = Dimension(
    name="inflection",
    summary="another inflected form of the same word, at most one a word",
    stands_for="learners of English and hasty writers: he go, two movie, a more better film",
    level="word",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    propose=propose,
)
