"""The commands: data to stdout, words to stderr, exit codes, JSON for scripts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from synthetic import right_answers, write_answers

from contract.errors import UserError
from contract.results import Result
from evaluator.commands import check, predict, score, template


@pytest.fixture
def answers_path(release_path: Path, tmp_path: Path) -> Path:
    """Return a file of right answers."""
    return write_answers(tmp_path / "p.jsonl", right_answers(release_path))


def test_score_writes_a_result_and_shows_it(release_path: Path, answers_path: Path, tmp_path: Path) -> None:
    """Degrees across, dimensions down, EWMA last."""
    out = tmp_path / "result.json"
    arguments = [str(release_path), str(answers_path), "--model-name", "m", "-o", str(out)]
    answer = CliRunner().invoke(
        score, [*arguments, "--resamples", "50", "--notes", "n"], catch_exceptions=False
    )
    assert answer.exit_code == 0
    assert "typo-malicious" in answer.stdout
    assert "EWMA worst" in answer.stdout
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


def test_the_commands_import_nothing_heavy() -> None:
    """`hardfrost --help` must answer at once."""
    heavy = ("numpy", "pyarrow", "pydantic", "rich")
    code = f"import sys, evaluator.commands; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
