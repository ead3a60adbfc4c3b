"""A server of one's own is asked in batches; passing trouble is waited for, everything else is explained."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from one_task import a_request, a_task
from text_server import TextServer

from classifiers.kinds.url import URL
from classifiers.machinery.classifier import EndpointOptions, ModelOptions
from contract.machine.errors import ExitCode, UserError
from evaluator.predicting.predicting import predict

TEXTS = [(f"text {number}", None) for number in range(5)]


@pytest.fixture
def texts() -> Iterator[TextServer]:
    """Yield a server that answers rightly until told otherwise."""
    with TextServer() as running:
        yield running


def ask(server: TextServer, url: str | None = None, **others: Any) -> list[int]:
    """Return the labels that the server gives."""
    return URL.load(a_request(url or server.url, **others)).probabilities(TEXTS).argmax(axis=1).tolist()


def test_a_release_is_predicted_by_a_url_alone(texts: TextServer, release_path: Path, tmp_path: Path) -> None:
    """Every distinct text once, in batches, at the path that was given."""
    options = ModelOptions(batch_size=20)
    predicted = predict(release_path, texts.url, tmp_path / "p.jsonl", options=options)
    assert predicted.n_rows == 54
    assert not predicted.unlabelled
    assert sum(len(body["texts"]) for body in texts.bodies) == 54
    assert max(len(body["texts"]) for body in texts.bodies) == 20
    assert set(texts.paths) == {"/predict"}


@pytest.mark.parametrize(
    "reply",
    [
        ["negative", "positive"] * 2 + ["negative"],
        {"predictions": ["NEGATIVE", "Positive"] * 2 + ["negative"]},
        [{"negative": 0.75, "positive": 0.25}, {"positive": 0.75, "negative": 0.25}] * 2 + [{"negative": 1}],
        [0, 1, 0, 1, 0],
        [{"LABEL_0": 0.9, "LABEL_1": 0.1}, {"LABEL_1": 0.9, "LABEL_0": 0.1}] * 2 + ["LABEL_0"],
    ],
)
def test_labels_and_probabilities_are_read(texts: TextServer, reply: Any) -> None:
    """As the protocol has them, and by number, which is said."""
    texts.reply = lambda _body: reply
    assert ask(texts) == [0, 1, 0, 1, 0]


def test_pairs_go_beside_each_other(texts: TextServer) -> None:
    """Both texts of a pair, in their order."""
    texts.reply = lambda body: ["positive"] * len(body["texts"])
    classifier = URL.load(a_request(texts.url, a_task(fields=("one", "two"))))
    classifier.probabilities([("a", "b"), ("c", "d")])
    assert texts.bodies == [{"texts": ["a", "c"], "text_pairs": ["b", "d"]}]
    assert np.array_equal(classifier.probabilities([]), np.zeros((0, 2)))


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (["negative"], "to 5 texts; expected is a list"),
        ({"labels": []}, "expected is a list"),
        (None, "expected is a list"),
        (["odd"] * 5, "returned 'odd'"),
        ([{"negative": 0.5}] * 5, "probabilities that sum to 1"),
        ([{"negative": 1e400, "positive": -1e400}] * 5, "returned"),
        ([["positive", 1]] * 5, "returned"),
        (b"<html>a page</html>", "no JSON: '<html>a page</html>', 8 times in a row"),
        (b"[" * 100_000, "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b'"' + b"x" * 5_000_000 + b'"', "more than 4,000,000 bytes"),
    ],
)
def test_replies_that_are_none_are_refused(texts: TextServer, quick: None, reply: Any, message: str) -> None:
    """However large, deep or odd they are."""
    texts.reply = lambda _body: reply
    with pytest.raises(UserError, match=message):
        ask(texts)


def test_passing_trouble_is_waited_for(texts: TextServer, quick: None) -> None:
    """As for chat models."""
    texts.statuses = [503, 429, 500]
    assert ask(texts) == [0, 1, 0, 1, 0]
    assert len(texts.bodies) == 4


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (404, "HTTP 404 .told to fail.; correct the URL"),
        (401, "set HARDFROST_API_KEY"),
        (400, "HTTP 400 .told to fail.; it must answer every text"),
        (307, "points to http://elsewhere.test/; give that as the URL"),
    ],
)
def test_lasting_trouble_is_explained(texts: TextServer, status: int, message: str) -> None:
    """At once, and with the exit code of the network."""
    texts.statuses = [status]
    with pytest.raises(UserError, match=message) as caught:
        ask(texts)
    assert caught.value.exit_code == ExitCode.NETWORK
    assert len(texts.bodies) == 1


def test_a_reply_has_one_deadline(texts: TextServer, quick: None) -> None:
    """Eight tries of a moment each."""
    texts.delay_seconds = 1.0
    with pytest.raises(UserError, match=r"no answer in time \(--timeout\), 8 times in a row"):
        ask(texts, endpoint=EndpointOptions(timeout_seconds=0.05))


def test_only_a_key_for_this_server_is_sent(texts: TextServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of another service is not for whoever stands behind a URL."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-general-secret")
    ask(texts)
    monkeypatch.setenv("HARDFROST_API_KEY", "a-key-of-this-server")
    ask(texts)
    assert texts.authorizations == {None, "Bearer a-key-of-this-server"}


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://user:pass@127.0.0.1/x", "a user, a query or a fragment"),
        ("http://127.0.0.1/x?key=1", "a user, a query or a fragment"),
        ("http://127.0.0.1:99999/x", "not a URL"),
        ("http://", "not an http or https URL"),
        ("http://127.0.0.1:1/x", "start the server or correct the URL"),
    ],
)
def test_a_url_that_cannot_be_used_is_explained(texts: TextServer, url: str, message: str) -> None:
    """Without repeating what may be a password."""
    with pytest.raises(UserError, match=message) as caught:
        ask(texts, url)
    assert "pass@" not in caught.value.message


def test_options_of_chat_models_are_refused(texts: TextServer) -> None:
    """A plain server has no prompt."""
    with pytest.raises(UserError, match="--request is for api:MODEL"):
        ask(texts, endpoint=EndpointOptions(body={"temperature": 1}))
