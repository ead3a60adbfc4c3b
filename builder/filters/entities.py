"""The entity filter: a case has the numbers and names of its original, no more and no fewer."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.label_guard.kept_words import NUMBER_WORDS
from builder.word_swaps.variants import are_same_entity
from contract.schema.drop_reasons import OTHER_ENTITIES
from contract.schema.edits import apply_edits
from contract.schema.records import Record

_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
# What may stand before the first word of a sentence.
_STARTS = re.compile(r"(?:^|[.!?:…\n])[\s\"'“‘«(\[*-]*$")


class Entities(NamedTuple):
    """The numbers of a text, its names, and all its words in small letters."""

    numbers: Counter[str]
    names: Counter[str]
    words: Counter[str]


def entities_of(text: str) -> Entities:
    """Return the entities of a text: a name has a capital that no start of a sentence explains."""
    words = [(match.group(), match.start()) for match in _LETTERS.finditer(text)]
    small = [word.lower() for word, _ in words]
    is_shouted = text.upper() == text
    names = Counter(
        word.lower()
        for word, start in words
        if word[0].isupper() and not is_shouted and not _STARTS.search(text[max(0, start - 8) : start])
    )
    numbers = Counter(_FIGURE.findall(text)) + Counter(word for word in small if word in NUMBER_WORDS)
    # "I" is no name.
    del names["i"]
    return Entities(numbers, names, Counter(small))


def check_entities(_context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case that lost or gained a number or a name; one written in another way is the same."""
    originals = {text: entities_of(text) for text in {record.unperturbed_text for record in records}}
    return [
        None
        if _are_kept(originals[record.unperturbed_text], entities_of(_as_written_before(record)))
        else OTHER_ENTITIES
        for record in records
    ]


def _as_written_before(record: Record) -> str:
    """Return the case with its numbers and names written as in its original: 3 for three, US for U.S."""
    edits = [edit for _, edit in record.edits]
    kept = [edit for edit in edits if not are_same_entity(edit.original, edit.replacement)]
    if len(kept) == len(edits):
        return record.perturbed_text
    return apply_edits(record.unperturbed_text, kept)


def _are_kept(before: Entities, after: Entities) -> bool:
    # A name may move to the start of a sentence, or away from it: what counts is that the word is there.
    return before.numbers == after.numbers and before.names <= after.words and after.names <= before.words


ENTITIES = Filter(
    name="entities",
    summary="the case has the numbers and names of its original, no more and no fewer",
    check=check_entities,
    reasons=(OTHER_ENTITIES,),
    levels=("word",),
)
