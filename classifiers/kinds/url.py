"""A server of one's own that takes texts as JSON and answers with labels or probabilities.

The protocol: POST of {"texts": ["…", …]}, for pairs also {"text_pairs": ["…", …]}. The reply is a list, or
{"predictions": list}, with one item a text: a label, or an object of probabilities by label.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from classifiers.machinery.answers import AnswerReader
from classifiers.machinery.chat.address import parse_address
from classifiers.machinery.chat.connections import Reply
from classifiers.machinery.chat.endpoint import OWN_KEY, Endpoint, find_key
from classifiers.machinery.chat.replies import Completion, Trouble, excerpt
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
from classifiers.machinery.label_names import AssumedLabels
from contract.machine.errors import ExitCode, UserError
from contract.machine.json_text import parsed_json

if TYPE_CHECKING:
    import anyio

_BATCH = 32
_CHAT_OPTIONS = {"base_url": "--base-url", "prompt_paths": "--prompt", "body": "--request"}


class _Answered(NamedTuple):
    """Texts by their places, and the rows that the server gave them."""

    places: Sequence[int]
    rows: Probabilities


@dataclass(frozen=True, kw_only=True)
class UrlClassifier:
    """Asks a server about batches of texts; an answer that is none ends the run."""

    endpoint: Endpoint
    reader: AnswerReader
    concurrency: int
    batch_size: int
    n_labels: int

    @property
    def assumed_labels(self) -> AssumedLabels | None:
        """The labels, if the server numbers them."""
        return self.reader.assumed_labels

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text."""
        result = np.zeros((len(texts), self.n_labels))

        def keep(places: Sequence[int], rows: Probabilities) -> None:
            result[list(places)] = rows

        self.answer(texts, keep)
        return result

    def answer(self, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
        """Ask about every text and hand over each batch as it comes."""
        if not texts:
            return ()
        starts = range(0, len(texts), self.batch_size)

        async def ask_all(stop: "anyio.Event") -> None:
            async with replace(self.endpoint, path="").connections() as connections:
                session = Session(self.endpoint, connections, stop, read=_whole_json)

                async def ask(start: int) -> _Answered:
                    some = texts[start : start + self.batch_size]
                    completion = await session.send(_body(some))
                    return _Answered(range(start, start + len(some)), self._rows(completion, len(some)))

                def handle(answered: _Answered) -> None:
                    keep(answered.places, answered.rows)

                # The first alone: what is wrong with the server or the protocol is told once.
                handle(await ask(0))
                await work_through(starts[1:], ask, handle, n_at_once=self.concurrency, stop=stop)

        run_interruptibly(ask_all)
        return ()

    def _rows(self, completion: Completion, n_texts: int) -> Probabilities:
        if completion.words is None:
            raise self.endpoint.error(f"{completion.reason}; it must answer every text")
        value = parsed_json(completion.words)
        answers = value.get("predictions") if isinstance(value, dict) else value
        if not isinstance(answers, list) or len(answers) != n_texts:
            shown = excerpt(self.endpoint.without_key(completion.words))
            raise self.endpoint.error(
                f"replied {shown!r} to {n_texts} texts; expected is a list, or an object with a list as"
                " `predictions`, of as many labels or objects of probabilities by label"
            )
        return self.reader.rows(answers)


def _whole_json(reply: Reply) -> Completion | Trouble:
    """Return the reply as it is if it is JSON; what is not, such as a page of a proxy, may pass."""
    try:
        text = reply.body.decode("utf-8")
        parsed_json(text)
    except ValueError:
        shown = excerpt(reply.body.decode(errors="replace"))
        return Trouble(reason=f"the reply is no JSON: {shown!r}", status=reply.status)
    return Completion(words=text)


def _body(texts: Sequence[TextPair]) -> bytes:
    body: dict[str, Any] = {"texts": [text for text, _ in texts]}
    if texts[0][1] is not None:
        body["text_pairs"] = [pair for _, pair in texts]
    return json.dumps(body).encode()


def load(request: LoadRequest) -> Classifier:
    """Return the server; nothing is asked yet."""
    options = request.endpoint
    endpoint = _endpoint(request)
    return UrlClassifier(
        endpoint=endpoint,
        reader=AnswerReader(endpoint.name, request),
        concurrency=options.concurrency,
        batch_size=request.options.batch_size or _BATCH,
        n_labels=len(request.task.labels),
    )


def identity(request: LoadRequest) -> str:
    """Return where the server is."""
    return _endpoint(request).name


def _endpoint(request: LoadRequest) -> Endpoint:
    for name, option in _CHAT_OPTIONS.items():
        if getattr(request.endpoint, name):
            raise UserError(
                f"{option} is for api:MODEL; a plain URL is sent texts alone", exit_code=ExitCode.WRONG_USE
            )
    address = parse_address(request.argument, "url")
    return Endpoint(
        address=replace(address, path=""),
        # A key that was set for another service is not for whoever stands behind a URL.
        key=find_key(address, [OWN_KEY]),
        model=None,
        body={},
        timeout_seconds=request.endpoint.timeout_seconds,
        # To the letter: to many servers a slash at the end is another path.
        path=urlsplit(request.argument.strip()).path or "/",
    )


URL = ClassifierKind(
    name="url",
    summary="your server: texts in as JSON, labels or probabilities out",
    argument="http://…",
    load=load,
    is_remote=True,
    identity=identity,
    takes=frozenset({"--batch-size", "--labels"}),
)
