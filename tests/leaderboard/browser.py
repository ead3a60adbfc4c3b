"""Drives the machine's own Chromium over the WebDriver protocol, without any package."""

import contextlib
import http.client
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# As root Chromium has no sandbox; nothing may call home.
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def find_programs() -> tuple[str, str] | None:
    """Return the paths of Chromium and its driver, or nothing unless both are installed."""
    chromium, driver = (
        shutil.which("chromium") or shutil.which("chromium-browser"),
        shutil.which("chromedriver"),
    )
    return (chromium, driver) if chromium and driver else None


@dataclass(frozen=True, kw_only=True)
class Browser:
    """One browser session; scripts run in the page and return JSON values."""

    port: int
    session: str

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a page from its folder, afresh even where only the fragment differs."""
        self.go(path.as_uri() + fragment)

    def go(self, address: str) -> None:
        """Open an address, afresh even where only the fragment differs."""
        self._call("POST", "/url", {"url": "about:blank"})
        self._call("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a function body returns in the page."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_until_called(self, script: str, *arguments: Any) -> Any:
        """Return what a function body hands to its last argument, a function, however long that takes."""
        return self._call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, condition: str, seconds: float = 5) -> None:
        """Wait until an expression holds in the page."""
        deadline = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition})"):
            if time.monotonic() > deadline:
                raise AssertionError(f"never came true: {condition}")
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Click as a person would: what is covered or hidden cannot be clicked."""
        self._call("POST", f"/element/{self._element(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        """Type into a field."""
        self._call("POST", f"/element/{self._element(selector)}/value", {"text": text})

    def texts(self, selector: str) -> list[str]:
        """Return the visible text of every element that is shown."""
        return self.run(
            "return Array.from(document.querySelectorAll(arguments[0]))"
            ".filter(e => e.getClientRects().length).map(e => e.innerText.trim())",
            selector,
        )

    def emulate(self, command: str, **parameters: Any) -> Any:
        """Return the answer to a command of the DevTools protocol."""
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def picture(self) -> str:
        """Return what the window shows, as PNG in base 64."""
        return str(self.emulate("Page.captureScreenshot")["data"])

    def complaints(self) -> list[str]:
        """Return what the console has said since the last call."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Return the addresses asked for since the last call."""
        entries = self._call("POST", "/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]

    def close(self) -> None:
        """End the session."""
        self._call("DELETE", "")

    def _element(self, selector: str) -> str:
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        return str(found[ELEMENT])

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        return call(self.port, method, f"/session/{self.session}{path}", body)


@contextlib.contextmanager
def running_driver(driver: str) -> Iterator[int]:
    """Yield the port of a driver that lives as long as the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    process = subprocess.Popen([driver, f"--port={port}", "--log-level=SEVERE"], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError):
                call(port, "GET", "/status")
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextlib.contextmanager
def browsing(port: int, chromium: str, *, with_scripts: bool = True) -> Iterator[Browser]:
    """Yield a new browser window of desktop size."""
    options = {
        "binary": chromium,
        "args": [*FLAGS, "--window-size=1400,1000"],
        "prefs": {} if with_scripts else {"profile.managed_default_content_settings.javascript": 2},
    }
    wanted = {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    }
    reply = call(port, "POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
    browser = Browser(port=port, session=reply["sessionId"])
    try:
        yield browser
    finally:
        browser.close()


def call(port: int, method: str, path: str, body: Any = None) -> Any:
    """Return the value of the driver's answer, or raise what it complains of."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, None if body is None else json.dumps(body))
        value = json.loads(connection.getresponse().read())["value"]
    finally:
        connection.close()
    if isinstance(value, dict) and "error" in value:
        raise RuntimeError(f"{value['error']}: {value['message'].splitlines()[0]}")
    return value
