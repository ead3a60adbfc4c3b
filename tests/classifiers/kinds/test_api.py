"""A chat model behind an endpoint is asked once about each text, whatever happens on the way."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from chat_server import ChatServer, right_label

from classifiers.machinery.chat.replies import Usage
from classifiers.machinery.classifier import EndpointOptions
from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.schema.results import ModelInfo
from evaluator.predicting.predicting import Predicted, predict, resume_path
from evaluator.scoring.score import ScoreOptions, score

N_TEXTS = 54
KEY = "sk-a-secret-of-tests"

Ask = Callable[..., Predicted]


@pytest.fixture
def ask(server: ChatServer, release_path: Path, tmp_path: Path, quick: None) -> Ask:
    """Return `hardfrost predict --model api:small-model` with the server as endpoint."""

    def run(model: str = "small-model", **options: object) -> Predicted:
        endpoint = EndpointOptions(**{"base_url": server.url, **options})  # type: ignore[arg-type]
        return predict(release_path, f"api:{model}", tmp_path / "p.jsonl", endpoint=endpoint)

    return run


def answers(path: Path) -> list[dict[str, object]]:
    """Return the rows of a predictions file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_distinct_text_is_asked_once_and_scored(
    ask: Ask, server: ChatServer, release_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers make a predictions file that checks and scores; the request says what it should."""
    monkeypatch.setenv("HARDFROST_API_KEY", KEY)
    used = Usage(N_TEXTS, 40 * N_TEXTS, 2 * N_TEXTS)
    assert ask() == Predicted(n_rows=N_TEXTS, unlabelled=(), usage=used)
    assert len(server.asked) == N_TEXTS
    assert set(server.asked.values()) == {1}
    assert server.authorizations == {f"Bearer {KEY}"}
    assert set(server.paths) == {"/v1/chat/completions"}
    for body in server.bodies:
        assert body["model"] == "small-model"
        assert body["temperature"] == 0
        assert [message["role"] for message in body["messages"]] == ["user"]
    result = score(release_path, tmp_path / "p.jsonl", ModelInfo(name="m"), options=ScoreOptions(resamples=0))
    assert result.tasks["mr"].clean.accuracy == 1
    assert result.overall is not None
    assert result.overall.worst.ewma == 1
    assert not resume_path(tmp_path / "p.jsonl").exists()


@pytest.mark.parametrize("concurrency", [1, 3, 8])
def test_requests_at_a_time_are_bounded_and_connections_kept(
    ask: Ask, server: ChatServer, concurrency: int
) -> None:
    """As many as asked for, and no more; one connection each, and one for the first question."""
    server.delay_seconds = 0.0 if concurrency == 1 else 0.3
    ask(concurrency=concurrency)
    assert server.most_at_once == concurrency
    assert server.n_connections <= concurrency + 1


@pytest.mark.parametrize("fault", ["500", "503", "429", "cut", "cut-body", "garbage", "half", "other-json"])
def test_trouble_that_passes_costs_nothing_but_time(
    ask: Ask, server: ChatServer, tmp_path: Path, fault: str
) -> None:
    """Each text is answered once, and the file is that of an untroubled run."""
    ask()
    untroubled = (tmp_path / "p.jsonl").read_bytes()
    server.asked.clear()
    server.answered.clear()
    server.faults.extend([fault, "ok", "ok", fault, fault, "ok", fault])
    assert not ask().unlabelled
    assert set(server.answered.values()) == {1}
    assert len(server.answered) == N_TEXTS
    # A connection that was kept and is cut is tried again at once, which is not counted as trouble.
    assert server.n_asked == N_TEXTS + 4
    assert (tmp_path / "p.jsonl").read_bytes() == untroubled


def test_an_answer_that_is_too_slow_is_asked_for_again(ask: Ask, server: ChatServer) -> None:
    """A connection that hangs does not hold up the run."""
    server.faults.extend(["ok", "slow"])
    server.slow_seconds = 20
    assert not ask(timeout_seconds=2).unlabelled
    assert len(server.answered) == N_TEXTS
    assert max(server.asked.values()) == 2


def test_retry_after_is_obeyed_by_all_threads(ask: Ask, server: ChatServer) -> None:
    """While the server wants to be left alone, nobody asks."""
    server.faults.extend(["ok", "429"])
    server.retry_after = "1"
    ask()
    gaps = np.diff(sorted(server.times))
    assert gaps.max() >= 0.9
    assert server.n_asked == N_TEXTS + 1


def test_whoever_loses_the_race_for_few_places_goes_on(ask: Ask, server: ChatServer) -> None:
    """Too many requests are no failure while others are answered."""
    server.gap_seconds = 0.03
    assert not ask().unlabelled
    assert server.n_asked > 2 * N_TEXTS
    assert set(server.answered.values()) == {1}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("401", ["HTTP 401 (wrong key)", "set HARDFROST_API_KEY or OPENAI_API_KEY"]),
        ("404", ["HTTP 404", "no model 'smal-model'; did you mean 'small-model'?", "large-model"]),
        ("no-credit", ["pay first", "--resume when there is credit"]),
        ("redirect", ["HTTP 308", "points to http://elsewhere.test", "--base-url"]),
        ("500", ["HTTP 500 (something broke), 8 times in a row", "--resume"]),
        ("503", ["HTTP 503 (overloaded), 8 times in a row"]),
        ("429", ["HTTP 429 (slower, please), 8 times in a row"]),
        ("garbage", ["the reply is no chat completion", "a page of some proxy"]),
        ("half", ["the reply is no chat completion"]),
        ("cut", ["the connection was cut, 8 times in a row"]),
        (
            "400",
            ["no label in the first 10 answers", "HTTP 400 (the text is against our rules)", "--request"],
        ),
    ],
)
def test_trouble_that_stays_is_explained(
    ask: Ask, server: ChatServer, tmp_path: Path, fault: str, words: list[str]
) -> None:
    """With the endpoint, what it said, what to do, and the exit code of the network; in few requests."""
    server.fault_of = lambda _: fault
    with pytest.raises(UserError) as caught:
        ask(model="smal-model")
    assert caught.value.exit_code == 5
    for part in ["api:smal-model at http://127.0.0.1:", *words]:
        assert part in caught.value.message
    assert server.n_asked <= 10
    assert list(tmp_path.glob("p.jsonl*")) == []


@pytest.mark.parametrize("fault", ["400", "401", "404", "500", "429", "garbage", "ok"])
@pytest.mark.parametrize("n_before", [0, 185])
def test_a_server_that_repeats_the_key_does_not_get_it_shown(
    ask: Ask, server: ChatServer, monkeypatch: pytest.MonkeyPatch, fault: str, n_before: int
) -> None:
    """In errors, among the reasons for missing labels, or cut in the middle by an excerpt's end."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.echoed = "x" * n_before + f" {KEY} "
    server.faults.extend(["ok"] * 3)
    server.fault_of = lambda _: fault
    server.answer = lambda prompt: right_label(prompt) if server.n_asked < 4 else server.echoed
    try:
        (unlabelled,) = ask(concurrency=1).unlabelled
        shown = " ".join(unlabelled.reasons)
    except UserError as error:
        shown = error.message
    assert "***" in shown
    assert KEY[:8] not in shown


@pytest.mark.parametrize("key", ["e", "EMPTY", "positive"])
def test_a_dummy_key_changes_no_answer(
    ask: Ask, server: ChatServer, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Local servers take anything; what is hidden in messages must not be hidden in answers."""
    monkeypatch.setenv("HARDFROST_API_KEY", key)
    assert not ask().unlabelled
    assert server.n_asked == N_TEXTS


def test_an_endpoint_that_is_not_there_is_explained_at_once(release_path: Path, tmp_path: Path) -> None:
    """Nobody listens, or nobody has that name: no waiting."""
    with ChatServer() as server:
        gone = server.url
    start = time.monotonic()
    for url in (gone, "http://no-such-host.invalid/v1"):
        with pytest.raises(UserError, match="start the server or correct --base-url") as caught:
            predict(release_path, "api:m", tmp_path / "p.jsonl", endpoint=EndpointOptions(base_url=url))
        assert caught.value.exit_code == 5
    assert time.monotonic() - start < 20


def test_a_server_that_wants_hours_is_left_with_what_it_gave(
    ask: Ask, server: ChatServer, tmp_path: Path
) -> None:
    """The answers so far are kept, and asking again asks only for the rest."""
    server.faults.extend(["ok"] * 20 + ["429"])
    server.retry_after = "7200"
    with pytest.raises(UserError, match=r"asks to wait 7,200 s: go on with --resume"):
        ask(concurrency=4)
    assert resume_path(tmp_path / "p.jsonl").exists()
    assert not (tmp_path / "p.jsonl").exists()
    n_answered = sum(server.answered.values())
    assert 20 <= n_answered < N_TEXTS
    ask(concurrency=4)
    assert set(server.answered.values()) == {1}
    assert server.n_asked == N_TEXTS + 1


def test_an_error_in_the_middle_keeps_what_is_under_way(ask: Ask, server: ChatServer) -> None:
    """One thread's refusal does not throw away the others' answers."""
    server.delay_seconds = 0.02
    server.faults.extend(["ok"] * 10 + ["401"])
    with pytest.raises(UserError, match="HTTP 401"):
        ask(concurrency=6)
    ask(concurrency=6)
    assert set(server.answered.values()) == {1}
    assert server.n_asked == N_TEXTS + 1


def test_answers_without_a_label_are_counted_and_scored_as_chance(
    ask: Ask, server: ChatServer, tmp_path: Path
) -> None:
    """Equal probabilities, a label drawn from the text, the number of rows, and what was said."""
    server.answer = lambda prompt: "I cannot say" if "general 0.1" in prompt else right_label(prompt)
    predicted = ask()
    (unlabelled,) = predicted.unlabelled
    assert (unlabelled.task, unlabelled.n_texts, unlabelled.n_rows) == ("mr", 12, 12)
    assert unlabelled.reasons == ("answered 'I cannot say'",)
    rows = answers(tmp_path / "p.jsonl")
    guessed = [row for row in rows if row["probabilities"] == [0.5, 0.5]]
    assert len(guessed) == 12
    assert {row["prediction"] for row in guessed} == {"negative", "positive"}
    first = (tmp_path / "p.jsonl").read_bytes()
    ask()
    assert (tmp_path / "p.jsonl").read_bytes() == first


def test_texts_that_the_server_will_not_have_are_counted(ask: Ask, server: ChatServer) -> None:
    """Refused by a content filter or too long: the run goes on, and the reason is told."""
    server.faults.extend(["ok", "400", "ok", "400"])
    (unlabelled,) = ask().unlabelled
    assert unlabelled.n_texts == 2
    assert unlabelled.reasons == ("HTTP 400 (the text is against our rules)",)
    assert server.n_asked == N_TEXTS


def test_a_text_that_breaks_the_server_is_counted_while_others_are_answered(
    ask: Ask, server: ChatServer
) -> None:
    """Eight times HTTP 500 for one text alone is not an outage; a cut connection may be one."""
    server.delay_seconds = 0.005
    server.fault_of = lambda prompt: "500" if "text 3 typo-general 0.05 0" in prompt else "ok"
    (unlabelled,) = ask(concurrency=2).unlabelled
    assert unlabelled.n_texts == 1
    assert unlabelled.reasons == ("HTTP 500 (something broke)",)
    server.fault_of = lambda prompt: "cut" if "text 3 typo-general 0.05 0" in prompt else "ok"
    with pytest.raises(UserError, match="the connection was cut, 8 times in a row"):
        ask(concurrency=2)


def test_a_prompt_that_gets_no_labels_is_stopped_before_it_costs(
    ask: Ask, server: ChatServer, tmp_path: Path
) -> None:
    """Ten answers are enough to see it; nothing is kept of them."""
    server.answer = lambda _: "As a language model\x1b[31m I"
    with pytest.raises(UserError, match=r"no label in the first 10 answers.*As a language model \[31m I"):
        ask()
    assert server.n_asked == 10
    assert list(tmp_path.glob("p.jsonl*")) == []


def test_a_resumed_run_takes_ten_texts_without_label_as_they_are(ask: Ask, server: ChatServer) -> None:
    """The endpoint is known to work; at the end of a release may stand the hardest texts."""
    server.faults.extend(["ok"] * 30 + ["401"])
    with pytest.raises(UserError):
        ask(concurrency=1)
    server.answer = lambda _: "?"
    (unlabelled,) = ask(concurrency=1).unlabelled
    assert unlabelled.n_texts == N_TEXTS - 30
    assert server.n_asked == N_TEXTS + 1


def test_the_request_can_be_changed(ask: Ask, server: ChatServer) -> None:
    """Reasoning models want other keys; null takes one out; what we set stays ours."""
    ask(body={"max_tokens": None, "max_completion_tokens": 2_000, "seed": 1})
    assert server.bodies[0].keys() == {"model", "messages", "temperature", "max_completion_tokens", "seed"}
    with pytest.raises(UserError, match="stream is set by hardfrost") as caught:
        ask(body={"stream": True})
    assert caught.value.exit_code == 2


def test_another_prompt_never_takes_or_loses_the_answers_to_the_first(
    ask: Ask, server: ChatServer, tmp_path: Path
) -> None:
    """Nor does another endpoint, another request, or another model."""
    server.faults.extend(["ok"] * 5 + ["401"])
    with pytest.raises(UserError, match="401"):
        ask()
    kept = resume_path(tmp_path / "p.jsonl").read_bytes()
    (tmp_path / "prompt.txt").write_text("{labels}? {text}", encoding="utf-8")
    others: list[dict[str, object]] = [
        {"prompt_paths": {"": tmp_path / "prompt.txt"}},
        {"base_url": server.url + "/other"},
        {"body": {"temperature": 1}},
    ]
    for options in others:
        with pytest.raises(UserError, match="holds answers to other questions"):
            ask(**options)
    with pytest.raises(UserError, match="holds answers to other questions"):
        predict(tmp_path / "release", "majority", tmp_path / "p.jsonl")
    assert resume_path(tmp_path / "p.jsonl").read_bytes() == kept


def test_options_of_the_endpoint_are_refused_by_what_runs_here(release_path: Path, tmp_path: Path) -> None:
    """They would do nothing."""
    with pytest.raises(UserError, match="majority runs here") as caught:
        predict(release_path, "majority", tmp_path / "p.jsonl", endpoint=EndpointOptions(concurrency=2))
    assert caught.value.exit_code == 2


def test_predictions_are_valid_in_every_format(
    server: ChatServer, release_path: Path, tmp_path: Path, quick: None
) -> None:
    """As those of any other classifier."""
    for name in ("p.csv", "p.parquet", "p.jsonl.gz"):
        predict(release_path, "api:m", tmp_path / name, endpoint=EndpointOptions(base_url=server.url))
        found = read_predictions(tmp_path / name, ReleaseRows.read(Release.open(release_path)))
        assert found.n_rows == N_TEXTS
