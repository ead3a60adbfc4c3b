"""A Hub on loopback and the real clients that ask it, each in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hub_server import serving
from hub_state import HubState

ROOT = Path(__file__).parents[2]
WRITER = "hf_writerSecretTokenOfTheTests"
READER = "hf_readerSecretTokenOfTheTests"
# Another interpreter with another huggingface_hub may drive the same tests; see the Makefile.
PYTHON = os.environ.get("HARDFROST_HUB_PYTHON", sys.executable)


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a client's process came to."""

    exit_code: int
    out: str
    err: str


@dataclass(frozen=True, kw_only=True)
class Clients:
    """Runs the real clients against the Hub on loopback."""

    state: HubState
    address: str
    home: Path

    def hardfrost(self, *arguments: str | Path, token: str | None = WRITER) -> Done:
        """Run the command line; whatever it says never holds a token."""
        return self._run("-m", "hardfrost", *map(str, arguments), token=token)

    def python(self, code: str, token: str | None = WRITER) -> Done:
        """Run a script."""
        return self._run("-c", code, token=token)

    def _run(self, *arguments: str, token: str | None) -> Done:
        unset = ("HF_", "HUGGING", "HTTP", "http", "ALL_PROXY")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
        environment |= {
            "HF_ENDPOINT": self.address,
            "HF_HOME": str(self.home),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "PYTHONPATH": str(ROOT),
            "NO_PROXY": "127.0.0.1",
            **({} if token is None else {"HF_TOKEN": token}),
        }
        done = subprocess.run(
            [PYTHON, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=self.home,
            timeout=300,
        )
        assert WRITER not in done.stdout + done.stderr
        assert READER not in done.stdout + done.stderr
        return Done(exit_code=done.returncode, out=done.stdout, err=done.stderr)


@pytest.fixture
def clients(tmp_path: Path) -> Iterator[Clients]:
    """Return clients of an empty Hub, with an empty cache."""
    home = tmp_path / "home"
    home.mkdir()
    state = HubState(tokens=frozenset({WRITER, READER}))
    with serving(state) as address:
        yield Clients(state=state, address=address, home=home)
    for path in home.rglob("*"):
        if path.is_file():
            assert WRITER.encode() not in path.read_bytes(), path
