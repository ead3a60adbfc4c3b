"""Text from submitters made safe for pages: visible text, safe links, safe file names."""

import hashlib
import re
import unicodedata
from urllib.parse import urlsplit

from contract.machine.json_text import canonical_json

MOST_CHARACTERS_IN_TABLES = 64
MOST_CHARACTERS_ON_PAGES = 2_000

# Control, format, surrogate, private-use and unassigned characters, and line separators: invisible, or able
# to reorder the text around them.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

# Letters, marks and signs that are invisible as well: fillers, joiners, the empty Braille pattern.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
# No living script needs more marks on a letter; more of them would cover the lines above.
_MOST_MARKS = 3

_PLAIN = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*")
# Names of devices on Windows, in any folder.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def visible(text: str, most_characters: int = MOST_CHARACTERS_ON_PAGES) -> str:
    """Return the text with invisible characters spelled out, cut to the given length."""
    cut = text if len(text) <= most_characters else text[: most_characters - 1] + "…"
    if not cut or (cut.isascii() and cut.isprintable() and not cut.isspace()):
        return cut
    if all(character.isspace() or _is_invisible(character) for character in cut):
        return "".join(map(_spelled, cut))
    shown = []
    n_marks = _MOST_MARKS  # A mark at the very start would join the text before it.
    for character in cut:
        is_mark = unicodedata.category(character) in {"Mn", "Me"}
        n_marks = n_marks + 1 if is_mark else 0
        shown.append(_spelled(character) if n_marks > _MOST_MARKS else _visible_character(character))
    return "".join(shown)


def shortened(text: str) -> str:
    """Return the visible text, cut to the length of a table cell."""
    return visible(text, MOST_CHARACTERS_IN_TABLES)


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?", "…")) else f"{whole}."


def web_link(url: str | None) -> str | None:
    """Return the address if it is a plain http or https address, else None."""
    if url is None or not url.isascii() or not url.isprintable() or re.search(r"[\s\"'<>\\^`{|}]", url):
        return None
    try:
        address = urlsplit(url)
        is_web = address.scheme in {"http", "https"} and bool(address.hostname)
    except ValueError:
        return None
    # A user name before the host is only used to make one host look like another.
    return url if is_web and "@" not in address.netloc else None


def page_name(*names: str | None) -> str:
    """Return a file name of a readable slug and a hash; different names give different file names."""
    readable = "-".join(name for name in names if name)
    plain = unicodedata.normalize("NFKD", readable[:200]).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")
    digest = hashlib.sha256(canonical_json(names).encode()).hexdigest()[:10]
    return f"{slug}-{digest}" if slug else digest


def folder_name(text: str) -> str:
    """Return the text if it is a plain name, else a slug with a hash; different texts give different names.

    No name contains `__`, so two names joined by `__` can be separated again.
    """
    is_plain = len(text) <= 60 and _PLAIN.fullmatch(text) and text.partition(".")[0].lower() not in _DEVICES
    return text if is_plain else page_name(text)


def _visible_character(character: str) -> str:
    if character in "\t\n\r":
        return " "
    # Variation selectors are kept: emoji need them.
    is_spelled = unicodedata.category(character) in _INVISIBLE or character in _BLANKS
    return _spelled(character) if is_spelled else character


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE | {"Mn", "Me"} or character in _BLANKS


def _spelled(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"
