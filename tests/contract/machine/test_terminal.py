"""Control characters of files, servers and models are shown, and never obeyed by a terminal."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

import hardfrost
from contract.machine.errors import UserError
from contract.machine.progress import Bars
from contract.machine.terminal import echo, echo_data, new_console, printable
from flows.command_line import entry

ROOT = Path(__file__).parents[3]
HOSTILE = "a\x1b[2Jb\x9b1mc\rd\x07e\u202ef\x7f [/red] :smile:"
SHOWN = "a\\x1b[2Jb\\x9b1mc\\rd\\x07e\\u202ef\\x7f [/red] :smile:"


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    """Tab and line feed stay; a text without any is the same."""
    shown = printable(text)
    assert not {"Cc", "Cs", "Zl", "Zp"} & {
        unicodedata.category(character) for character in re.sub(r"[\t\n]", "", shown)
    }
    assert printable(shown) == shown
    assert printable("é 漢字 👩‍👩‍👧\n\tplain") == "é 漢字 👩‍👩‍👧\n\tplain"


def test_texts_tables_and_progress_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither as control characters nor as markup of rich."""
    echo(HOSTILE)
    table = Table(HOSTILE)
    table.add_row(HOSTILE)
    new_console(width=200).print(HOSTILE, table)
    with Bars() as progress:
        progress.say(HOSTILE)
    printed = capsys.readouterr()
    # rich drops some of them itself, and cuts what a table has no room for.
    assert printed.out.startswith(f"{SHOWN}\na\\x1b[2Jb")
    assert printed.out.count("a\\x1b[2Jb") == 1 + 1 + 2
    assert printed.err.count(SHOWN) == 1
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", printed.out + printed.err)


@given(st.text())
def test_json_says_the_same_after_it_was_printed(text: str) -> None:
    """Its own escapes stand for the characters."""
    printed: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("click.echo", lambda shown, **_options: printed.append(shown))
        echo_data(json.dumps({"x": text, "y": HOSTILE}, ensure_ascii=False, indent=2))
    assert json.loads(printed[0]) == {"x": text, "y": HOSTILE}
    assert printable(printed[0]) == printed[0]


def test_errors_are_printed_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a server or a file put into them."""

    def fail() -> None:
        raise UserError(HOSTILE)

    monkeypatch.setattr(entry, "cli", fail)
    with pytest.raises(SystemExit):
        hardfrost.main()
    assert capsys.readouterr().err == f"{SHOWN}\n"


def test_everything_is_printed_through_the_gate() -> None:
    """No module of the packages prints in another way."""
    packages = ("builder", "classifiers", "contract", "evaluator", "flows", "leaderboard")
    paths = [
        ROOT / "hardfrost.py",
        *(path for package in packages for path in (ROOT / package).rglob("*.py")),
    ]
    found = [
        str(path.relative_to(ROOT))
        for path in paths
        if "making" not in path.parts
        and re.search(
            r"click\.s?echo\(|(?<![\w.])print\(|\bConsole\(\)|sys\.std(out|err)\.write",
            path.read_text(encoding="utf-8"),
        )
    ]
    assert found == ["contract/machine/terminal.py"]
