"""A model behind an address: an OpenAI-compatible endpoint or a plain server, and the key for it."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from classifiers.machinery.chat.address import Address
from classifiers.machinery.chat.connections import Connections, Reply
from contract.machine.errors import ExitCode, UserError

# Set for the endpoint in question; and what other programs use, too.
OWN_KEY, GENERAL_KEY = "HARDFROST_API_KEY", "OPENAI_API_KEY"
# Shorter keys are placeholders such as "EMPTY", not secrets.
_SHORTEST_SECRET = 8


@dataclass(frozen=True, kw_only=True)
class Key:
    """The secret that an endpoint asks for, and the environment variable that held it."""

    value: str = field(repr=False)
    variable: str


def find_key(address: Address, variables: Sequence[str] = (OWN_KEY, GENERAL_KEY)) -> Key | None:
    """Return the key for an endpoint from the environment."""
    for variable in variables:
        value = os.environ.get(variable, "").strip()
        # The general key is not sent unencrypted over a network; a key set for this endpoint may be.
        if not value or (variable == GENERAL_KEY and not (address.is_secure or address.is_loopback)):
            continue
        if not (value.isascii() and value.isprintable()):
            raise UserError(
                f"{variable} holds characters that no key has; set it again", exit_code=ExitCode.WRONG_USE
            )
        return Key(value=value, variable=variable)
    return None


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One model of one server, and what is sent with every request."""

    address: Address
    key: Key | None
    # None: a server of one model, which is asked at its own path.
    model: str | None
    body: Mapping[str, Any]
    timeout_seconds: float
    path: str = "/chat/completions"

    @property
    def name(self) -> str:
        """The endpoint as messages write it."""
        return f"{self.address}{self.path}" if self.model is None else f"api:{self.model} at {self.address}"

    def connections(self) -> Connections:
        """Return connections to the server that send the key."""
        headers = {"Content-Type": "application/json", "User-Agent": "hardfrost"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key.value}"
        return Connections(self.address, headers, self.timeout_seconds)

    def completion_body(self, prompt: str) -> bytes:
        """Return the body of the request that asks the model to answer a prompt."""
        messages = [{"role": "user", "content": prompt}]
        return json.dumps({"model": self.model, **self.body, "messages": messages}).encode()

    def error(self, what: str) -> UserError:
        """Return an error that names the endpoint and never shows the key."""
        return UserError(self.without_key(f"{self.name}: {what}"), exit_code=ExitCode.NETWORK)

    def without_key(self, text: str) -> str:
        """Return a text without the key, which some servers repeat."""
        if self.key is None or len(self.key.value) < _SHORTEST_SECRET:
            return text
        return text.replace(self.key.value, "***")

    def reply_without_key(self, reply: Reply) -> Reply:
        """Return a reply without the key in headers and body."""
        # Latin-1 decodes every body and gives the same bytes back.
        return Reply(
            status=reply.status,
            headers={name: self.without_key(value) for name, value in reply.headers.items()},
            body=self.without_key(reply.body.decode("latin-1")).encode("latin-1"),
        )
