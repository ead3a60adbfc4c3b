"""Any model behind an OpenAI-compatible endpoint, asked for a label in words."""

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from classifiers.machinery.chat.address import Address, parse_address
from classifiers.machinery.chat.endpoint import Endpoint, find_key
from classifiers.machinery.chat.labels import label_in
from classifiers.machinery.chat.prompts import check_tasks, fill, template_for
from classifiers.machinery.chat.replies import Usage, excerpt
from classifiers.machinery.chat.running import run_interruptibly, work_through
from classifiers.machinery.chat.session import Session
from classifiers.machinery.classifier import (
    Classifier,
    ClassifierKind,
    Keep,
    LoadRequest,
    Probabilities,
    TextPair,
)
from contract.machine.errors import ExitCode, UserError

if TYPE_CHECKING:
    import anyio

DEFAULT_URL = "https://api.openai.com/v1"
# Enough for any label, little enough to stop a model that rambles.
_DEFAULT_BODY = {"temperature": 0, "max_tokens": 64}
# So many texts without one label say that the prompt or the request is wrong, before they are all paid for.
_TRIALS = 10
_SHOWN_REASONS = 3


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """The label that the model gave to a text, or why it gave none."""

    index: int
    label: int | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class ChatClassifier:
    """Asks a chat model about each text: probability 1 for the label it names, NaN if it names none."""

    endpoint: Endpoint
    template: str
    labels: tuple[str, ...]
    concurrency: int
    is_tried: bool
    used: list[Usage] = field(default_factory=list)

    @property
    def usage(self) -> Usage:
        """What was paid for so far."""
        return reduce(Usage.plus, self.used, Usage())

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text; NaN where the model named no label."""
        result = np.full((len(texts), len(self.labels)), np.nan)

        def keep(places: Sequence[int], rows: Probabilities) -> None:
            result[list(places)] = rows

        self.answer(texts, keep)
        return result

    def answer(self, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
        """Ask about every text once and hand over each answer as it comes."""
        reasons: list[str] = []

        def handle(answer: _Answer) -> None:
            row = np.full((1, len(self.labels)), np.nan if answer.label is None else 0.0)
            if answer.label is not None:
                row[0, answer.label] = 1.0
            elif len(reasons) < _SHOWN_REASONS and answer.reason not in reasons:
                reasons.append(answer.reason)
            keep([answer.index], row)

        async def ask_all(stop: "anyio.Event") -> None:
            async with self.endpoint.connections() as connections:
                session = Session(self.endpoint, connections, stop)

                async def ask(index: int) -> _Answer:
                    return await self._ask(session, index, texts[index])

                n_tried = 0 if self.is_tried else await self._try(len(texts), ask, handle)
                rest = range(n_tried, len(texts))
                await work_through(rest, ask, handle, n_at_once=self.concurrency, stop=stop)

        run_interruptibly(ask_all)
        return reasons

    async def _ask(self, session: Session, index: int, text: TextPair) -> _Answer:
        completion = await session.complete(fill(self.template, text, self.labels))
        self.used.append(completion.usage)
        if completion.words is None:
            return _Answer(index=index, label=None, reason=completion.reason)
        label = label_in(completion.words, self.labels)
        shown = excerpt(self.endpoint.without_key(completion.words))
        return _Answer(index=index, label=label, reason=f"answered {shown!r}")

    async def _try(
        self, n_texts: int, ask: Callable[[int], Awaitable[_Answer]], handle: Callable[[_Answer], None]
    ) -> int:
        """Ask one text after the other until a label is named, and return how many were asked."""
        answers: list[_Answer] = []
        for index in range(min(_TRIALS, n_texts)):
            answers.append(await ask(index))
            if answers[-1].label is not None:
                break
        else:
            if len(answers) == _TRIALS:
                raise self.endpoint.error(
                    f"no label in the first {_TRIALS} answers; to the first text: {answers[0].reason}."
                    " Change the prompt (--prompt) or what is sent with it (--request),"
                    f" so that answers are one of {', '.join(self.labels)}"
                )
        for answer in answers:
            handle(answer)
        return len(answers)


def load(request: LoadRequest) -> Classifier:
    """Return the model behind the endpoint; nothing is asked yet."""
    options = request.endpoint
    address = _address(request)
    endpoint = Endpoint(
        address=address,
        key=find_key(address),
        model=request.argument,
        body=_body(request),
        timeout_seconds=options.timeout_seconds,
    )
    return ChatClassifier(
        endpoint=endpoint,
        template=_template(request),
        labels=request.task.labels,
        concurrency=options.concurrency,
        is_tried=request.is_resumed,
    )


def prompt_for(request: LoadRequest, text: TextPair) -> str:
    """Return the prompt that asks about a text."""
    return fill(_template(request), text, request.task.labels)


def most_tokens_out(request: LoadRequest) -> int | None:
    """Return how many tokens an answer may have at most, where the request says it."""
    body = _body(request)
    limits = [body.get(name) for name in ("max_tokens", "max_completion_tokens")]
    return next((limit for limit in limits if isinstance(limit, int)), None)


def identity(request: LoadRequest) -> dict[str, Any]:
    """Return what decides the answers: where, with which prompt and with which request."""
    return {"url": str(_address(request)), "prompt": _template(request), "body": _body(request)}


def _address(request: LoadRequest) -> Address:
    url = request.endpoint.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL
    return parse_address(url.strip().rstrip("/").removesuffix("/chat/completions"))


def _template(request: LoadRequest) -> str:
    paths = request.endpoint.prompt_paths
    # Only names of tasks must be those of a release.
    if any(paths):
        check_tasks(paths, request.needed_release.manifest.tasks)
    return template_for(request.task, paths)


def _body(request: LoadRequest) -> dict[str, Any]:
    """Return what every request carries: our defaults and the user's values, which null takes out."""
    given = request.endpoint.body
    for name in ("messages", "model", "stream"):
        if name in given:
            raise UserError(
                f"--request: {name} is set by hardfrost; leave it out", exit_code=ExitCode.WRONG_USE
            )
    return {name: value for name, value in {**_DEFAULT_BODY, **given}.items() if value is not None}


API = ClassifierKind(
    name="api",
    summary="a chat model behind an OpenAI-compatible endpoint (--base-url), asked for a label in words",
    argument="MODEL",
    load=load,
    is_remote=True,
    identity=identity,
)
