"""A page is one file that runs nothing of strangers' and tells no answer of the work."""

import json
import re
from pathlib import Path

import pytest

from builder.curation.instructions import FOLDER, instructions_of
from builder.curation.pages import page_of, write_pages
from builder.curation.plan import Plan, PlannedTask

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}"
    " \u202egnp.exe \x1b[31m\u200b&amp;"
)


def data_of(page: str) -> dict[str, object]:
    """Return the data that a page holds."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    value: dict[str, object] = json.loads(found[1])
    return value


def hostile_plan(plan: Plan) -> Plan:
    """Return the plan with hostile texts and labels."""
    value = plan.to_json()
    value["tasks"][0]["labels"] = ["<b>bad</b>", "\u202egood"]
    for text in value["texts"]:
        text |= {"text": HOSTILE, "original": HOSTILE}
    return Plan.parse(value, "made up")


def test_strangers_texts_are_data_and_nothing_else(plan: Plan) -> None:
    """No tag of theirs stands in the file; what cannot be seen is spelled out."""
    page = page_of(hostile_plan(plan), plan.annotators[0])
    assert page.count("<script") == 2
    assert page.count("<img") == 0
    assert "49" not in re.findall(r"<title>(.*?)</title>", page)[0]
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert data[1].isascii()
    assert not set("<>&") & set(data[1])
    text = data_of(page)["tasks"][0]["work"][0]["text"]  # type: ignore[index]
    assert "⟨U+202E⟩gnp.exe ⟨U+001B⟩[31m⟨U+200B⟩" in text


def test_a_page_tells_no_answer_of_the_work(plan: Plan) -> None:
    """Neither labels nor what a text is: cases and known answers look the same, and so do their keys."""
    page = page_of(plan, plan.annotators[0])
    (task,) = data_of(page)["tasks"]  # type: ignore[misc]
    kinds = {frozenset(item) for item in task["work"]}
    assert kinds == {frozenset({"key", "text", "text_pair", "original", "original_pair"})}
    assert len(task["work"]) == len(plan.annotators[0].work)
    parts = [plan.by_key[item["key"]].part for item in task["work"]]
    assert set(parts) == {"case", "control", "known"}
    assert parts != sorted(parts), "they are mixed"
    for part in ("control", "known", "typo-general", "synonym", "mr-000"):
        assert f'"{part}' not in page


def test_a_page_loads_nothing(plan: Plan) -> None:
    """Its policy allows one script and one style, by their hashes, and its text names no other server."""
    page = page_of(plan, plan.annotators[0])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r"https?://|src=|@import|url\(", page)


def test_the_same_plan_gives_the_same_pages(plan: Plan, tmp_path: Path) -> None:
    """And each annotator another order."""
    paths = write_pages(plan, tmp_path / "a")
    again = write_pages(plan, tmp_path / "b")
    assert [path.name for path in paths] == [f"annotator-{number}.html" for number in range(1, 6)]
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]
    assert len({path.read_bytes() for path in paths}) == 5


LABELS = {
    "sentiment": (("negative", "positive"), 1),
    "paraphrase": (("not_duplicate", "duplicate"), 2),
    "entailment": (("entailment", "neutral", "contradiction"), 2),
    "entailment_two_way": (("entailment", "not_entailment"), 2),
}


@pytest.mark.parametrize("name", [path.stem for path in sorted(FOLDER.glob("*.yaml"))])
def test_tasks_have_instructions_of_their_own(name: str) -> None:
    """Every label is explained and shown by an example."""
    labels, n_fields = LABELS[name]
    task = PlannedTask(name="some", labels=labels, fields=("one", "two")[:n_fields])
    told = instructions_of(task)
    assert set(told.labels) == set(labels)
    assert {example.label for example in told.examples} == set(labels)
    assert len(told.rules) >= 3


def test_a_task_that_nobody_wrote_about_gets_general_words() -> None:
    """A task of three topics is asked about, too."""
    told = instructions_of(PlannedTask(name="news", labels=("a", "b", "c"), fields=("text",)))
    assert told.question == "Which label fits the text?"
    assert set(told.labels) == {"a", "b", "c"}
