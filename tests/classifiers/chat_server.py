"""A small OpenAI-compatible server on loopback that can be told to fail."""

import json
import re
import socket
import threading
import time
from collections import Counter, deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable

# What a fault does: a status with a body, or something that no status can say.
STATUSES = {
    "400": (400, {"error": {"message": "the text is against our rules", "code": "content_filter"}}),
    "401": (401, {"error": {"message": "wrong key", "code": "invalid_api_key"}}),
    "404": (404, {"error": {"message": "no such model", "code": "model_not_found"}}),
    "429": (429, {"error": {"message": "slower, please", "code": "rate_limit_exceeded"}}),
    "500": (500, {"error": {"message": "something broke"}}),
    "503": (503, "overloaded"),
    "no-credit": (429, {"error": {"message": "pay first", "code": "insufficient_quota"}}),
    "redirect": (308, ""),
    "garbage": (200, "<html>a page of some proxy</html>"),
    "half": (200, '{"choices": [{"message": {"content": "posi'),
    "other-json": (200, {"choices": []}),
}


def right_label(prompt: str) -> str:
    """Return the true label of the text that a prompt about the small release asks about."""
    found = re.search(r"text (\d+)", prompt)
    return ["negative", "positive"][int(found.group(1)) % 2] if found else "no idea"


class ChatServer:
    """Answers chat completions on many threads and remembers what it was asked."""

    def __init__(self) -> None:
        self.answer: Callable[[str], str] = right_label
        # Each request takes the next fault, if there is one ("ok" is none), or the one its prompt deserves.
        self.faults: deque[str] = deque()
        self.fault_of: Callable[[str], str] = lambda _prompt: "ok"
        # Whoever asks sooner than this after another was let in gets 429.
        self.gap_seconds = 0.0
        self._let_in = 0.0
        self.retry_after: str | None = None
        self.echoed = ""
        self.delay_seconds = 0.0
        self.slow_seconds = 2.0
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.authorizations: set[str | None] = set()
        self.n_connections = self.most_at_once = self._n_at_once = 0
        self.times: list[float] = []
        self.lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.chat = self
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def n_asked(self) -> int:
        """How many completions were asked for, answered or not."""
        return sum(self.asked.values())

    def begin(self, body: dict[str, Any]) -> str:
        """Note a request and return the fault that strikes it."""
        with self.lock:
            self.bodies.append(body)
            prompt = body["messages"][0]["content"]
            self.asked[prompt] += 1
            now = time.monotonic()
            self.times.append(now)
            self._n_at_once += 1
            self.most_at_once = max(self.most_at_once, self._n_at_once)
            if self.faults:
                return self.faults.popleft()
            if now < self._let_in + self.gap_seconds:
                return "429"
            self._let_in = now
            return self.fault_of(prompt)

    def end(self, prompt: str | None) -> None:
        """Note that a request is over but for sending the reply, and which prompt is answered by it."""
        with self.lock:
            self._n_at_once -= 1
            if prompt is not None:
                self.answered[prompt] += 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    chat: ChatServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients of tests hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        with self.server.chat.lock:
            self.server.chat.n_connections += 1

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """List the models."""
        self._send(200, {"data": [{"id": "small-model"}, {"id": "large-model"}]})

    def do_CONNECT(self) -> None:
        """Refuse to be a tunnel, but remember to where."""
        self.server.chat.paths.append(self.path)
        self._send(403, "no tunnels")

    def do_POST(self) -> None:
        """Answer a chat completion, or fail as told."""
        chat = self.server.chat
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chat.paths.append(self.path)
        chat.authorizations.add(self.headers["Authorization"])
        fault = chat.begin(body)
        prompt = body["messages"][0]["content"]
        time.sleep(chat.delay_seconds)
        if fault == "slow":
            time.sleep(chat.slow_seconds)
        # Noted before it is sent: who gets the last answer looks at the count at once.
        chat.end(prompt if fault == "ok" else None)
        self._reply(fault, prompt)

    def _reply(self, fault: str, prompt: str) -> None:
        chat = self.server.chat
        if fault in STATUSES:
            status, body = STATUSES[fault]
            self._send(status, f"{chat.echoed} {body}" if chat.echoed else body)
        elif fault == "cut":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            message = {"role": "assistant", "content": chat.answer(prompt)}
            choice = {"message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 40, "completion_tokens": 2}
            self._send(200, {"choices": [choice], "usage": usage}, is_cut=fault == "cut-body")

    def _send(self, status: int, body: Any, *, is_cut: bool = False) -> None:
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        if status == 308:
            self.send_header("Location", "http://elsewhere.test/v1/chat/completions")
        if status in {429, 503} and self.server.chat.retry_after is not None:
            self.send_header("Retry-After", self.server.chat.retry_after)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if is_cut else data)
        self.wfile.flush()
        if is_cut:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
