"""No slip and no disguise turns a number into another one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.label_guard.figures import keeps_figures

FULLWIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


@pytest.mark.parametrize(
    ("original", "changed", "expected"),
    [
        ("500", "5500", False),
        ("500", "5O0", True),
        ("3.8", "3.9", False),
        ("mp3", "mp4", False),
        ("mp3", "rnp3", False),
        ("COVID-19", "COVVID-19", True),
        ("COVID-19", "COVID-1", False),
        ("10pm", "10pn", True),
        ("B1", "81", False),
        ("gr8", "gre8", False),
        ("lO", "10", False),
        ("hello", "he11o", True),
    ],
)
def test_a_number_is_kept_or_not(original: str, changed: str, *, expected: bool) -> None:
    """By hand: a look-alike stands for its digit, everything else is another number."""
    assert keeps_figures(original, changed) == expected


@given(st.from_regex(r"[0-9]{1,9}", fullmatch=True))
def test_other_alphabets_keep_a_number_and_one_more_digit_does_not(number: str) -> None:
    """Whatever the number."""
    assert keeps_figures(number, number)
    assert keeps_figures(number, number.translate(FULLWIDTH))
    assert not keeps_figures(number, number + number[-1])
