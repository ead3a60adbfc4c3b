"""The style of a text, so that what is added to it is written in the same way."""

import re
from typing import NamedTuple

_SPACED = re.compile(r"\s[.,!?;:](?:\s|$)|(?:^|\s)(?:``|-lrb-)\s")
_ATTACHED = re.compile(r"\w[.,!?;:](?:\s|$)")
_SPLIT = re.compile(r"\w (?:n't|'s|'re|'ve|'ll|'m|'d)(?!\w)", re.IGNORECASE)


class Style(NamedTuple):
    """Whether marks and clitics are set off by spaces, whether it has no capitals, and its apostrophe."""

    is_spaced: bool
    is_split: bool
    is_small: bool
    apostrophe: str


def style_of(text: str) -> Style:
    """Return the style of a text."""
    return Style(
        is_spaced=len(_SPACED.findall(text)) > len(_ATTACHED.findall(text)),
        is_split=bool(_SPLIT.search(text)),
        is_small=text == text.lower(),
        apostrophe="’" if "’" in text and "'" not in text else "'",
    )
