"""The address of an API: its base URL, read and checked."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from contract.machine.errors import ExitCode, UserError


@dataclass(frozen=True, kw_only=True)
class Address:
    """The parts of a base URL."""

    is_secure: bool
    host: str
    port: int
    path: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_secure else 'http'}://{host}:{self.port}{self.path}"

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        try:
            return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_address(url: str, option: str = "--base-url") -> Address:
    """Return the parts of a base URL; errors never repeat the URL, which may hold a password."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError as error:
        raise bad_url(f"not a URL: {error}", option) from None
    if port is None or not parts.hostname:
        raise bad_url("not an http or https URL", option)
    if parts.username is not None or parts.query or parts.fragment:
        raise bad_url(
            "a user, a query or a fragment is not allowed in it; keys come from the environment", option
        )
    return Address(
        is_secure=parts.scheme == "https", host=parts.hostname, port=port, path=parts.path.rstrip("/")
    )


def bad_url(what: str, option: str = "--base-url") -> UserError:
    """Return the error for a URL that cannot be used."""
    return UserError(
        f"{option}: {what}; write it like http://localhost:8000/v1", exit_code=ExitCode.WRONG_USE
    )
