"""Reads what a chat endpoint replies: the model's words, or what is wrong and how long to wait."""

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from classifiers.machinery.chat.connections import Reply
from contract.machine.json_text import parsed_json

_LONGEST_EXCERPT = 200
# Of one request; a larger count is no count.
_MOST_TOKENS = 10_000_000


class Usage(NamedTuple):
    """What was paid for: requests that were answered, and tokens by the server's own count."""

    n_requests: int = 0
    n_tokens_in: int = 0
    n_tokens_out: int = 0

    def plus(self, other: "Usage") -> "Usage":
        """Return the sum."""
        return Usage(*(one + another for one, another in zip(self, other, strict=True)))


_NOTHING = Usage()


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What came of a request: the model's words, or why there are none."""

    words: str | None
    reason: str = ""
    usage: Usage = _NOTHING


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """A request that failed in a way that may pass."""

    reason: str
    status: int = 0
    wait_seconds: float | None = None


def completion_of(reply: Reply) -> Completion | Trouble:
    """Return the model's words; a reply that is no chat completion is trouble."""
    try:
        body = parsed_json(reply.body)
        choice = body["choices"][0]
        message = choice["message"]
        words = _joined(message.get("content"))
    except (ValueError, LookupError, TypeError, AttributeError):
        shown = excerpt(reply.body.decode(errors="replace"))
        return Trouble(reason=f"the reply is no chat completion: {shown!r}", status=reply.status)
    usage = _usage(body.get("usage"))
    if words:
        return Completion(words=words, usage=usage)
    if choice.get("finish_reason") == "length":
        reason = "the answer was cut off before its first word, at max_tokens"
        return Completion(words=None, reason=reason, usage=usage)
    refusal = message.get("refusal") or choice.get("finish_reason") or "no reason given"
    return Completion(words=None, reason=f"an empty answer ({excerpt(str(refusal))})", usage=usage)


def _usage(given: Any) -> Usage:
    """Return what a server says was used; a count that is none is nothing."""
    counts = given if isinstance(given, dict) else {}

    def count(name: str) -> int:
        value = counts.get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            return 0
        return value if 0 <= value <= _MOST_TOKENS else 0

    return Usage(1, count("prompt_tokens"), count("completion_tokens"))


def _joined(content: Any) -> str:
    """Return the text of a message, which some servers send in parts."""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    return (content or "").strip()


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What a server says about its refusal."""

    message: str
    code: str


def fault_of(reply: Reply) -> Fault:
    """Return the error of a reply in the shapes that servers use, or the beginning of its body."""
    text = reply.body.decode(errors="replace")
    try:
        found = parsed_json(text)
    except ValueError:
        return Fault(message=excerpt(text), code="")
    found = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(found, dict):
        return Fault(message=excerpt(str(found)), code="")
    message = found.get("message") or found.get("detail") or text
    return Fault(message=excerpt(str(message)), code=str(found.get("code") or found.get("type") or ""))


def excerpt(text: str) -> str:
    """Return the beginning of an untrusted text on one line, safe to show on a terminal."""
    line = re.sub(r"[^\S ]+|[\x00-\x1f\x7f-\x9f]", " ", text[: 4 * _LONGEST_EXCERPT])
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST_EXCERPT else f"{line[:_LONGEST_EXCERPT]}…"


def retry_after_seconds(reply: Reply, now: datetime | None = None) -> float | None:
    """Return how long a server asks to wait, given as seconds or a date; None if it does not say."""
    value = reply.headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
            seconds = (until - (now or datetime.now(UTC))).total_seconds() if until.tzinfo else math.nan
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)


def model_names(reply: Reply) -> list[str]:
    """Return the models that a server lists, or none if it does not."""
    try:
        return [str(model["id"]) for model in parsed_json(reply.body)["data"]]
    except (ValueError, LookupError, TypeError):
        return []
