"""The part-of-speech filter: a swapped word is the part of speech that its original is."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.language.tagger import Token, tag
from builder.language.words.word_families import family_of
from contract.schema.drop_reasons import OTHER_PART_OF_SPEECH
from contract.schema.edits import Edit
from contract.schema.records import Record

# Taggers do not agree with themselves on these: a participle before a noun, a name that is a noun.
_SAME = {"VBN": "JJ", "VBG": "JJ", "NNP": "NN", "NNPS": "NN"}


class _Swap(NamedTuple):
    """A span of the original and the span that took its place in the case."""

    start: int
    end: int
    start_in_case: int
    end_in_case: int


def check_part_of_speech(_context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case in which a swapped word is another part of speech; a form of the same word may be."""
    texts = list(
        dict.fromkeys(text for record in records for text in (record.unperturbed_text, record.perturbed_text))
    )
    tokens = dict(zip(texts, tag(texts), strict=True))
    reasons: Reasons = []
    for record in records:
        before, after = tokens[record.unperturbed_text], tokens[record.perturbed_text]
        is_kept = all(
            _is_kept(
                _inside(before, swap.start, swap.end), _inside(after, swap.start_in_case, swap.end_in_case)
            )
            for swap in _swaps([edit for _, edit in record.edits])
        )
        reasons.append(None if is_kept else OTHER_PART_OF_SPEECH)
    return reasons


def _swaps(edits: Sequence[Edit]) -> Iterator[_Swap]:
    shift = 0
    for edit in sorted(edits):
        start = edit.start + shift
        yield _Swap(edit.start, edit.end, start, start + len(edit.replacement))
        shift += len(edit.replacement) - len(edit.original)


def _inside(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    """Return the words that overlap a span."""
    return [token for token in tokens if token.start < end and start < token.end and token.text[0].isalpha()]


def _is_kept(before: Sequence[Token], after: Sequence[Token]) -> bool:
    if not before or not after:
        return True
    if len(before) == len(after) == 1 and after[0].text.lower() in family_of(before[0].text.lower()):
        return True
    # Of an expression of several words, one has to be what the word was.
    return not _parts(before).isdisjoint(_parts(after))


def _parts(tokens: Sequence[Token]) -> set[str]:
    """Return the parts of speech that tokens have or may be taken for."""
    return {part[:2] for token in tokens for part in (token.tag, _SAME.get(token.tag, token.tag))}


PART_OF_SPEECH = Filter(
    name="part-of-speech",
    summary="a swapped word is the part of speech that its original is",
    check=check_part_of_speech,
    reasons=(OTHER_PART_OF_SPEECH,),
    levels=("word",),
)
