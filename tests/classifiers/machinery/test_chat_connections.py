"""Connections: addresses, proxies, keys, and replies that are too much or too slow."""

import contextlib
import socket
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import anyio
import httpx
import pytest
from chat_server import ChatServer

from classifiers.machinery.chat import connections as connections_module
from classifiers.machinery.chat.address import parse_address
from classifiers.machinery.chat.connections import Connections, Reply
from classifiers.machinery.chat.endpoint import find_key
from classifiers.machinery.chat.replies import Completion, completion_of, excerpt, retry_after_seconds
from classifiers.machinery.classifier import EndpointOptions
from contract.machine.errors import UserError
from evaluator.predicting.predicting import predict


def ask(url: str, method: str, path: str, body: bytes | None = None, *, timeout_seconds: float = 5) -> Reply:
    """Send one request."""

    async def request() -> Reply:
        async with Connections(parse_address(url), {}, timeout_seconds) as connections:
            return await connections.request(method, path, body)

    return anyio.run(request)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        ("https://api.openai.com/v1/", "https://api.openai.com:443/v1"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_addresses_are_read(url: str, shown: str) -> None:
    """With their ports."""
    assert str(parse_address(url)) == shown


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://x", "http://", "http://x:99999", "http://u:pw@x", "http://x?key=pw"]
)
def test_what_is_no_address_is_refused_without_repeating_it(url: str) -> None:
    """It may hold a password."""
    with pytest.raises(UserError, match="--base-url") as caught:
        parse_address(url)
    assert caught.value.exit_code == 2
    assert "pw" not in caught.value.message


def test_the_general_key_is_not_sent_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over https or to this machine only; a key set for this endpoint goes where it is told."""
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    sources = {}
    for url in ("https://x/v1", "http://localhost/v1", "http://127.0.0.2/v1", "http://x/v1"):
        key = find_key(parse_address(url))
        sources[url] = key and key.variable
    assert sources == {
        "https://x/v1": "OPENAI_API_KEY",
        "http://localhost/v1": "OPENAI_API_KEY",
        "http://127.0.0.2/v1": "OPENAI_API_KEY",
        "http://x/v1": None,
    }
    monkeypatch.setenv("HARDFROST_API_KEY", " own\n")
    key = find_key(parse_address("http://x/v1"))
    assert key is not None
    assert key.value == "own"
    assert "own" not in repr(key)


def test_a_key_that_is_none_is_refused_without_showing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line feed would otherwise end up in a traceback, with the key."""
    for value in ("sk-1\nX: y", "schlüssel"):
        monkeypatch.setenv("HARDFROST_API_KEY", value)
        with pytest.raises(UserError, match="HARDFROST_API_KEY holds characters that no key has") as caught:
            find_key(parse_address("http://x/v1"))
        assert value not in caught.value.message


