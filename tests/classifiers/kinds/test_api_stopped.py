"""The command line with a chat model: killed, interrupted, resumed; and no key in anything it writes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chat_server import ChatServer
from click.testing import CliRunner

import hardfrost
from contract.machine.errors import UserError
from evaluator.commands.predict import predict

N_TEXTS = 54
KEY = "sk-a-secret-of-tests"
ROOT = Path(hardfrost.__file__).parent


def start(server: ChatServer, release_path: Path, *options: str) -> "subprocess.Popen[str]":
    """Start `hardfrost predict` with a key in its environment."""
    command = [sys.executable, "-m", "hardfrost", "predict", str(release_path), "--model", "api:small-model"]
    return subprocess.Popen(
        [*command, "--base-url", server.url, "-o", str(release_path.parent / "p.jsonl"), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "OPENAI_API_KEY": KEY},
    )


def wait_for_requests(server: ChatServer, n: int) -> None:
    """Return when the server was asked so often."""
    deadline = time.monotonic() + 60
    while server.n_asked < n:
        assert time.monotonic() < deadline, "the command asks nothing"
        time.sleep(0.005)


def no_key_in(folder: Path, *outputs: str) -> bool:
    """Tell whether the key stands in no output and no file."""
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return all(KEY not in output for output in outputs) and all(KEY.encode() not in data for data in files)


def test_what_was_answered_before_a_kill_is_never_asked_again(
    server: ChatServer, release_path: Path, tmp_path: Path
) -> None:
    """Only requests under way at that moment are asked twice, and the file is that of one run."""
    server.delay_seconds = 0.1
    process = start(server, release_path, "--concurrency", "4")
    wait_for_requests(server, 22)
    process.kill()
    process.communicate()
    # What was sent before the kill arrives.
    time.sleep(0.3)
    assert no_key_in(tmp_path)
    n_before = server.n_asked
    data = (tmp_path / "p.jsonl.resume").read_bytes()
    # One answer: head, place, two probabilities, checksum.
    n_kept, rest = divmod(len(data) - data.index(b"\n") - 1, 8 + 4 + 16 + 4)
    assert rest == 0
    assert n_before - 4 <= n_kept <= n_before
    server.delay_seconds = 0
    process = start(server, release_path)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stderr
    assert server.n_asked == n_before + N_TEXTS - n_kept
    assert len(server.asked) == N_TEXTS
    resumed = (tmp_path / "p.jsonl").read_bytes()
    start(server, release_path).communicate(timeout=60)
    assert (tmp_path / "p.jsonl").read_bytes() == resumed
    assert no_key_in(tmp_path, stdout, stderr)


def test_an_interrupted_run_takes_the_answers_under_way_and_goes_on(
    server: ChatServer, release_path: Path, tmp_path: Path
) -> None:
    """Ctrl-C costs nothing: over both runs each text is asked exactly once."""
    server.delay_seconds = 0.1
    process = start(server, release_path, "--concurrency", "4")
    wait_for_requests(server, 22)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "p.jsonl.resume; add --resume to go on" in stderr
    assert "Traceback" not in stderr
    assert not (tmp_path / "p.jsonl").exists()
    assert 22 <= server.n_asked < N_TEXTS
    n_before = server.n_asked
    server.delay_seconds = 0
    process = start(server, release_path, "--resume", "--json")
    stdout, stderr = process.communicate(timeout=60)
    said = json.loads(stdout)
    assert said | {"path": str(tmp_path / "p.jsonl"), "rows": 54, "unlabelled": 0} == said
    assert said["requests"] == N_TEXTS - n_before
    assert server.asked == server.answered
    assert set(server.asked.values()) == {1}
    assert no_key_in(tmp_path, stdout, stderr)


def test_a_second_interruption_leaves_at_once(server: ChatServer, release_path: Path, tmp_path: Path) -> None:
    """Whoever does not want to wait for slow answers need not, and keeps the others."""
    server.faults.extend(["ok"] * 10 + ["slow"] * 4)
    server.slow_seconds = 30
    process = start(server, release_path, "--concurrency", "4")
    wait_for_requests(server, 14)
    start_time = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert time.monotonic() - start_time < 15
    assert (tmp_path / "p.jsonl.resume").exists()


def test_a_refusal_is_printed_alone_and_keeps_the_answers(
    server: ChatServer, release_path: Path, tmp_path: Path
) -> None:
    """No traceback, no key though the server repeats it, the exit code of the network."""
    server.faults.extend(["ok"] * 3)
    server.fault_of = lambda _: "401"
    server.echoed = f"Incorrect key provided: {KEY}."
    process = start(server, release_path)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 5
    assert f"api:small-model at {server.url}: HTTP 401 (Incorrect key provided: ***." in stderr
    assert "it refuses the key in OPENAI_API_KEY; set one of this endpoint" in stderr
    assert "Traceback" not in stderr
    assert stdout == ""
    assert no_key_in(tmp_path, stdout, stderr)
    assert (tmp_path / "p.jsonl.resume").exists()


def test_people_are_told_how_many_answers_named_no_label(
    server: ChatServer, release_path: Path, tmp_path: Path
) -> None:
    """And what they count as, and what was said."""
    server.answer = lambda prompt: "positive or negative" if "malicious" in prompt else "negative"
    process = start(server, release_path, "--json")
    stdout, stderr = process.communicate(timeout=60)
    assert json.loads(stdout)["unlabelled"] == 24
    assert "mr: 24 texts (24 rows) got no label; they count as guesses by chance" in stderr
    assert "answered 'positive or negative'" in stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--request", "[]"], "--request: not a JSON object"),
        (["--request", "{"], "--request: not JSON"),
        (["--prompt", "a.txt", "--prompt", "b.txt"], "--prompt: two files for all tasks"),
        (["--prompt", "mmr=a.txt"], "unknown task 'mmr'; did you mean 'mr'?"),
        (["--base-url", "ftp://x/v1"], "--base-url: not an http or https URL"),
        (["--base-url", "https://me:secret@x/v1"], "keys come from the environment"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    server: ChatServer, release_path: Path, options: list[str], message: str
) -> None:
    """Before anything is asked."""
    arguments = [str(release_path), "--model", "api:m", "-o", "p.jsonl", "--base-url", server.url, *options]
    answer = CliRunner().invoke(predict, arguments)
    assert isinstance(answer.exception, UserError)
    assert answer.exception.exit_code == 2
    assert message in answer.exception.message
    assert "me:secret" not in answer.exception.message
    assert server.n_asked == 0
