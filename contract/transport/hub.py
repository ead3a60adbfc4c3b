"""The client of the Hub: passing faults are waited out, lasting ones become errors with advice.

The client's own retries cover only transfers of large files and only some faults.
"""

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.transport.addresses import without_secrets

if TYPE_CHECKING:
    from huggingface_hub import HfApi

Answer = TypeVar("Answer")

N_TRIES = 4
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 120.0
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
LOGIN = "log in with `hf auth login`, or set HF_TOKEN to a token of yours"

_REPO = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
# Tokens are never repeated, not even those that were typed in the wrong place.
_TOKEN = re.compile(r"\b(hf|api_org)_\w{6,}")


class StaleParentError(UserError):
    """The repository got another commit since it was read."""


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why a request failed."""

    status: int | None
    code: str | None
    retry_after_seconds: float | None
    words: str

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed in a while."""
        return self.status is None or self.status in PASSING


def check_repo_id(repo_id: str) -> str:
    """Return the id if it is ORG/NAME."""
    if not _REPO.fullmatch(repo_id):
        raise bad_input(f"{scrubbed(repo_id)!r} is no repository of the Hub; write it as ORG/NAME")
    return repo_id


def scrubbed(text: str) -> str:
    """Return a text without anything that looks like a token, nor the token in use, nor queries of URLs."""
    try:
        from huggingface_hub import get_token

        token = get_token()
    except ImportError:
        token = None
    if token:
        text = text.replace(token, "[token]")
    return _TOKEN.sub("[token]", without_secrets(text))


def has_token() -> bool:
    """Tell whether the environment or the login holds a token."""
    from huggingface_hub import get_token

    return bool(get_token())


def connect() -> "HfApi":
    """Return the client without its own progress bars and warnings."""
    try:
        import huggingface_hub
        from huggingface_hub.utils.tqdm import disable_progress_bars
    except ImportError:
        raise UserError(
            "the Hub needs the package huggingface_hub; install it with `pip install hardfrost[hub]`"
        ) from None
    disable_progress_bars()
    # Its warnings repeat whole URLs, which may be signed.
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    return huggingface_hub.HfApi(library_name="hardfrost")


def patiently(what: str, action: Callable[[], Answer], *, go_on: str = "") -> Answer:
    """Return the answer of a request; passing faults are waited out, lasting ones end in a UserError."""
    wait = FIRST_WAIT_SECONDS
    for left in reversed(range(N_TRIES)):
        try:
            return action()
        except UserError:
            raise
        except network_errors() as error:
            trouble = trouble_of(error)
            if not trouble.is_passing or not left:
                raise _in_words(what, trouble, go_on) from None
            time.sleep(min(trouble.retry_after_seconds or wait, LONGEST_WAIT_SECONDS))
            wait *= 2
    raise AssertionError("the last try returns or raises")


def network_errors() -> tuple[type[BaseException], ...]:
    """Return the exceptions by which the client says that a request failed, whatever it is built on."""
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, HFValidationError

    # Its HTTP library was requests, then httpx; the most general error is the last before Python's own.
    root = [kind for kind in HfHubHTTPError.__mro__ if kind.__module__ != "builtins"][-1]
    # A reply that is not the JSON which the client expects is a ValueError, a KeyError or a TypeError.
    replies = (ValueError, LookupError, TypeError)
    return (root, HfHubHTTPError, EntryNotFoundError, HFValidationError, OSError, *replies)


def trouble_of(error: BaseException) -> Trouble:
    """Return what an exception of the client says."""
    response: Any = _attribute(error, "response")
    if response is None and error.__cause__ is not None:
        # A missing file in the cache is raised from the reason why it could not be fetched.
        response = _attribute(error.__cause__, "response")
    headers = {} if response is None else response.headers
    after = str(headers.get("Retry-After", ""))
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return Trouble(
        status=_status(error, response),
        code=headers.get("X-Error-Code"),
        retry_after_seconds=float(after) if after.isdigit() else None,
        words=scrubbed(lines[0] if lines else type(error).__name__),
    )


def _attribute(error: BaseException, name: str) -> Any:
    try:
        return getattr(error, name, None)
    except RuntimeError:
        # httpx refuses to show a request or response that was never made.
        return None


def _status(error: BaseException, response: Any) -> int | None:
    if response is not None:
        return int(response.status_code)
    # Refused before anything was sent: asking again would not help.
    return 400 if isinstance(error, ValueError) and not isinstance(error, OSError) else None


def _in_words(what: str, trouble: Trouble, go_on: str) -> UserError:
    """Return the error that says what to do about a request that failed for good."""
    if trouble.status == 412:
        return StaleParentError(
            f"{what}: the repository was changed meanwhile; nothing was published."
            " Look at what changed, then run the command again",
            exit_code=ExitCode.NETWORK,
        )
    if trouble.code == "GatedRepo":
        advice = f"access must be asked for on its page; then {LOGIN}"
    elif trouble.status == 401:
        advice = f"it does not exist, or you may not see it: check the name, or {LOGIN}"
        if has_token():
            advice = "the token is not accepted, or the repository does not exist; check both"
    elif trouble.status == 403:
        advice = "the token does not allow this; make one that may write to this repository"
    elif trouble.status == 404:
        advice = "there is no such thing on the Hub, or it is private; check the name and the version"
    elif trouble.status == 429:
        advice = "the Hub gets too many requests; try again in some minutes"
    else:
        advice = "check the network and try again"
    status = "no connection" if trouble.status is None else f"status {trouble.status}"
    message = f"{what}: {status}: {trouble.words}; {advice}{f'. {go_on}' if go_on else ''}"
    return UserError(message, exit_code=ExitCode.NETWORK)
