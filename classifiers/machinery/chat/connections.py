"""Connections to one HTTP server: a request out, a whole reply back, within a time and a size."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.request import getproxies, proxy_bypass

from classifiers.machinery.chat.address import Address, bad_url
from classifiers.machinery.needs import needs
from contract.machine.errors import ExitCode, UserError

if TYPE_CHECKING:
    import httpx

_MOST_BYTES = 4_000_000


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The reply of a server; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class TooLargeError(OSError):
    """A reply larger than any answer can be."""


class Connections:
    """Keeps connections to one server open between requests; redirects are not followed."""

    def __init__(self, address: Address, headers: Mapping[str, str], timeout_seconds: float) -> None:
        with needs("httpx", "api"):
            import httpx
        self._address = address
        self._timeout_seconds = timeout_seconds
        try:
            self._client = httpx.AsyncClient(
                base_url=str(address),
                # Compressed, a small reply could become larger than the limit before it is counted.
                headers={**headers, "Accept-Encoding": "identity"},
                proxy=_proxy_url(address),
                # The system's authorities, and those of SSL_CERT_FILE.
                verify=ssl.create_default_context() if address.is_secure else False,
                # `request` limits the whole exchange; the limits of httpx start anew with every byte.
                timeout=None,  # noqa: S113
                limits=httpx.Limits(),
                trust_env=False,
            )
        except httpx.InvalidURL as error:
            raise bad_url(f"not a URL: {error}") from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def request(self, method: str, path: str, body: bytes | None = None) -> Reply:
        """Return the reply; raise TimeoutError, TooLargeError or httpx.TransportError if there is none."""
        import anyio

        # One limit for connecting, sending, waiting and reading together.
        with anyio.fail_after(self._timeout_seconds):
            response = await self._send(method, path, body)
            try:
                return Reply(
                    status=response.status_code,
                    headers=dict(response.headers),
                    body=await _read(response),
                )
            finally:
                await response.aclose()

    async def _send(self, method: str, path: str, body: bytes | None) -> "httpx.Response":
        """Return the reply without its body; a connection that was closed while idle is opened again."""
        import httpx

        is_new = False

        async def trace(event: str, _info: Mapping[str, Any]) -> None:
            nonlocal is_new
            is_new = is_new or event == "connection.connect_tcp.started"

        def new_request() -> httpx.Request:
            return self._client.build_request(method, path, content=body, extensions={"trace": trace})

        try:
            return await self._client.send(new_request(), stream=True)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            if is_new:
                raise
            return await self._client.send(new_request(), stream=True)


async def _read(response: "httpx.Response") -> bytes:
    """Return the whole body, unless it is too large."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise TooLargeError(f"a reply of more than {_MOST_BYTES:,} bytes")
    return bytes(body)


def _proxy_url(address: Address) -> str | None:
    """Return the proxy that the environment names for the server; none for this machine."""
    if address.is_loopback or proxy_bypass(address.host):
        return None
    url = getproxies().get("https" if address.is_secure else "http")
    if not url:
        return None
    url = url if "://" in url else f"http://{url}"
    if not url.startswith(("http://", "https://")):
        raise UserError(
            f"the environment names a proxy of the kind {url.partition(':')[0]}; use an http proxy,"
            f" or add {address.host} to no_proxy",
            exit_code=ExitCode.WRONG_USE,
        )
    return url
