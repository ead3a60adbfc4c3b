"""What a chat model is asked: made from the task, or the user's words; pairs in their order."""

import json
from pathlib import Path

import pytest
from chat_server import ChatServer
from pair_release import TASK, write_pair_release

from classifiers.machinery.chat.prompts import default_template, fill
from classifiers.machinery.classifier import EndpointOptions
from contract.machine.errors import UserError
from evaluator.predicting.predicting import predict

PAIR = ("a premise", "a hypothesis")


def test_the_default_prompt_names_labels_and_fields() -> None:
    """In the words of the task."""
    prompt = fill(default_template(TASK), PAIR, TASK.labels)
    assert prompt.splitlines() == [
        "Which label fits the premise and the hypothesis below?",
        "Answer with exactly one of these labels and nothing else: entailment, not_entailment",
        "",
        "Premise: a premise",
        "Hypothesis: a hypothesis",
        "",
        "Label:",
    ]
    single = TASK.model_copy(update={"fields": ("review_body",), "labels": ("a", "b")})
    assert "the review body below" in default_template(single)
    assert "Review body: x" in fill(default_template(single), ("x", None), single.labels)


def test_columns_without_a_name_are_called_texts() -> None:
    """Files without a header number them."""
    numbered = TASK.model_copy(update={"fields": ("0", "1")})
    prompt = fill(default_template(numbered), PAIR, TASK.labels)
    assert "First text: a premise\nSecond text: a hypothesis" in prompt


def test_only_the_templates_own_blanks_are_filled() -> None:
    """A text with braces stays as it is, and so does JSON in a template."""
    template = '{"a": {labels}} {text} | {text_pair} | {other}'
    filled = fill(template, ("{labels} {text_pair} {0}", "{text}"), ["x", "y"])
    assert filled == '{"a": x, y} {labels} {text_pair} {0} | {text} | {other}'


def answer(prompt: str) -> str:
    """Return the true label in a sentence: it follows from the order of the two texts."""
    premise = prompt.partition("Premise: ")[2]
    return "It's not entailment." if premise.startswith("a good film") else "Entailment"


@pytest.mark.parametrize("has_prompt", [False, True])
def test_pairs_are_asked_in_their_order(server: ChatServer, tmp_path: Path, *, has_prompt: bool) -> None:
    """Text and partner swapped are another question."""
    release = write_pair_release(tmp_path / "release")
    server.answer = answer
    (tmp_path / "p.txt").write_text("Premise: {text}\nand then: {text_pair}", encoding="utf-8")
    paths = {"nli": tmp_path / "p.txt"} if has_prompt else {}
    endpoint = EndpointOptions(base_url=server.url, prompt_paths=paths)
    predict(release, "api:m", tmp_path / "p.jsonl", endpoint=endpoint)
    assert server.n_asked == 16
    assert all("and then: " in prompt for prompt in server.asked) is has_prompt
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        sample = int(row["id"].partition(".")[0].rpartition("-")[2])
        assert row["prediction"] == TASK.labels[sample % 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{text} {labels}", "the prompt for task nli has no {text_pair}; say where it goes"),
        (b"hello", "has no {text} and {text_pair}"),
        (b"\xff{text}{text_pair}", "not a UTF-8 text file"),
        (b"{text}{text_pair}" + b"x" * 1_000_001, "write at most 1,000,000"),
        (None, "there is no such prompt file"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_refused(
    server: ChatServer, tmp_path: Path, content: bytes | None, message: str
) -> None:
    """Before anything is asked, with the file's name."""
    release = write_pair_release(tmp_path / "release")
    path = tmp_path / "prompt.txt"
    if content is not None:
        path.write_bytes(content)
    endpoint = EndpointOptions(base_url=server.url, prompt_paths={"": path})
    with pytest.raises(UserError) as caught:
        predict(release, "api:m", tmp_path / "p.jsonl", endpoint=endpoint)
    assert caught.value.exit_code == 3
    assert str(path) in caught.value.message
    assert message in caught.value.message
    assert server.n_asked == 0
