"""The commands `leaderboard` and `site`, as a shell sees them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_results import make_result

from contract.machine.errors import UserError
from contract.schema.leaderboards import Leaderboard
from leaderboard.commands.leaderboard import leaderboard, site


def test_the_two_commands_chain(tmp_path: Path) -> None:
    """Results in, path of the first page out; notes go to stderr."""
    make_result("one").write(tmp_path / "results" / "one__one" / "1" / "result.json")
    (tmp_path / "results" / "other.json").write_text("{}")
    runner = CliRunner()
    board_path, site_dir = tmp_path / "leaderboard.json", tmp_path / "site"
    first = runner.invoke(
        leaderboard, [str(tmp_path / "results"), "-o", str(board_path), "--figures", str(tmp_path / "f.csv")]
    )
    assert (first.exit_code, first.stdout) == (0, f"{board_path}\n")
    assert first.stderr == "other.json: not a result, left out\n1 in all, 1 of them ranked\n"
    assert (tmp_path / "f.csv").read_text().startswith('"organisation","model"')
    second = runner.invoke(site, [str(board_path), "-o", str(site_dir)])
    assert (second.exit_code, second.stdout) == (0, f"{site_dir / 'index.html'}\n")
    assert (site_dir / "index.html").is_file()


def test_bad_input_is_left_to_the_command_line_to_word(tmp_path: Path) -> None:
    """A user's error passes through as it is."""
    outcome = CliRunner().invoke(site, [str(tmp_path / "nothing.json"), "-o", str(tmp_path / "site")])
    assert isinstance(outcome.exception, UserError)
    assert "there is no such file" in outcome.exception.message
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("place", ["rank", "n_samples", "n_cases", "rows", "n_parameters"])
def test_a_leaderboard_by_hand_with_counts_that_overflow_is_refused(
    board: Leaderboard, tmp_path: Path, place: str
) -> None:
    """By file and key; nothing is written."""
    raw = board.to_json()
    entry = raw["entries"][0]
    task = entry["result"]["tasks"]["mr"]
    degree = task["dimensions"]["synonym"]["rule"]["degrees"]["0.1"]
    holder = {
        "rank": entry,
        "n_samples": task["clean"],
        "n_cases": degree,
        "rows": entry["result"]["predictions"],
        "n_parameters": entry["result"]["model"],
    }[place]
    holder[place] = [2**63, 2**63] if place == "rank" else 2**63
    path = tmp_path / "board.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    outcome = CliRunner().invoke(site, [str(path), "-o", str(tmp_path / "site")])
    assert isinstance(outcome.exception, UserError)
    assert str(path) in outcome.exception.message
    assert place in outcome.exception.message
    assert "less than or equal to 9223372036854775807" in outcome.exception.message
    assert not (tmp_path / "site").exists()


def test_importing_the_commands_is_cheap() -> None:
    """Help must answer at once: nothing heavy is imported before a command runs."""
    heavy = {"jinja2", "numpy", "pandas", "pyarrow", "pydantic"}
    code = f"import sys, leaderboard.commands.leaderboard; print({heavy!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
