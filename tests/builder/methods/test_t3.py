"""T3 inserts tokens at nodes of the tree, more and more of them, and replaces nothing."""

import re

from builder.language.scattering.scatter import FILLERS, FILLERS_LAST, PAUSES, most_insertions
from builder.methods.t3 import write_pieces, write_series
from builder.models.resources import Resources
from tests.builder.methods.rewritten import extended, series, to_rewrite

TEXT = "The old museum in the harbour was opened by a singer because the town had money."
TOKENS = {*FILLERS_LAST, *PAUSES, *(filler for fillers in FILLERS.values() for filler in fillers)}


def without_tokens(text: str) -> str:
    """Return a text without fillers, pauses and words said twice, in small letters."""
    text = text.lower()
    for token in sorted(TOKENS, key=len, reverse=True):
        text = re.sub(rf"(?:, )?(?<!\w){re.escape(token.lower())}(?!\w),?(?= |\.)", " ", text)
        text = re.sub(rf"^{re.escape(token.lower())}, ", "", text)
    text = re.sub(r"\b(\w+) \1\b", r"\1", re.sub(r"[ ,]+", " ", text))
    return re.sub(r" \.", ".", text).strip()


def test_a_series_has_one_more_token_at_each_step_and_all_words_stay() -> None:
    """In their order."""
    written = series(write_series, to_rewrite(TEXT))
    assert len(written) == most_insertions(TEXT)
    for text in written:
        assert text != TEXT
        assert without_tokens(text) == TEXT.lower()


def test_another_draw_chooses_other_nodes() -> None:
    """And the same draw the same."""
    assert series(write_series, to_rewrite(TEXT)) == series(write_series, to_rewrite(TEXT))
    assert series(write_series, to_rewrite(TEXT)) != series(write_series, to_rewrite(TEXT, seed=1))


def test_an_attack_adds_tokens_to_those_that_are_there() -> None:
    """One for each place, and few in all."""
    (pieces,) = write_pieces([to_rewrite(TEXT)], Resources())
    assert pieces.n > 20
    assert extended(TEXT, pieces, [0], [0]) == extended(TEXT, pieces, [0])
    every = extended(TEXT, pieces, [0], list(range(pieces.n)))
    assert without_tokens(every) == TEXT.lower()
    assert extended(TEXT, pieces, [0]) != every


def test_a_text_without_words_gets_nothing() -> None:
    """There is no node."""
    (pieces,) = write_pieces([to_rewrite("...")], Resources())
    assert pieces.n == 0
    assert series(write_series, to_rewrite("...")) == []
