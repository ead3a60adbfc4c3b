"""Asks an endpoint: waits and asks again after passing trouble, explains the rest."""

import os
import random
import ssl
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING

from classifiers.machinery.chat.connections import Connections, Reply
from classifiers.machinery.chat.endpoint import Endpoint
from classifiers.machinery.chat.replies import (
    Completion,
    Trouble,
    completion_of,
    excerpt,
    fault_of,
    model_names,
    retry_after_seconds,
)
from classifiers.machinery.chat.running import StoppedError
from contract.machine.registry import did_you_mean

if TYPE_CHECKING:
    import anyio

_ATTEMPTS = 8
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 30.0
# A server that asks for a longer wait ends the run; --resume continues it.
_LONGEST_RETRY_AFTER_SECONDS = 300.0
_TOO_MANY = 429
_FAILED = 500
_PASSING = frozenset({408, 425, _TOO_MANY, _FAILED, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_OVERLOAD = frozenset({_TOO_MANY, 503, 529})
# The server has read the request and refuses this text: too long, or against its rules.
_ABOUT_THE_TEXT = frozenset({400, 413, 422})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_SHOWN_MODELS = 20
# How h11 and httpcore word a reply that ends too early.
_CUT = ("disconnected", "closed connection")


class Session:
    """Asks one endpoint many things at once; when the server asks for a wait, all of them wait."""

    def __init__(
        self,
        endpoint: Endpoint,
        connections: Connections,
        stop: "anyio.Event",
        read: Callable[[Reply], Completion | Trouble] = completion_of,
    ) -> None:
        self._endpoint = endpoint
        self._read = read
        self._connections = connections
        self._stop = stop
        self._not_before = 0.0
        self._n_completions = 0

    async def complete(self, prompt: str) -> Completion:
        """Return the model's answer to a prompt."""
        return await self.send(self._endpoint.completion_body(prompt))

    async def send(self, data: bytes) -> Completion:
        """Return the answer to a request; after passing trouble, ask again with growing waits."""
        n_at_first = n_before = self._n_completions
        n_failures = 0
        while True:
            await self._wait_until_allowed()
            outcome = await self._attempt(data)
            if isinstance(outcome, Completion):
                self._n_completions += 1
                return outcome
            # "Too many requests" is no failure of this request while others are answered.
            is_race = outcome.status == _TOO_MANY and self._n_completions > n_before
            n_before, n_failures = self._n_completions, 0 if is_race else n_failures + 1
            if n_failures == _ATTEMPTS:
                break
            await self._wait_after(outcome, n_failures)
        if outcome.status == _FAILED and self._n_completions > n_at_first:
            # Others were answered meanwhile: the server fails on this text only.
            return Completion(words=None, reason=outcome.reason)
        raise self._endpoint.error(
            f"{outcome.reason}, {_ATTEMPTS} times in a row; go on with --resume when it works again"
        )

    async def _attempt(self, data: bytes) -> Completion | Trouble:
        """Return the answer, or the trouble if it may pass."""
        import httpx

        try:
            reply = await self._connections.request("POST", self._endpoint.path, data)
        except (httpx.TransportError, OSError) as error:
            return self._connection_trouble(error)
        if reply.status == HTTPStatus.OK:
            outcome = self._read(reply)
            has_words = isinstance(outcome, Completion) and outcome.words is not None
            return outcome if has_words else self._read(self._endpoint.reply_without_key(reply))
        return await self._refusal(self._endpoint.reply_without_key(reply))

    def _connection_trouble(self, error: Exception) -> Trouble:
        """Return the trouble of a request without a reply; raise if asking again would not help."""
        import httpx

        for cause in _causes(error):
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise self._endpoint.error(
                    f"its certificate is not trusted ({cause.verify_message});"
                    " name the file of its authority in SSL_CERT_FILE"
                ) from None
        reason = _worded(error)
        if self._n_completions == 0 and isinstance(error, httpx.ConnectError):
            raise self._endpoint.error(
                f"{reason}; start the server or correct {self._address_name}"
            ) from None
        return Trouble(reason=reason)

    async def _refusal(self, reply: Reply) -> Completion | Trouble:
        """Return what an HTTP error means for this text; raise if asking again would not help."""
        fault = fault_of(reply)
        reason = f"HTTP {reply.status} ({fault.message})" if fault.message else f"HTTP {reply.status}"
        if reply.status in _ABOUT_THE_TEXT:
            return Completion(words=None, reason=reason)
        if fault.code in _NO_CREDIT:
            raise self._endpoint.error(f"{reason}; go on with --resume when there is credit again")
        if reply.status not in _PASSING:
            raise self._endpoint.error(f"{reason}; {await self._remedy(reply)}")
        return Trouble(reason=reason, status=reply.status, wait_seconds=retry_after_seconds(reply))

    @property
    def _address_name(self) -> str:
        return "the URL" if self._endpoint.model is None else "--base-url"

    async def _remedy(self, reply: Reply) -> str:
        """Return what to do about a lasting refusal."""
        is_plain = self._endpoint.model is None
        if reply.status in {401, 403}:
            return self._remedy_of_key(is_plain=is_plain)
        if reply.status == HTTPStatus.NOT_FOUND and not is_plain:
            return await self._known_models()
        if "location" in reply.headers:
            return f"it points to {excerpt(reply.headers['location'])}; give that as {self._address_name}"
        return "correct the URL" if is_plain else "correct --base-url, the model's name or --request"

    def _remedy_of_key(self, *, is_plain: bool) -> str:
        """Return what to do about a key that is missing or refused."""
        if self._endpoint.key is not None:
            return f"it refuses the key in {self._endpoint.key.variable}; set one of this endpoint"
        if is_plain:
            return "set HARDFROST_API_KEY"
        if os.environ.get("OPENAI_API_KEY"):
            return "OPENAI_API_KEY is sent over https or to this machine only; set HARDFROST_API_KEY"
        return "set HARDFROST_API_KEY or OPENAI_API_KEY"

    async def _known_models(self) -> str:
        """Return the names of the models that the server has, the nearest first."""
        import httpx

        try:
            reply = await self._connections.request("GET", "/models")
        except (httpx.TransportError, OSError):
            names = []
        else:
            names = model_names(self._endpoint.reply_without_key(reply))
        model = self._endpoint.model or ""
        if not names or model in names:
            return "correct --base-url (it often ends in /v1) or the model's name"
        shown = ", ".join(excerpt(name) for name in names[:_SHOWN_MODELS])
        return f"no model {model!r};{did_you_mean(model, names)} known models: {shown}"

    async def _wait_until_allowed(self) -> None:
        """Wait for as long as the server asked for; other requests may meanwhile be asked to wait longer."""
        while (seconds := self._not_before - time.monotonic()) > 0:
            await self._wait(seconds)
        await self._wait(0)

    async def _wait_after(self, trouble: Trouble, n_failures: int) -> None:
        """Wait as long as the server asks, or twice as long as the last time; under overload, all wait."""
        seconds = trouble.wait_seconds
        if seconds is None:
            longest = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2 ** max(0, n_failures - 1))
            seconds = longest * random.uniform(0.5, 1)
        elif seconds > _LONGEST_RETRY_AFTER_SECONDS:
            raise self._endpoint.error(
                f"{trouble.reason}; it asks to wait {seconds:,.0f} s: go on with --resume then"
            )
        if trouble.wait_seconds is not None or trouble.status in _OVERLOAD:
            self._not_before = max(self._not_before, time.monotonic() + seconds)
        else:
            await self._wait(seconds)

    async def _wait(self, seconds: float) -> None:
        """Wait, and raise StoppedError as soon as the run is stopped."""
        import anyio

        with anyio.move_on_after(seconds):
            await self._stop.wait()
        if self._stop.is_set():
            raise StoppedError


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and the errors that it was raised from."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _worded(error: Exception) -> str:
    """Return what happened to a connection in words."""
    import httpx

    if isinstance(error, TimeoutError):
        return "no answer in time (--timeout)"
    # The other errors of this type are replies that are not HTTP.
    is_cut = isinstance(error, httpx.RemoteProtocolError) and any(words in str(error) for words in _CUT)
    if is_cut or isinstance(error, httpx.ReadError | httpx.WriteError):
        return "the connection was cut"
    return excerpt(str(error)) or type(error).__name__
