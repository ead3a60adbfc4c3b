"""The commands `leaderboard` and `site`, as a shell sees them."""

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner
from made_results import make_result

from contract.machine.errors import UserError
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


def test_importing_the_commands_is_cheap() -> None:
    """Help must answer at once: nothing heavy is imported before a command runs."""
    heavy = {"jinja2", "numpy", "pandas", "pyarrow", "pydantic"}
    code = f"import sys, leaderboard.commands.leaderboard; print({heavy!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
