"""JSON of strangers is a value that can be printed and hashed, or a ValueError."""

import json
from pathlib import Path

import pytest

from contract.machine.errors import UserError
from contract.machine.json_text import MOST_LEVELS, canonical_json, parsed_json
from contract.machine.problems import shown
from contract.schema.late_drops import read_drops
from contract.schema.timings import read_timings


@pytest.mark.parametrize("n_levels", [MOST_LEVELS + 1, 255, 900, 985, 100_000])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_what_is_nested_too_deeply_is_refused_before_anything_walks_through_it(
    n_levels: int, start: str, end: str
) -> None:
    """A parser takes what a printer or a hash cannot."""
    with pytest.raises(ValueError, match="nested too deeply"):
        parsed_json(f"{start * n_levels}1{end * n_levels}")


@pytest.mark.parametrize(
    "text", ["1", '"x"', "[]", "{}", '{"a": [{"b": []}]}', "[" * MOST_LEVELS + "]" * MOST_LEVELS]
)
def test_other_values_are_as_they_are(text: str) -> None:
    """As deep as files may be."""
    assert canonical_json(parsed_json(text)) == canonical_json(json.loads(text))


def test_a_value_that_cannot_be_printed_is_shown_as_such() -> None:
    """Those of predictions are parsed with their own bounds."""
    value: list[object] = []
    for _ in range(5_000):
        value = [value]
    assert shown(value) == "a deeply nested value"


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        "[]",
        '{"stage": 1, "title": "x", "seconds": 1}',
        '{"stage": "x", "title": "x", "seconds": "1"}',
        '{"stage": "x", "title": "x", "seconds": NaN}',
        '{"stage": "x", "title": "x", "seconds": 1, "n_rows": [1]}',
        '{"stage": "x", "title": "x", "seconds": true}',
    ],
)
def test_lines_of_other_kinds_are_refused(tmp_path: Path, line: str) -> None:
    """In the files that stay with the owner of a release."""
    path = tmp_path / "lines.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"lines\.jsonl:1: not a line of timings"):
        read_timings(path)
    with pytest.raises(UserError, match=r"lines\.jsonl: cannot be read"):
        read_drops(path)
