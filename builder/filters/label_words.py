"""The label-word filter: a case brings in no word that speaks for another class."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.language.words.word_families import family_of
from builder.values.associations import cores_of
from contract.schema.drop_reasons import LABEL_WORD, Reason
from contract.schema.records import Record


def check_label_words(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case with a new word that speaks for another class."""
    return [_reason(context, record) for record in records]


def _reason(context: FilterContext, record: Record) -> Reason | None:
    before = {form for core in cores_of(record.unperturbed_text) for form in family_of(core)}
    for core in cores_of(record.perturbed_text):
        # Another form of a word that was there is no new word.
        if core not in before and context.resources.associations.get(core, record.label) != record.label:
            return LABEL_WORD
    return None


LABEL_WORDS = Filter(
    name="label-words",
    summary="no word that speaks for another class is brought in",
    check=check_label_words,
    reasons=(LABEL_WORD,),
    levels=("word", "sentence"),
    uses=("associations",),
)
