"""Inflection: another form of the same word, as learners of English and hasty writers put it."""

from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from builder.dimensions.dimension import ALL_DEGREES, Dimension, Operation, Operations, WordsOfText, operation
from builder.dimensions.inflected_forms import other_forms
from builder.resources import Resources
from builder.tagger import Token, tag_words
from contract.edits import Edit, Word

# An operation is named by what it gets wrong.
_NAMES = {"N": "number", "V": "verb-form", "J": "comparison", "R": "comparison"}
# A capital after any of these begins a sentence; elsewhere it makes a name.
_BEFORE_A_SENTENCE = ".!?:;\"'“”‘’([-–—…"
_BEFORE_ATTRIBUTES = frozenset({"DT", "PRP$", "JJ", "RB"})
_NO_OPERATIONS = Operations((), ())


def propose(texts: Sequence[WordsOfText], _resources: Resources) -> list[list[Operations]]:
    """Return the other forms of every word of every text, read in its context."""
    cores = tag_words([text.text for text in texts])
    return [_operations(text, of_text) for text, of_text in zip(texts, cores, strict=True)]


def _operations(text: WordsOfText, cores: Sequence[Token | None]) -> list[Operations]:
    is_shouting = text.text.isupper()
    tags = ["" if core is None else core.tag for core in (None, *cores, None)]
    found = []
    for word, core, before, after in zip(text.words, cores, tags, tags[2:], strict=False):
        if (
            core is not None
            and _stands_alone(word, core)
            and _is_common(text.text, core, is_shouting=is_shouting)
            and not _is_attribute(before, core.tag, after)
        ):
            found.append(operations_of(word.text, core.start - word.start, core.end - word.start, core.tag))
        else:
            found.append(_NO_OPERATIONS)
    return found


def _is_attribute(before: str, tag: str, after: str) -> bool:
    """Whether a participle stands before its noun: "a moving essay" is praise, "a move essay" is not."""
    return tag in {"VBG", "VBN"} and before in _BEFORE_ATTRIBUTES and after[:2] in {"NN", "JJ"}


@lru_cache(maxsize=65_536)
def operations_of(word: str, start: int, end: int, tag: str) -> Operations:
    """Return the other forms of what stands in a word from start to end, in its casing."""
    core = word[start:end]
    items: list[Operation] = []
    weights: list[float] = []
    for form, likelihood in other_forms(core.lower(), tag):
        cased = _in_casing_of(core, form)
        cost = Levenshtein.distance(core, cased)
        items.append(operation(_NAMES[tag[0]], Edit(start, end, core, cased), cost=cost))
        weights.append(likelihood)
    return Operations(items, weights) if items else _NO_OPERATIONS


def _stands_alone(word: Word, core: Token) -> bool:
    """Whether the core is of letters, and nothing hangs on to it but marks: film's and isn't stay."""
    around = word.text[: core.start - word.start] + word.text[core.end - word.start :]
    return core.text.isalpha() and not any(character.isalnum() for character in around)


def _is_common(text: str, core: Token, *, is_shouting: bool) -> bool:
    """Whether a word is written as no name is: in small letters, or with a capital that begins a sentence."""
    if core.text.islower():
        return True
    if core.text.isupper() and len(core.text) > 1:
        return is_shouting
    before = text[max(0, core.start - 3) : core.start].rstrip()
    begins = core.start == 0 or not text[: core.start].strip() or before.endswith(tuple(_BEFORE_A_SENTENCE))
    return begins and core.text[1:].islower()


def _in_casing_of(model: str, form: str) -> str:
    """Return a form in capitals, with a capital or in small letters, as the model is."""
    if model.isupper() and len(model) > 1:
        return form.upper()
    return form.capitalize() if model[0].isupper() else form


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
