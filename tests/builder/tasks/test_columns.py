"""Finding the columns of a data file: what looks like texts and labels, and what the user names."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builder.tasks.columns import Wish, find_columns
from contract.machine.errors import UserError

TEXTS = [f"a text of some length, number {number}" for number in range(12)]


def write(path: Path, lines: list[str]) -> Path:
    """Write a file of lines."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_file_without_header_is_known_by_its_labels(tmp_path: Path) -> None:
    """The first line's label is one of the others': it is a row."""
    path = write(tmp_path / "rows.csv", [f'"{text}",{number // 6}' for number, text in enumerate(TEXTS)])
    found = find_columns(path)
    assert not found.options.header
    assert (found.options.columns.text, found.options.columns.label) == (0, 1)
    assert found.said == "rows.csv (no header): text column 0, label column 1 (0, 1)"


def test_names_of_columns_decide_between_several_that_fit(tmp_path: Path) -> None:
    """Other columns are ignored, and it says so."""
    lines = ["id\tsplit\tsentence\tlabel"]
    lines += [f"{number}\ttest{number % 2}\t{text}\t{number % 3}" for number, text in enumerate(TEXTS)]
    found = find_columns(write(tmp_path / "rows.tsv", lines))
    assert found.options.header
    assert (found.options.columns.text, found.options.columns.label) == ("sentence", "label")
    assert found.said.endswith("ignored: `id`, `split`")


def test_pairs_are_known_by_their_usual_names(tmp_path: Path) -> None:
    """As natural language inference has them."""
    rows = [
        json.dumps({"premise": text, "hypothesis": text[::-1], "gold": ["yes", "no"][number % 2]})
        for number, text in enumerate(TEXTS)
    ]
    columns = find_columns(write(tmp_path / "rows.jsonl", rows)).options.columns
    assert (columns.text, columns.text_pair, columns.label) == ("premise", "hypothesis", "gold")


def test_what_the_user_names_is_taken(tmp_path: Path) -> None:
    """Even where another column looks better."""
    table = pa.table({"title": TEXTS, "body": [text * 3 for text in TEXTS], "y": [0, 1] * 6, "z": [1, 2] * 6})
    pq.write_table(table, tmp_path / "rows.parquet")
    assert find_columns(tmp_path / "rows.parquet").options.columns.text == "body"
    columns = find_columns(tmp_path / "rows.parquet", Wish(text="title", label="z")).options.columns
    assert (columns.text, columns.label) == ("title", "z")


@pytest.mark.parametrize(
    ("lines", "wish", "message"),
    [
        (["text,stars", *(f"{text},{n}" for n, text in enumerate(TEXTS))], Wish(), "--label"),
        (["a,label", *(f"{n},{n % 2}" for n in range(12))], Wish(), "--text"),
        (["text,label", *(f"{text},{n % 2}" for n, text in enumerate(TEXTS))], Wish(label="labl"), "label"),
        ([], Wish(), "holds no rows"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_what_to_do(
    tmp_path: Path, lines: list[str], wish: Wish, message: str
) -> None:
    """The columns are listed."""
    path = write(tmp_path / "rows.csv", [line.replace(", number", " number") for line in lines])
    with pytest.raises(UserError, match=message):
        find_columns(path, wish)
