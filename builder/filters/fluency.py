"""The fluency filter: what was changed reads about as well as what stood there, says a masked model.

Pseudo-perplexity (Salazar et al. 2020) of the changed words and of their neighbours, each hidden and guessed
from its sentence, is divided by that of the original's words at the same place. Words farther away hardly
change, and to guess them all would cost many times more. What is appended after the text is not looked at:
links and tautologies are not fluent, and are not meant to be.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.language.masked_lm.filling import Gap, score_words
from builder.language.masked_lm.model import load_model
from builder.language.sentences.contexts import contexts_of
from contract.schema.drop_reasons import NOT_FLUENT
from contract.schema.edits import Edit, words_of
from contract.schema.records import Record

# So many words before and after a change are looked at.
NEIGHBOURS = 1
# The largest ratio that keeps 95 % of the swaps that readers of data_cards/readings/thresholds-contextual.tsv
# found right, by the packaged model: `python -m builder.making.fluency.threshold` derives it. It keeps 29 of
# their 31 right swaps and 28 of the 33 wrong ones: what is not fluent is refused, what is fluent and wrong is
# not, which other filters are for.
MOST_RATIO = 4.0


def check_fluency(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case that is much less likely than its original where it was changed."""
    most = context.thresholds["most_ratio"]
    ratios = perplexity_ratios(
        [(record.unperturbed_text, [edit for _, edit in record.edits]) for record in records],
        context.resources.masked_lm,
    )
    return [None if ratio <= most else NOT_FLUENT for ratio in ratios]


def perplexity_ratios(changes: Sequence[tuple[str, Sequence[Edit]]], masked_lm: str) -> list[float]:
    """Return for each text and its edits the pseudo-perplexity after them, divided by that before them.

    All words of all texts are guessed in one call, each different one once.
    """
    looked_at = [(list(_gaps_before(text, edits)), list(_gaps_after(text, edits))) for text, edits in changes]
    gaps = list(dict.fromkeys(gap for before, after in looked_at for gap in (*before, *after)))
    words = [gap.text[gap.start : gap.end] for gap in gaps]
    scores = score_words(gaps, [(word,) for word in words], masked_lm)
    pieces = load_model(masked_lm).pieces_of([word.lower() for word in words])
    guessed = {
        gap: _Guessed(score, max(1, len(of_word)))
        for gap, (score,), of_word in zip(gaps, scores, pieces, strict=True)
    }
    return [
        math.exp(_surprise(after, guessed) - _surprise(before, guessed)) if before and after else 1.0
        for before, after in looked_at
    ]


class _Guessed(NamedTuple):
    """How likely a word was, as a logarithm, and of how many pieces it is: perplexity is by piece."""

    log_probability: float
    n_pieces: int


def _surprise(gaps: Sequence[Gap], guessed: Mapping[Gap, _Guessed]) -> float:
    of_gaps = [guessed[gap] for gap in gaps]
    return -sum(word.log_probability for word in of_gaps) / sum(word.n_pieces for word in of_gaps)


def _gaps_before(text: str, edits: Sequence[Edit]) -> Iterator[Gap]:
    inner = [edit for edit in edits if edit.start < len(text.rstrip())]
    return _gaps(text, [(edit.start, edit.end) for edit in inner])


def _gaps_after(text: str, edits: Sequence[Edit]) -> Iterator[Gap]:
    spans, pieces, position, length = [], [], 0, 0
    for edit in sorted(edits):
        pieces += [text[position : edit.start], edit.replacement]
        length += edit.start - position
        if edit.start < len(text.rstrip()):
            spans.append((length, length + len(edit.replacement)))
        length += len(edit.replacement)
        position = edit.end
    return _gaps("".join([*pieces, text[position:]]), spans)


def _gaps(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Gap]:
    """Yield the words at some spans of a text and beside them, each as a gap in its sentence."""
    words = words_of(text)
    touched = {
        place
        for start, end in spans
        for place, word in enumerate(words)
        if word.start <= end and start <= word.end
    }
    near = {other for place in touched for other in range(place - NEIGHBOURS, place + NEIGHBOURS + 1)}
    contexts = contexts_of(text, words)
    for place in sorted(near):
        if 0 <= place < len(words):
            word, context = words[place], contexts[place]
            letters = [index for index, character in enumerate(word.text) if character.isalnum()]
            start = word.start - context.start
            yield Gap(text[context.start : context.end], start + letters[0], start + letters[-1] + 1)


FLUENCY = Filter(
    name="fluency",
    summary="a masked language model finds what was changed about as likely as what stood there",
    check=check_fluency,
    reasons=(NOT_FLUENT,),
    thresholds={"most_ratio": MOST_RATIO},
    levels=("word", "sentence"),
    uses=("masked_lm",),
)
