"""What strangers wrote, made fit for a page: visible text, safe links, file names that owe them nothing."""

import hashlib
import re
import unicodedata
from urllib.parse import urlsplit

from contract.files import canonical_json

MOST_CHARACTERS_IN_TABLES = 64
MOST_CHARACTERS_ON_PAGES = 2_000

# Control, format, surrogate, private-use and unassigned characters, and line separators: unseen, or able to
# reorder what stands around them.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

_PLAIN = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*")
# What Windows takes for a device, whatever the folder.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def visible(text: str, most_characters: int = MOST_CHARACTERS_ON_PAGES) -> str:
    """Return the text with unseen characters spelled out and cut to a length that a page can hold."""
    cut = text if len(text) <= most_characters else text[: most_characters - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(_visible_character(character) for character in cut)


def shortened(text: str) -> str:
    """Return the text as a table cell can hold it."""
    return visible(text, MOST_CHARACTERS_IN_TABLES)


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a stop at its end."""
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?", "…")) else f"{whole}."


def web_link(url: str | None) -> str | None:
    """Return the address if it is a plain http or https one, else nothing."""
    if url is None or not url.isascii() or not url.isprintable() or re.search(r"[\s\"'<>\\^`{|}]", url):
        return None
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    # A user name before the host serves only to make one host look like another.
    return url if is_web and "@" not in parts.netloc else None


def page_name(*parts: str | None) -> str:
    """Return a file name made of a readable slug and a hash, so that no two things share one."""
    readable = "-".join(part for part in parts if part)
    plain = unicodedata.normalize("NFKD", readable[:200]).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")
    digest = hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:10]
    return f"{slug}-{digest}" if slug else digest


def folder_name(text: str) -> str:
    """Return the text where it is a plain name, else a slug of it with a hash; no two texts share a name.

    None holds `__`, so that two names joined by it can only be read in one way.
    """
    is_plain = len(text) <= 60 and _PLAIN.fullmatch(text) and text.partition(".")[0].lower() not in _DEVICES
    return text if is_plain else page_name(text)


def _visible_character(character: str) -> str:
    if unicodedata.category(character) not in _UNSEEN:
        return character
    return " " if character in "\t\n\r" else f"⟨U+{ord(character):04X}⟩"
