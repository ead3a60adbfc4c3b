"""The antonym filter: no word is replaced by its opposite."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.language.wordnet.antonyms import are_opposed
from builder.values.associations import cores_of
from contract.schema.drop_reasons import ANTONYM
from contract.schema.edits import changed_words
from contract.schema.records import Record


def check_antonyms(_context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case with a word that can mean the opposite of the one it replaces."""
    return [ANTONYM if _has_antonym(record) else None for record in records]


def _has_antonym(record: Record) -> bool:
    edits = [edit for _, edit in record.edits]
    return any(
        are_opposed(before, after)
        for original, changed in changed_words(record.unperturbed_text, edits)
        for before in cores_of(original)
        for after in cores_of(changed)
        if before != after
    )


ANTONYMS = Filter(
    name="antonyms",
    summary="no word is replaced by one that can mean its opposite",
    check=check_antonyms,
    reasons=(ANTONYM,),
    levels=("word",),
)
