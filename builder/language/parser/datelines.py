"""Where the text of a news item begins: after "LONDON (Reuters) - "."""

import re

# Capitalised words, figures and brackets, then a dash between spaces.
_DATELINE = re.compile(r"\s*(?:\(?[A-Z0-9][\w.,/&'’-]*\)?[,:]?\s+){1,8}?(?:-{1,2}|–|—)\s+(?=\S)")
_NAME = re.compile(r"[A-Z]{2}|Reuters|AFP|Network|\(")


def body_start(text: str) -> int:
    """Return how many characters the dateline (place and agency) at the start of a text has."""
    match = _DATELINE.match(text)
    return match.end() if match and _NAME.search(match.group()) else 0
