"""The commands: data to stdout, words to stderr, exit codes, JSON for scripts."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from synthetic import right_answers, write_answers

from contract.machine.errors import UserError
from contract.schema.results import Result
from evaluator.commands.check import check
from evaluator.commands.predict import predict
from evaluator.commands.score import score
from evaluator.commands.template import template


@pytest.fixture
def answers_path(release_path: Path, tmp_path: Path) -> Path:
    """Return a file of right answers."""
    return write_answers(tmp_path / "p.jsonl", right_answers(release_path))


def test_score_writes_a_result_and_shows_it(release_path: Path, answers_path: Path, tmp_path: Path) -> None:
    """One headline with its sentence, a table a setting in 80 columns, and what to know of the model."""
    out = tmp_path / "result.json"
    arguments = [str(release_path), str(answers_path), "--model-name", "m", "-o", str(out)]
    answer = CliRunner().invoke(
        score, [*arguments, "--resamples", "50", "--notes", "n"], catch_exceptions=False
    )
    assert answer.exit_code == 0
    assert "typo-malicious" in answer.stdout
    assert "EWMA" in answer.stdout
    assert answer.stdout.startswith("m on synthetic 1.0.0: robustness 100.0 [")
    assert "The percentage of samples that are right when clean and on every case" in answer.stdout
    assert "skill on mr: balanced clean accuracy" in answer.stdout
    *lines, signature = answer.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert signature == Result.read(out).signature
    result = Result.read(out)
    assert result.model.notes == "n"
    assert result.settings.resamples == 50
    assert "resamples:50" in result.signature


def test_score_as_json_prints_the_result_alone(
    release_path: Path, answers_path: Path, tmp_path: Path
) -> None:
    """What a script reads is the file itself."""
    out = tmp_path / "result.json"
    arguments = [str(release_path), str(answers_path), "--model-name", "m", "-o", str(out), "--json"]
    answer = CliRunner().invoke(score, [*arguments, "--resamples", "0"], catch_exceptions=False)
    assert answer.stdout == out.read_text()


def test_check_says_what_is_absent(release_path: Path, tmp_path: Path) -> None:
    """A partial file is allowed and called partial."""
    answers = {name: a for name, a in right_answers(release_path).items() if "general" not in name}
    path = write_answers(tmp_path / "p.csv", answers)
    answer = CliRunner().invoke(check, [str(release_path), str(path)], catch_exceptions=False)
    assert "30 predictions for synthetic@1.0.0, no problems" in answer.stdout
    assert "absent: mr/typo-general/rule" in answer.stdout
    answer = CliRunner().invoke(check, [str(release_path), str(path), "--json"], catch_exceptions=False)
    assert json.loads(answer.stdout)["absent"] == ["mr/typo-general/rule"]


def test_check_refuses_with_the_exit_code_of_bad_input(release_path: Path, tmp_path: Path) -> None:
    """The command raises; the command line prints and exits with 3."""
    path = write_answers(tmp_path / "p.csv", {"x": "positive"})
    answer = CliRunner().invoke(check, [str(release_path), str(path)])
    assert isinstance(answer.exception, UserError)
    assert answer.exception.exit_code == 3


def test_check_lists_problems_as_json(release_path: Path, tmp_path: Path) -> None:
    """A script learns kind, line and message of each, and how many there are of a kind."""
    answers = right_answers(release_path) | {f"x{place}": "positive" for place in range(60)}
    path = write_answers(tmp_path / "p.csv", answers | {"mr-00000.clean": "postive"})
    answer = CliRunner().invoke(check, [str(release_path), str(path), "--json"])
    assert answer.exit_code == 3
    found = json.loads(answer.stdout)
    assert found["counts"] == {"unknown ids": 60, "unknown labels": 1}
    first, second = found["problems"][:2]
    assert (first["kind"], first["line"]) == ("unknown labels", 2)
    assert first["message"].startswith(f"{path}:2: prediction 'postive' for id 'mr-00000.clean' is no label")
    assert (second["kind"], second["line"]) == ("unknown ids", len(right_answers(release_path)) + 2)
    answer = CliRunner().invoke(check, [str(release_path), str(tmp_path / "none.csv"), "--json"])
    assert answer.exit_code == 3
    (problem,) = json.loads(answer.stdout)["problems"]
    assert problem["line"] is None
    assert "there is no such file" in problem["message"]


def test_a_template_and_a_prediction_are_written(release_path: Path, tmp_path: Path) -> None:
    """Both say on stderr what they did and leave stdout alone."""
    out = tmp_path / "t.csv"
    answer = CliRunner().invoke(template, [str(release_path), "-o", str(out)], catch_exceptions=False)
    assert answer.stdout == ""
    assert "54 rows" in answer.stderr
    arguments = [str(release_path), "--model", "majority", "-o", str(tmp_path / "p.csv")]
    answer = CliRunner().invoke(predict, arguments, catch_exceptions=False)
    assert answer.stdout == ""
    assert "54 predictions" in answer.stderr


def test_a_release_that_was_changed_is_not_scored_when_verified(
    release_path: Path, answers_path: Path, tmp_path: Path
) -> None:
    """A label swapped in a file is found, with the exit code of a mismatch."""
    path = release_path / "data" / "mr" / "clean.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("label")
    swapped = pa.array([1 - label for label in table["label"].to_pylist()], pa.int64())
    pq.write_table(table.set_column(place, table.schema.field(place), swapped), path)
    arguments = [str(release_path), str(answers_path), "--model-name", "m", "-o", str(tmp_path / "r.json")]
    answer = CliRunner().invoke(score, [*arguments, "--verify"])
    assert isinstance(answer.exception, UserError)
    assert answer.exception.exit_code == 4
    assert "clean.parquet" in answer.exception.message
    assert not (tmp_path / "r.json").exists()


def test_scripts_learn_what_was_written(release_path: Path, tmp_path: Path) -> None:
    """With --json the path and the number of rows stand on stdout."""
    out = str(tmp_path / "p.csv")
    cases = ((predict, ["--model", "majority"], {"unlabelled": 0}), (template, [], {}))
    for command, more, counts in cases:
        arguments = [str(release_path), *more, "-o", out, "--json"]
        answer = CliRunner().invoke(command, arguments, catch_exceptions=False)
        assert json.loads(answer.stdout) == {"path": out, "rows": 54, **counts}


def test_a_model_name_must_be_one(release_path: Path, answers_path: Path, tmp_path: Path) -> None:
    """What strangers say of their model is checked."""
    arguments = [str(release_path), str(answers_path), "--model-name", "", "-o", str(tmp_path / "r.json")]
    answer = CliRunner().invoke(score, arguments)
    assert isinstance(answer.exception, UserError)
    assert "model name" in answer.exception.message


@pytest.mark.parametrize("command", ["predict", "template", "check", "score", "compare", "export"])
def test_the_commands_import_nothing_heavy(command: str) -> None:
    """`hardfrost --help` must answer at once."""
    heavy = ("numpy", "pyarrow", "pydantic", "rich")
    code = f"import sys, evaluator.commands.{command}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
