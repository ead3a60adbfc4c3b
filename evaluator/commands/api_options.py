"""The options of `predict` that belong to api:MODEL."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_text import parsed_json

if TYPE_CHECKING:
    from classifiers.machinery.classifier import EndpointOptions

# Defaults stand in EndpointOptions: an option that was not given must not look as if it were.
_OPTIONS = (
    click.option(
        "--base-url",
        metavar="URL",
        show_default="$OPENAI_BASE_URL or https://api.openai.com/v1",
        help="api: where the endpoint is.",
    ),
    click.option(
        "--prompt",
        "prompts",
        metavar="[TASK=]FILE",
        multiple=True,
        help="api: a prompt with {text}, {text_pair} and {labels}, for all tasks or for one.",
    ),
    click.option(
        "--request",
        metavar="JSON",
        help="api: an object that goes into every request; null takes a key out.",
    ),
    click.option(
        "--concurrency", type=click.IntRange(1, 256), show_default="8", help="api: most requests at a time."
    ),
    click.option(
        "--timeout",
        "timeout_seconds",
        type=click.FloatRange(0, 3_600, min_open=True),
        metavar="SECONDS",
        show_default="60",
        help="api: how long to wait for an answer.",
    ),
)


def api_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options; it gets them as keywords for `endpoint_of`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def endpoint_of(
    *, prompts: Sequence[str], request: str | None, **others: str | float | None
) -> "EndpointOptions | None":
    """Return what the options say, or nothing if none was given."""
    from classifiers.machinery.classifier import EndpointOptions

    given: dict[str, Any] = {name: value for name, value in others.items() if value is not None}
    if prompts:
        given["prompt_paths"] = _prompt_paths(prompts)
    if request is not None:
        given["body"] = _request_body(request)
    return EndpointOptions(**given) if given else None


def _prompt_paths(prompts: Sequence[str]) -> dict[str, Path]:
    """Return the prompt files by task; one for all tasks stands under the empty name."""
    paths: dict[str, Path] = {}
    for prompt in prompts:
        task, equals, path = prompt.partition("=")
        if not equals or Path(prompt).is_file():
            task, path = "", prompt
        if task in paths:
            raise _wrong_use(f"--prompt: two files for {task or 'all tasks'}; give one")
        paths[task] = Path(path)
    return paths


def _request_body(text: str) -> dict[str, Any]:
    try:
        body = parsed_json(text)
    except ValueError as error:
        raise _wrong_use(f'--request: not JSON ({error}); write it like {{"max_tokens": 500}}') from None
    if not isinstance(body, dict):
        raise _wrong_use('--request: not a JSON object; write it like {"max_tokens": 500}')
    return body


def _wrong_use(message: str) -> UserError:
    return UserError(message, exit_code=ExitCode.WRONG_USE)
