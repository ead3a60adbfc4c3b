"""CheckList's links and handles stand after a text, and lead nowhere."""

import re

from builder.methods.checklist import MOST_SIGNS, write_pieces, write_series
from builder.models.resources import Resources
from tests.builder.methods.rewritten import extended, series, to_rewrite

TEXT = "The bridge is old."
SIGN = re.compile(
    r"@[b-df-hj-np-tv-xz][b-df-hj-np-tv-xz0-9]+|https://example\.(?:com|net|org)/[b-df-hj-np-tv-xz0-9]+"
)


def signs(text: str) -> list[str]:
    """Return what stands after the text."""
    assert text.startswith(TEXT)
    return text.removeprefix(TEXT).split()


def test_a_series_has_one_more_link_or_handle_at_each_step() -> None:
    """And the text before them stays as it is."""
    written = series(write_series, to_rewrite(TEXT))
    assert [len(signs(text)) for text in written] == list(range(1, MOST_SIGNS + 1))
    assert all(SIGN.fullmatch(sign) for text in written for sign in signs(text))


def test_another_draw_gives_other_signs() -> None:
    """They are random, and the same for the same draw."""
    assert series(write_series, to_rewrite(TEXT)) == series(write_series, to_rewrite(TEXT))
    assert series(write_series, to_rewrite(TEXT)) != series(write_series, to_rewrite(TEXT, seed=1))


def test_an_attack_adds_signs_to_those_that_are_there_up_to_a_limit() -> None:
    """None of them twice."""
    (pieces,) = write_pieces([to_rewrite(TEXT)], Resources())
    once = signs(extended(TEXT, pieces, [0]))
    more = signs(extended(TEXT, pieces, [0], [0, 1]))
    assert len(once) == 1
    assert more[0] == once[0]
    assert len(more) == 2
    assert len(signs(extended(TEXT, pieces, list(range(20))))) == MOST_SIGNS


def test_no_link_is_made_where_its_words_are_typical_of_a_class() -> None:
    """Then there are handles only."""
    text = to_rewrite(TEXT, avoid=frozenset({"https", "example", "com"}))
    assert all(sign.startswith("@") for sign in signs(series(write_series, text)[-1]))


def test_a_text_without_words_gets_nothing() -> None:
    """There is nothing to distract from."""
    assert series(write_series, to_rewrite("...")) == []
