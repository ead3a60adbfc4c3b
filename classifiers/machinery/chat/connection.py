"""One kept connection to an HTTP server: a request out, a whole reply back, within a time and a size."""

import base64
import http.client
import ipaddress
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from contract.machine.errors import ExitCode, UserError

_MOST_BYTES = 4_000_000


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a server said."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class TooLargeError(OSError):
    """A reply larger than any answer can be."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where an API is: the parts of its base URL."""

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


def parse_address(url: str) -> Address:
    """Return the parts of a base URL, or an error that never repeats a password in it."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError as error:
        raise _bad_url(f"not a URL: {error}") from None
    if port is None or not parts.hostname:
        raise _bad_url("not an http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise _bad_url("a user, a query or a fragment has no place in it; keys come from the environment")
    return Address(
        is_secure=parts.scheme == "https", host=parts.hostname, port=port, path=parts.path.rstrip("/")
    )


def _bad_url(what: str) -> UserError:
    return UserError(
        f"--base-url: {what}; write it like http://localhost:8000/v1", exit_code=ExitCode.WRONG_USE
    )


class Connection:
    """Keeps one connection open between requests; used by one thread at a time."""

    def __init__(self, address: Address, headers: Mapping[str, str], timeout_seconds: float) -> None:
        self._address = address
        self._headers = headers
        self._timeout_seconds = timeout_seconds
        self._connection: http.client.HTTPConnection | None = None
        self._target = address.path

    def request(self, method: str, path: str, body: bytes | None = None) -> Reply:
        """Return the reply; OSError or HTTPException if there is none, and the connection is then closed."""
        is_reused = self._connection is not None
        try:
            return self._request_once(method, path, body)
        except (ConnectionError, http.client.RemoteDisconnected):
            # A server may close a connection that was idle; that says nothing about this request.
            if not is_reused:
                raise
            return self._request_once(method, path, body)

    def close(self) -> None:
        """Close what is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _request_once(self, method: str, path: str, body: bytes | None) -> Reply:
        deadline = time.monotonic() + self._timeout_seconds
        try:
            if self._connection is None:
                self._connection = self._connect()
            self._connection.request(method, self._target + path, body, dict(self._headers))
            with self._connection.getresponse() as response:
                reply = Reply(
                    status=response.status,
                    headers={name.lower(): value for name, value in response.getheaders()},
                    body=_read(response, deadline),
                )
                is_last = response.will_close
        except BaseException:
            self.close()
            raise
        if is_last:
            self.close()
        return reply

    def _connect(self) -> http.client.HTTPConnection:
        """Return a new connection, through the proxy that the environment names for this server."""
        address = self._address
        proxy = None if address.is_loopback or proxy_bypass(address.host) else _proxy(address)
        host, port = (
            (address.host, address.port) if proxy is None else (proxy.hostname or "", proxy.port or 80)
        )
        if address.is_secure:
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=self._timeout_seconds, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(host, port, timeout=self._timeout_seconds)
        if proxy is not None and address.is_secure:
            connection.set_tunnel(address.host, address.port, _proxy_headers(proxy))
        elif proxy is not None:
            self._target = str(address)
            self._headers = {**self._headers, **_proxy_headers(proxy)}
        return connection


def _proxy(address: Address) -> SplitResult | None:
    url = getproxies().get("https" if address.is_secure else "http")
    if not url:
        return None
    return urlsplit(url if "://" in url else f"http://{url}")


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """Return the whole body, unless it takes too long or is too large."""
    parts: list[bytes] = []
    n_bytes = 0
    while part := response.read1(65_536):
        parts.append(part)
        n_bytes += len(part)
        if n_bytes > _MOST_BYTES:
            raise TooLargeError(f"a reply of more than {_MOST_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise TimeoutError("timed out")
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)
