"""Models as judges: asked the same questions, kept in files of their own kind, and never counted silently."""

import json
from pathlib import Path

import pytest
from chat_server import ChatServer
from click.testing import CliRunner
from crowd import careful

from builder.commands.annotate import annotate
from builder.curation.answers import read_answers
from builder.curation.judging import ask_judge
from builder.curation.plan import Plan
from classifiers.machinery.classifier import EndpointOptions
from contract.machine.errors import UserError
from contract.machine.progress import Silence


def judge(prompt: str) -> str:
    """Answer as a good judge: by the word that decides."""
    if "First text:" in prompt:
        first, second = prompt.split("Second text:")
        return "yes" if ("lovely" in first) == ("lovely" in second) else "no"
    return "positive" if "lovely" in prompt else "negative"


def test_a_judge_answers_every_text_but_those_of_the_training(plan: Plan, tmp_path: Path) -> None:
    """First the label, without the original; then whether the meaning is kept."""
    with ChatServer() as server:
        server.answer = judge
        file = ask_judge(plan, "api:small-model", EndpointOptions(base_url=server.url), Silence())
    assert {answer.key for answer in file.answers} == {t.key for t in plan.texts if t.part != "training"}
    assert all(plan.by_key[answer.key].keeps in {None, answer.keeps} for answer in file.answers)
    labels = [prompt for prompt in server.asked if "First text:" not in prompt]
    originals = {text.original for text in plan.of_part("case")}
    assert not any(
        str(original) in prompt.split("Text:")[-1]
        for original in originals
        for prompt in labels
        if "fi1m" in prompt
    )
    file.write(tmp_path / "judge.json")
    assert read_answers(tmp_path / "judge.json", plan) == file


def test_only_models_that_are_asked_in_words_can_be_judges(plan: Plan) -> None:
    """A classifier that was a surrogate would judge cases made against it."""
    with pytest.raises(UserError, match="write api:MODEL"):
        ask_judge(plan, "surrogate:words", EndpointOptions(), Silence())


def test_the_command_keeps_what_a_judge_said_and_does_not_count_it(plan: Plan, tmp_path: Path) -> None:
    """Asked once; its row stands apart; people's verdicts are the same with and without it."""
    plan.write(tmp_path / "plan.json")
    files = []
    for number in range(1, 4):
        files.append(str(tmp_path / f"{number}.json"))
        careful(plan, f"annotator-{number}", seed=number).write(Path(files[-1]))
    outcome = tmp_path / "outcome.json"
    command = ["collect", str(tmp_path / "plan.json"), *files, "-o", str(outcome)]
    with ChatServer() as server:
        server.answer = judge
        judged = [*command, "--judge", "api:small-model", "--base-url", server.url]
        done = CliRunner().invoke(annotate, judged)
        assert done.exit_code == 0, done.output
        n_asked = server.n_asked
        assert CliRunner().invoke(annotate, judged).exit_code == 0
        assert server.n_asked == n_asked
    found = json.loads(outcome.read_text())
    assert [one["kind"] for one in found["annotators"]] == ["person"] * 3 + ["model"]
    assert {sum(case["votes"]) for case in found["cases"]} == {3}
    assert (tmp_path / "outcome.api-small-model.json").is_file()
