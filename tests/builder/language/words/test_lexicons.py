"""Lexicons of others are read whole or refused with the file and the line."""

from pathlib import Path

import pytest

from builder.language.words.lexicons import load_lexicons
from contract.machine.errors import ExitCode, UserError


def written(folder: Path, name: str, text: str) -> str:
    """Write a lexicon and return how a recipe names it."""
    (folder / name).write_text(text, encoding="utf-8")
    return f"file:{folder / name}"


def test_three_formats_say_the_same(tmp_path: Path) -> None:
    """Neighbours, tables, pairs and PPDB's own lines; phrases and a word's own self are left out."""
    sources = [
        written(tmp_path, "near.json", '{"Big": ["large", "big", "very large"], "none": []}'),
        written(tmp_path, "how.tsv", "original\treplacement\tcount\nbig\tlarge\t3\nbig\thuge\t1\n"),
        written(tmp_path, "pairs.txt", "big large\n\nbig  vast \n"),
        written(tmp_path, "ppdb.txt", "[JJ] ||| big ||| sizeable ||| x=1 ||| 0-0 ||| Equivalence\n"),
    ]
    assert load_lexicons(sources) == {"big": ("large", "huge", "vast", "sizeable")}
    assert load_lexicons(sources[1:2]) == {"big": ("large", "huge")}
    assert load_lexicons([]) == {}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", "[1]", "a.json:1: expected an object"),
        ("a.json", '{\n"a": [\n', "a.json:3: not JSON"),
        ("a.json", '{"a": [1], "b": "c"}', "the neighbours of 'b'"),
        ("a.tsv", "word\tother\n", "a.tsv:1: expected the columns original and replacement"),
        ("a.tsv", "original\treplacement\nbig\n", "a.tsv:2: expected an original and a replacement"),
        ("a.txt", "big large\nbig very large\n", "a.txt:2: expected two words"),
        ("a.csv", "big,large\n", "unknown kind of lexicon"),
    ],
)
def test_a_bad_file_is_refused_where_it_is_bad(tmp_path: Path, name: str, text: str, expected: str) -> None:
    """With the exit code of bad input."""
    with pytest.raises(UserError) as refused:
        load_lexicons([written(tmp_path, name, text)])
    assert expected in refused.value.message
    assert refused.value.exit_code == ExitCode.BAD_INPUT


def test_a_missing_or_garbled_file_is_refused(tmp_path: Path) -> None:
    """Neither is a traceback."""
    with pytest.raises(UserError, match="there is no such file"):
        load_lexicons([f"file:{tmp_path / 'none.txt'}"])
    (tmp_path / "a.txt").write_bytes(b"big \xff\xfe\n")
    with pytest.raises(UserError, match="not UTF-8"):
        load_lexicons([f"file:{tmp_path / 'a.txt'}"])


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    """What was read is kept by content, not by name."""
    source = written(tmp_path, "a.txt", "big large\n")
    assert load_lexicons([source]) == {"big": ("large",)}
    written(tmp_path, "a.txt", "big huge\n")
    assert load_lexicons([source]) == {"big": ("huge",)}