def test_a_proxy_is_used_where_the_environment_names_one(
    server: ChatServer, release_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For http it gets the whole address, for https it is asked for a tunnel and never sees the key."""
    proxy = server.url.removesuffix("/v1")
    monkeypatch.setenv("http_proxy", proxy.replace("//", "//me:pass@"))
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.setenv("HARDFROST_API_KEY", "k")
    predict(
        release_path,
        "api:m",
        tmp_path / "p.jsonl",
        endpoint=EndpointOptions(base_url="http://somewhere.invalid/v1"),
    )
    assert set(server.paths) == {"http://somewhere.invalid/v1/chat/completions"}
    server.authorizations.clear()
    with pytest.raises(httpx.ProxyError, match="403"):
        ask("https://somewhere.invalid/v1", "POST", "/x", b"{}")
    assert server.paths[-1] == "somewhere.invalid:443"
    assert server.authorizations == set()
    monkeypatch.setenv("no_proxy", "somewhere.invalid")
    with pytest.raises(httpx.ConnectError):
        ask("http://somewhere.invalid/v1", "GET", "/x")


def test_a_proxy_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In words, and without the password that its URL may hold."""
    monkeypatch.setenv("http_proxy", "socks5://me:pass@somewhere.invalid:1080")
    with pytest.raises(UserError, match="a proxy of the kind socks5") as caught:
        Connections(parse_address("http://elsewhere.invalid/v1"), {}, 5)
    assert "pass" not in caught.value.message


def test_a_connection_that_was_closed_while_idle_is_opened_again(server: ChatServer) -> None:
    """That is no failure of the request."""
    body = b'{"messages": [{"content": "text 1"}]}'

    async def ask_twice() -> list[int]:
        async with Connections(parse_address(server.url), {}, 5) as connections:
            first = await connections.request("POST", "/chat/completions", body)
            server.faults.append("cut")
            second = await connections.request("POST", "/chat/completions", body)
            return [first.status, second.status]

    assert anyio.run(ask_twice) == [200, 200]
    assert server.n_connections == 2


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"y"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b""),
    ],
    ids=["body", "headers", "one header", "continue", "nothing"],
)
def test_a_reply_that_drips_ends_with_the_time(first: bytes, rest: bytes) -> None:
    """Each byte in time is not the answer in time, wherever in the reply it stands."""
    stop = threading.Event()

    def drip(listener: socket.socket) -> None:
        peer, _ = listener.accept()
        with peer, contextlib.suppress(OSError):
            peer.recv(65_536)
            peer.sendall(first)
            while not stop.wait(0.05):
                peer.sendall(rest)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,))
        thread.start()
        start = time.monotonic()
        with pytest.raises(TimeoutError):
            ask(f"http://127.0.0.1:{listener.getsockname()[1]}", "GET", "/", timeout_seconds=0.5)
        assert 0.4 < time.monotonic() - start < 5
        stop.set()
        thread.join()


def test_a_reply_that_is_too_large_is_not_read(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded whatever a server sends."""
    monkeypatch.setattr(connections_module, "_MOST_BYTES", 10)
    with pytest.raises(OSError, match="more than 10 bytes"):
        ask(server.url, "GET", "/models")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-1", 0.0),
        ("Wed, 21 Oct 2026 07:28:10 GMT", 10.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", float("inf")),
        ("Mon, 99999999999999999999 Nov 2026 00:00:00 GMT", None),
        ("Mon, 01 Nov 99999999999 00:00:00 GMT", None),
        ("Mon, 01 Nov 2026 00:00:00 +99999999999999", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(value: str, seconds: float | None) -> None:
    """And what is neither is not obeyed."""
    now = datetime(2026, 10, 21, 7, 28, 0, tzinfo=UTC)
    reply = Reply(status=429, headers={"retry-after": value}, body=b"")
    assert retry_after_seconds(reply, now) == seconds


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ('{"message": {"content": " yes "}}', Completion(words="yes")),
        (
            '{"message": {"content": [{"type": "text", "text": "ye"}, {"text": "s"}]}}',
            Completion(words="yes"),
        ),
        (
            '{"message": {"content": ""}, "finish_reason": "length"}',
            Completion(words=None, reason="the answer was cut off before its first word, at max_tokens"),
        ),
        (
            '{"message": {"content": null, "refusal": "I will not"}}',
            Completion(words=None, reason="an empty answer (I will not)"),
        ),
        (
            '{"message": {}, "finish_reason": "content_filter"}',
            Completion(words=None, reason="an empty answer (content_filter)"),
        ),
    ],
)
def test_completions_of_many_servers_are_read(choice: str, expected: Completion) -> None:
    """Texts, parts, refusals and answers that were cut off."""
    reply = Reply(status=200, headers={}, body=f'{{"choices": [{choice}]}}'.encode())
    found = completion_of(reply)
    assert isinstance(found, Completion)
    assert (found.words, found.reason, found.usage.n_requests) == (expected.words, expected.reason, 1)


def test_what_strangers_say_is_shown_on_one_line_without_control_characters() -> None:
    """A terminal must not obey a server."""
    assert excerpt("a\x1b[2J\r\n\tb\u2028c" + "x" * 500) == "a [2J b c" + "x" * 191 + "…"
