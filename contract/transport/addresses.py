"""Web addresses: what is fetched from them, and how they are shown without their secrets."""

import re
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.progress import Progress

TIMEOUT_SECONDS = 60
BYTES_AT_A_TIME = 1 << 20
MOST_DIGITS_OF_A_LENGTH = 15

_WEB = re.compile(r"https?://", re.IGNORECASE)
# Tokens stand behind the question mark, passwords before the host. Not parsed: a wrong address has them, too.
_QUERY = re.compile(r"(https?://[^\s?#'\"]*)[?#][^\s'\"]*|[?][^\s'\"]+", re.IGNORECASE)
_USER = re.compile(r"(https?://)[^/\s]*@", re.IGNORECASE)


def is_url(place: str) -> bool:
    """Tell whether a place is an address of the web."""
    return _WEB.match(place) is not None


def without_secrets(text: str) -> str:
    """Return a text in which no address has a query, a fragment or a password."""
    return _USER.sub(r"\1", _QUERY.sub(lambda found: found[1] or "", text))


def shown_place(place: str) -> str:
    """Return a place as messages show it: a path as it is, an address without its secrets."""
    return without_secrets(re.split(r"[?#]", place, maxsplit=1)[0]) if is_url(place) else place


def fetch(url: str, file: IO[bytes], progress: Progress, *, most_bytes: int | None = None) -> None:
    """Write what an address of the web gives, all of it; more than the most that is expected is refused."""
    shown = shown_place(url)
    try:
        # Only http and https get here.
        with urlopen(Request(url, headers={"User-Agent": "hardfrost"}), timeout=TIMEOUT_SECONDS) as reply:  # noqa: S310
            n_bytes = _length(reply.headers.get("Content-Length") or "0")
            progress.stage("download (MB)", max(1, n_bytes // BYTES_AT_A_TIME))
            n_read = 0
            while chunk := reply.read(BYTES_AT_A_TIME):
                file.write(chunk)
                n_read += len(chunk)
                if most_bytes is not None and n_read > most_bytes:
                    break
                progress.step(len(chunk) // BYTES_AT_A_TIME)
    # Addresses that cannot be parsed, and hosts that cannot be names, are a ValueError.
    except (HTTPError, URLError, HTTPException, OSError, ValueError) as error:
        if isinstance(error, HTTPError):
            error.close()
        raise UserError(
            f"{shown}: cannot be fetched: {without_secrets(str(error))}; check the address and the network",
            exit_code=ExitCode.NETWORK,
        ) from None
    if most_bytes is not None and n_read > most_bytes:
        raise bad_input(f"{shown}: larger than {most_bytes:,} bytes; is it the right address?")
    if n_bytes and n_read != n_bytes:
        raise UserError(
            f"{shown}: cut short after {n_read:,} of {n_bytes:,} bytes; try again", exit_code=ExitCode.NETWORK
        )


def _length(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS_OF_A_LENGTH):
        raise ValueError(f"the server says Content-Length: {text[:40]!r}, expected a number of bytes")
    return int(text)
