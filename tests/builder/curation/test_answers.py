"""Annotators' files are strangers': what does not fit the plan is refused, with its place and a remedy."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from crowd import careful

from builder.curation.answers import read_all, read_answers
from builder.curation.plan import Plan
from contract.machine.errors import ExitCode, UserError


@pytest.fixture
def honest(plan: Plan, tmp_path: Path) -> dict[str, Any]:
    """Return an honest file as JSON, read back as strangers' files are."""
    file = careful(plan, "annotator-1", seed=1)
    file.write(tmp_path / "honest.json")
    assert read_answers(tmp_path / "honest.json", plan) == file
    value: dict[str, Any] = json.loads((tmp_path / "honest.json").read_text())
    return value


def refusal(path: Path, plan: Plan, content: str | bytes) -> str:
    """Return what is said of a file."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    with pytest.raises(UserError) as caught:
        read_answers(path, plan)
    assert caught.value.exit_code == ExitCode.BAD_INPUT
    assert str(path) in caught.value.message
    return caught.value.message


# Texts that are no JSON, or none that a file of answers could be.
HOSTILE_TEXTS = {
    "": "not JSON",
    "[" * 50_000: "nested too deeply",
    '{"schema": ' + '{"a":' * 60 + "1" + "}" * 61: "nested too deeply",
    '{"schema": "hardfrost/answers/1", "schema": "x"}': "stands twice",
    '{"schema": NaN}': "NaN is not a number",
    '{"schema": ' + "9" * 10_000 + "}": "not JSON",
    '{"schema": "\\ud800"}': "not JSON",
    "[]": "expected an object",
    "null": "expected an object",
    '"<script>alert(1)</script>"': "expected an object",
    '{"schema": "hardfrost/answers/2"}': "expected 'hardfrost/answers/1'",
    '{"schema": ["hardfrost/answers/1"]}': "expected 'hardfrost/answers/1'",
    " " * 5_000_000: "larger than",
}


@pytest.mark.parametrize("number", range(len(HOSTILE_TEXTS)))
def test_a_page_of_hostile_json_is_refused_with_a_reason(number: int, plan: Plan, tmp_path: Path) -> None:
    """No traceback, whatever stands in the file."""
    text, reason = list(HOSTILE_TEXTS.items())[number]
    assert reason in refusal(tmp_path / "a.json", plan, text)


def test_bytes_that_are_no_text_are_refused(plan: Plan, tmp_path: Path) -> None:
    """A damaged file, an image, a file of another encoding."""
    assert "UTF-8" in refusal(tmp_path / "a.json", plan, b"\xff\xfe{\x00}\x00")
    assert "UTF-8" in refusal(tmp_path / "a.json", plan, b"\x89PNG\r\n\x1a\n")


# Changes of an honest file: a key path, the value that is put there, and what is said.
HOSTILE_VALUES: list[tuple[list[str | int], Any, str]] = [
    (["plan"], "0" * 64, "give the plan that the page was made from"),
    (["plan"], 7, "plan: "),
    (["annotator"], "annotator-9", "is no person of this plan; did you mean"),
    (["annotator"], "api:gpt", "is no person of this plan"),
    (["annotator"], "annotator-1\u202e\n", "annotator: "),
    (["kind"], "model", "is no model of this plan"),
    (["kind"], "robot", "kind: "),
    (["extra"], 1, "extra: "),
    (["tries"], {"../../etc": 1}, "is no task of this plan"),
    (["tries"], {"mr": -1}, "tries.mr: "),
    (["answers"], {}, "answers: "),
    (["answers"], [[]], "answers[0]: "),
    (["answers", 0, "key"], "0" * 16, "answers[0].key: 0000000000000000 is not among this annotator's texts"),
    (["answers", 0, "key"], "../../../etc/passwd", "answers[0].key: "),
    (
        ["answers", 0, "label"],
        "positiv",
        "answers[0].label: 'positiv' is no label of mr; did you mean 'positive'?",
    ),
    (["answers", 0, "label"], "<img src=x onerror=alert(1)>", "answers[0].label: "),
    (["answers", 0, "label"], 1, "answers[0].label: "),
    (["answers", 0, "label"], "a" * 2_000, "answers[0].label: "),
    (["answers", 0, "keeps"], None, "answers[0].keeps: found None, expected true or false"),
    (["answers", 0, "keeps"], 1, "answers[0].keeps: "),
    (["answers", 0, "keeps"], "yes", "answers[0].keeps: "),
    (["answers", 0, "similarity"], 6, "answers[0].similarity: "),
    (["answers", 0, "similarity"], 4.5, "answers[0].similarity: "),
    (["answers", 0, "similarity"], True, "answers[0].similarity: "),
    (["answers", 0, "fluency"], 0, "answers[0].fluency: "),
    (["answers", 0, "seconds"], -1, "answers[0].seconds: "),
    (["answers", 0, "seconds"], 1e300, "answers[0].seconds: "),
    (["answers", 0, "valid"], True, "answers[0].valid: "),
]


@pytest.mark.parametrize("number", range(len(HOSTILE_VALUES)))
def test_a_file_with_one_hostile_value_is_refused_with_its_place(
    number: int, plan: Plan, tmp_path: Path, honest: dict[str, Any]
) -> None:
    """A value of another type, beyond its bounds, of another plan, or that no page writes."""
    path, value, reason = HOSTILE_VALUES[number]
    *parents, last = path
    place: Any = honest
    for step in parents:
        place = place[step]
    place[last] = value
    assert reason in refusal(tmp_path / "a.json", plan, json.dumps(honest))


def test_an_answer_given_twice_is_refused(plan: Plan, tmp_path: Path, honest: dict[str, Any]) -> None:
    """Votes cannot be multiplied."""
    honest["answers"].append(honest["answers"][0])
    message = refusal(tmp_path / "a.json", plan, json.dumps(honest))
    assert "was answered before" in message


def test_texts_of_other_annotators_cannot_be_answered(judged_plan_of_two: Plan, tmp_path: Path) -> None:
    """An annotator judges what the plan gives, no more."""
    first, second = judged_plan_of_two.annotators
    file = careful(judged_plan_of_two, second.name, seed=1)
    forged = file.model_copy(update={"annotator": first.name})
    forged.write(tmp_path / "a.json")
    with pytest.raises(UserError, match="is not among this annotator's texts"):
        read_answers(tmp_path / "a.json", judged_plan_of_two)


def test_all_files_are_checked_before_any_is_refused(plan: Plan, tmp_path: Path) -> None:
    """One error names every file, and two files of one annotator."""
    for name in ("one", "two"):
        careful(plan, "annotator-1", seed=1).write(tmp_path / f"{name}.json")
    (tmp_path / "three.json").write_text("{}")
    with pytest.raises(UserError) as caught:
        read_all([tmp_path / f"{name}.json" for name in ("one", "two", "three", "four")], plan)
    lines = caught.value.message.splitlines()
    assert len(lines) == 3
    assert all(name in line for name, line in zip(("two", "three", "four"), lines, strict=True))


def test_what_is_no_file_is_not_waited_for(plan: Plan, tmp_path: Path) -> None:
    """A pipe would never end; a folder holds no answers."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(UserError, match="not a file"):
            read_answers(path, plan)


def test_an_unfinished_file_is_taken(plan: Plan, tmp_path: Path) -> None:
    """People may stop; what they answered counts."""
    file = careful(plan, "annotator-1", seed=1)
    file.model_copy(update={"answers": file.answers[:12]}).write(tmp_path / "a.json")
    assert len(read_answers(tmp_path / "a.json", plan).answers) == 12
