"""Text from submitters made safe for pages: visible text, safe links, safe file names."""

import hashlib
import re
import unicodedata
from urllib.parse import urlsplit

from contract.machine.json_text import canonical_json
from contract.machine.visible_text import visible as visible  # noqa: PLC0414

MOST_CHARACTERS_IN_TABLES = 64

_PLAIN = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*")
# Names of devices on Windows, in any folder.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


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
