"""An OpenAI-compatible endpoint: asks for chat completions, patiently, and explains what cannot be mended."""

import http.client
import json
import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from classifiers.machinery.chat.connection import Address, Connection, Reply
from classifiers.machinery.chat.replies import (
    Completion,
    Trouble,
    completion_of,
    excerpt,
    fault_of,
    model_names,
    retry_after_seconds,
)
from classifiers.machinery.chat.workers import StoppedError
from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import did_you_mean

_ATTEMPTS = 8
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 30.0
# Whoever is told to come back later than this does so with the resume file.
_LONGEST_RETRY_AFTER_SECONDS = 300.0
_TOO_MANY = 429
_FAILED = 500
_PASSING = frozenset({408, 425, _TOO_MANY, _FAILED, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_OVERLOAD = frozenset({_TOO_MANY, 503, 529})
# The server has read the request and will not have this text: too long, or against its rules.
_ABOUT_THE_TEXT = frozenset({400, 413, 422})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_SHOWN_MODELS = 20
_SHORTEST_SECRET = 8


@dataclass(frozen=True, kw_only=True)
class Key:
    """The secret that an endpoint asks for, and where it came from."""

    value: str = field(repr=False)
    source: str


def find_key(address: Address) -> Key | None:
    """Return the key for an endpoint from the environment."""
    for source in ("HARDFROST_API_KEY", "OPENAI_API_KEY"):
        value = os.environ.get(source, "").strip()
        # The general key is not shown to whoever listens on the way; one set for this endpoint may be.
        if not value or (source == "OPENAI_API_KEY" and not (address.is_secure or address.is_loopback)):
            continue
        if not (value.isascii() and value.isprintable()):
            raise UserError(
                f"{source} holds characters that no key has; set it again", exit_code=ExitCode.WRONG_USE
            )
        return Key(value=value, source=source)
    return None


class Endpoint:
    """Asks one model of one server from many threads; when told to wait, all of them wait."""

    def __init__(
        self,
        *,
        address: Address,
        key: Key | None,
        model: str,
        body: Mapping[str, Any],
        timeout_seconds: float,
        stop: threading.Event,
    ) -> None:
        self._address = address
        self._key = key
        self._model = model
        self._body = body
        self._timeout_seconds = timeout_seconds
        self._stop = stop
        self._not_before = 0.0
        self._n_completions = 0

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Yield a connection for one thread."""
        headers = {"Content-Type": "application/json", "User-Agent": "hardfrost"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.value}"
        connection = Connection(self._address, headers, self._timeout_seconds)
        try:
            yield connection
        finally:
            connection.close()

    def complete(self, connection: Connection, prompt: str) -> Completion:
        """Return the model's answer to a prompt; while trouble may pass, ask again, each time later."""
        messages = [{"role": "user", "content": prompt}]
        data = json.dumps({"model": self._model, **self._body, "messages": messages}).encode()
        n_at_first = n_before = self._n_completions
        n_failures = 0
        while True:
            self._wait_until_allowed()
            found = self._attempt(connection, data)
            if isinstance(found, Completion):
                self._n_completions += 1
                return found
            # Whoever loses the race for a few places a minute has not failed while others are served.
            is_race = found.status == _TOO_MANY and self._n_completions > n_before
            n_before, n_failures = self._n_completions, 0 if is_race else n_failures + 1
            if n_failures == _ATTEMPTS:
                break
            self._wait_after(found, n_failures)
        if found.status == _FAILED and self._n_completions > n_at_first:
            # Others were answered meanwhile: it is this text that the server fails on.
            return Completion(words=None, reason=found.reason)
        raise self.error(
            f"{found.reason}, {_ATTEMPTS} times in a row; go on with --resume when it works again"
        )

    def error(self, what: str) -> UserError:
        """Return the error that names the endpoint and, whatever the server said, not the key."""
        return UserError(
            self.without_key(f"api:{self._model} at {self._address}: {what}"), exit_code=ExitCode.NETWORK
        )

    def without_key(self, text: str) -> str:
        """Return a text without the key, which some servers repeat; a few letters are a dummy, no secret."""
        if self._key is None or len(self._key.value) < _SHORTEST_SECRET:
            return text
        return text.replace(self._key.value, "***")

    def _to_show(self, reply: Reply) -> Reply:
        """Return a reply as it may be shown."""
        # As Latin-1 every body has a text and every text its body again.
        return Reply(
            status=reply.status,
            headers={name: self.without_key(value) for name, value in reply.headers.items()},
            body=self.without_key(reply.body.decode("latin-1")).encode("latin-1"),
        )

    def _attempt(self, connection: Connection, data: bytes) -> Completion | Trouble:
        """Return the answer, or the trouble if it may pass."""
        try:
            reply = connection.request("POST", "/chat/completions", data)
        except ssl.SSLCertVerificationError as error:
            raise self.error(
                f"its certificate is not trusted ({error.verify_message});"
                " name the file of its authority in SSL_CERT_FILE"
            ) from None
        except (OSError, http.client.HTTPException) as error:
            reason = _worded(error)
            if self._n_completions == 0 and isinstance(error, ConnectionRefusedError | socket.gaierror):
                raise self.error(f"{reason}; start the server or mend --base-url") from None
            return Trouble(reason=reason)
        if reply.status == http.HTTPStatus.OK:
            found = completion_of(reply)
            has_words = isinstance(found, Completion) and found.words is not None
            return found if has_words else completion_of(self._to_show(reply))
        reply = self._to_show(reply)
        fault = fault_of(reply)
        reason = f"HTTP {reply.status} ({fault.message})" if fault.message else f"HTTP {reply.status}"
        if reply.status in _ABOUT_THE_TEXT:
            return Completion(words=None, reason=reason)
        if fault.code in _NO_CREDIT:
            raise self.error(f"{reason}; go on with --resume when there is credit again")
        if reply.status not in _PASSING:
            raise self.error(f"{reason}; {self._remedy(connection, reply)}")
        return Trouble(reason=reason, status=reply.status, wait_seconds=retry_after_seconds(reply))

    def _remedy(self, connection: Connection, reply: Reply) -> str:
        """Return what to do about a refusal that will not pass."""
        if reply.status in {401, 403}:
            if self._key is not None:
                return f"it refuses the key in {self._key.source}; set one of this endpoint"
            if os.environ.get("OPENAI_API_KEY"):
                return "OPENAI_API_KEY goes over https or to this machine only; set HARDFROST_API_KEY"
            return "set HARDFROST_API_KEY or OPENAI_API_KEY"
        if reply.status == 404:
            return self._known_models(connection)
        if "location" in reply.headers:
            return f"it points to {excerpt(reply.headers['location'])}; give that as --base-url"
        return "mend --base-url, the model's name or --request"

    def _known_models(self, connection: Connection) -> str:
        """Return the names of the models that the server has, the nearest first."""
        try:
            names = model_names(self._to_show(connection.request("GET", "/models")))
        except (OSError, http.client.HTTPException):
            names = []
        if not names or self._model in names:
            return "mend --base-url (it often ends in /v1) or the model's name"
        shown = ", ".join(excerpt(name) for name in names[:_SHOWN_MODELS])
        return f"no model {self._model!r};{did_you_mean(self._model, names)} known models: {shown}"

    def _wait_until_allowed(self) -> None:
        """Wait for as long as the server asked to be left alone."""
        while True:
            seconds = self._not_before - time.monotonic()
            if self._stop.wait(max(0.0, seconds)):
                raise StoppedError
            if seconds <= 0:
                return

    def _wait_after(self, trouble: Trouble, n_failures: int) -> None:
        """Wait as told, or twice as long as the last time; where the server is overrun, all threads wait."""
        seconds = trouble.wait_seconds
        if seconds is None:
            longest = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2 ** max(0, n_failures - 1))
            seconds = longest * random.uniform(0.5, 1)
        elif seconds > _LONGEST_RETRY_AFTER_SECONDS:
            raise self.error(f"{trouble.reason}; it asks to wait {seconds:,.0f} s: go on with --resume then")
        if trouble.wait_seconds is not None or trouble.status in _OVERLOAD:
            self._not_before = max(self._not_before, time.monotonic() + seconds)
        elif self._stop.wait(seconds):
            raise StoppedError


def _worded(error: Exception) -> str:
    """Return what happened to a connection in words."""
    if isinstance(error, TimeoutError):
        return "no answer in time (--timeout)"
    if isinstance(error, http.client.RemoteDisconnected | ConnectionResetError | http.client.IncompleteRead):
        return "the connection was cut"
    return excerpt(str(error)) or type(error).__name__
