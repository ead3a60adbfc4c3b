"""A small server on loopback that takes texts as JSON and can be told what to reply."""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable


def right_labels(body: dict[str, Any]) -> Any:
    """Return the true labels of texts of the small release."""
    numbers = [int(re.search(r"text (\d+)", text)[1]) for text in body["texts"]]  # type: ignore[index]
    return {"predictions": [["negative", "positive"][number % 2] for number in numbers]}


class TextServer:
    """Answers with what `reply` makes of a request: JSON, or bytes as they are; an int is a status."""

    def __init__(self) -> None:
        self.reply: Callable[[dict[str, Any]], Any] = right_labels
        # Statuses for the next requests, before any is answered.
        self.statuses: list[int] = []
        self.delay_seconds = 0.0
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.authorizations: set[str | None] = set()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.texts = self
        self.url = f"http://127.0.0.1:{self._server.server_port}/predict"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    texts: TextServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients of tests hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer texts."""
        told = self.server.texts
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told.bodies.append(body)
        told.paths.append(self.path)
        told.authorizations.add(self.headers["Authorization"])
        time.sleep(told.delay_seconds)
        status = told.statuses.pop(0) if told.statuses else 200
        reply = told.reply(body) if status == 200 else {"error": {"message": "told to fail"}}
        data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        if status == 307:
            self.send_header("Location", "http://elsewhere.test/")
        self.end_headers()
        self.wfile.write(data)
