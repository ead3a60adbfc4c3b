"""A chat endpoint on loopback that is slow and often fails: what the benchmark of load asks."""

import hashlib
import json
import random
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

# Of all requests, the share that gets no answer; each way of failing as often as the others.
SHARE_FAILING = 0.3
FAILURES = ("500", "503", "429", "drop", "half", "garbage")


class FailingEndpoint:
    """Answers most requests, each after a while, and counts what it gave to whom."""

    def __init__(self, labels: tuple[str, ...], *, slowest_seconds: float, seed: int = 0) -> None:
        self._labels = labels
        self._slowest_seconds = slowest_seconds
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._n_now = 0
        self.n_requests = self.most_at_once = 0
        self.failures: Counter[str] = Counter()
        # By prompt, how often a whole answer was sent.
        self.answered: Counter[str] = Counter()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def label_of(self, prompt: str) -> str:
        """Return the label that it answers: always the same to the same prompt."""
        return self._labels[hashlib.sha256(prompt.encode()).digest()[0] % len(self._labels)]

    def fate_of_next(self) -> tuple[str, float]:
        """Return how the next request ends, and after which time."""
        with self._lock:
            self.n_requests += 1
            self._n_now += 1
            self.most_at_once = max(self.most_at_once, self._n_now)
            seconds = self._random.uniform(self._slowest_seconds / 3, self._slowest_seconds)
            fails = self._random.random() < SHARE_FAILING
            return (self._random.choice(FAILURES) if fails else "answer"), seconds

    def note(self, fate: str, prompt: str) -> None:
        """Note that a request has ended."""
        with self._lock:
            self._n_now -= 1
            if fate == "answer":
                self.answered[prompt] += 1
            else:
                self.failures[fate] += 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""


def _handler_of(endpoint: FailingEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = str(body["messages"][-1]["content"])
            fate, seconds = endpoint.fate_of_next()
            time.sleep(seconds)
            answer = {
                "choices": [{"message": {"content": endpoint.label_of(prompt)}, "finish_reason": "stop"}]
            }
            whole = json.dumps(answer).encode()
            if fate == "drop":
                self.close_connection = True
                self.connection.close()
            elif fate in {"500", "503", "429"}:
                self._send(int(fate), b'{"error": {"message": "not now"}}')
            else:
                self._send(200, {"half": whole[: len(whole) // 2], "garbage": b"<html>"}.get(fate, whole))
            endpoint.note(fate, prompt)

        def _send(self, status: int, data: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    return Handler
