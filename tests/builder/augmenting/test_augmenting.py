"""Training rows made by the generators of the dimensions: labels kept, no sample among them, of use."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import hardfrost
from builder.augmenting.augmenting import Way, augment
from builder.augmenting.perturbing import LabelledText, perturb_texts
from builder.augmenting.tables import DataTable, read_table, write_table
from builder.tasks.columns import ColumnNames, columns_in_rows
from contract.machine.errors import UserError
from contract.schema.edits import Edit, apply_edits

COLUMNS = ColumnNames(text="text", text_pair=None, label="label")
GOOD = "a warm and funny film that everybody in the family should see at least once number {}"
BAD = "a dull and lifeless film that nobody in the family should ever have to sit through number {}"


def rows(n: int) -> list[dict[str, Any]]:
    """Return rows of two labels with a column that nobody asked for."""
    return [
        {"text": (GOOD if row % 2 else BAD).format(row), "label": ("bad", "good")[row % 2], "row": row}
        for row in range(n)
    ]


def table(n: int) -> DataTable:
    """Return them as a table."""
    return DataTable(columns=("text", "label", "row"), rows=rows(n))


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def test_a_share_of_the_rows_gets_a_copy_with_label_and_columns_kept() -> None:
    """Of both dimensions and degrees; the rows that were there come first, unchanged."""
    ways = [Way(dimension="typo-general", degree=0.1), Way(dimension="glyph-malicious", degree=0.25)]
    done = augment(table(40), COLUMNS, ways, share=0.5, seed=7, has_notes=True)
    assert (done.n_rows, done.n_made, done.n_wanted, done.n_in_release) == (40, 20, 20, 0)
    old, new = done.table.rows[:40], done.table.rows[40:]
    assert [{name: row[name] for name in ("text", "label", "row")} for row in old] == rows(40)
    assert {(row["dimension"], row["degree"]) for row in new} == {
        ("typo-general", 0.1),
        ("glyph-malicious", 0.25),
    }
    for row in new:
        origin = rows(40)[row["made_from_row"]]
        assert (row["label"], row["row"]) == (origin["label"], origin["row"])
        edits = [Edit(**edit) for edit in json.loads(row["edits"])]
        assert apply_edits(origin["text"], edits) == row["text"] != origin["text"]


def test_the_same_seed_makes_the_same_rows_and_another_seed_others() -> None:
    """Whatever the order of the rows."""
    ways = [Way(dimension="typo-general", degree=0.2)]

    def made(given: Sequence[dict[str, Any]], seed: int) -> set[str]:
        data = DataTable(columns=("text", "label", "row"), rows=given)
        return {row["text"] for row in augment(data, COLUMNS, ways, share=0.3, seed=seed).table.rows[30:]}

    assert made(rows(30), 1) == made(rows(30)[::-1], 1)
    assert made(rows(30), 1) != made(rows(30), 2)


def test_no_sample_of_a_release_is_among_the_rows(tiny: Path) -> None:
    """Neither as it is nor as a case, however it is spaced and cased."""
    release = hardfrost.load(tiny)
    samples = release.to_pandas()
    samples = samples[samples["dimension"] == "clean"]
    leaked = [
        {"text": text.upper().replace(" ", "  "), "label": label, "row": -1}
        for text, label in zip(samples["text"][:5], samples["label_name"][:5], strict=True)
    ]
    given = DataTable(columns=("text", "label", "row"), rows=[*rows(20), *leaked])
    ways = [Way(dimension="typo-general", degree=0.1)]
    done = augment(given, COLUMNS, ways, share=1.0, seed=0, without=[tiny])
    assert (done.n_rows, done.n_in_release) == (20, 5)
    assert {row["row"] for row in done.table.rows} == set(range(20))


def test_a_case_that_reads_as_another_label_is_not_made() -> None:
    """`film` one letter on is a word of the other label; without labels nobody knows."""
    texts = [LabelledText(text=GOOD.format(row), label=1) for row in range(60)]
    free = perturb_texts(texts, "typo-malicious", 0.1, 3)
    typical = {word: 0 for case in free if case for word in case.text.casefold().split()}
    kept = perturb_texts(texts, "typo-malicious", 0.1, 3, associations=typical)
    n_free, n_kept = (sum(case is not None for case in cases) for cases in (free, kept))
    assert n_kept < n_free


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_every_format_comes_back_as_it_was(kind: str, tmp_path: Path) -> None:
    """With all its columns; Parquet with their types."""
    path = tmp_path / f"data.{kind}"
    data = rows(12)
    if kind == "parquet":
        schema = pa.schema([("text", pa.large_string()), ("label", pa.string()), ("row", pa.int16())])
        pq.write_table(pa.Table.from_pylist(data, schema), path)
    else:
        write_table(path, DataTable(columns=("text", "label", "row"), rows=data))
    out = tmp_path / f"more.{kind}"
    ways = ["--dimension", "typo-general", "--degree", "0.1", "--share", "0.5"]
    done = run("augment", path, *ways, "-o", out)
    assert done.exit_code == 0, done.output
    assert "12 rows and 6 made of them" in done.output
    again = read_table(out)
    before = read_table(path)
    assert again.columns == before.columns
    assert list(again.rows[:12]) == list(before.rows)
    assert len(again.rows) == 18
    assert again.schema == before.schema


def test_a_file_without_a_header_stays_without_one(tmp_path: Path) -> None:
    """As many data sets have it: columns are called by their numbers."""
    path = tmp_path / "data.tsv"
    path.write_text("".join(f"{row['label']}\t{row['text']}\n" for row in rows(10)), encoding="utf-8")
    assert read_table(path).columns == ("0", "1")
    done = run("perturb", path, "--dimension", "typo-general", "--degree", "0.1", "-o", tmp_path / "p.tsv")
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "p.tsv").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[0] for line in lines] == [row["label"] for row in rows(10)]
    assert all(line.split("\t")[1] != row["text"] for line, row in zip(lines, rows(10), strict=True))


def test_perturb_prints_texts_or_writes_a_file(tmp_path: Path) -> None:
    """The same texts as the function of the Python API makes."""
    path = tmp_path / "data.csv"
    short = [*rows(6), {"text": "hm", "label": "bad", "row": 6}]
    write_table(path, DataTable(columns=("text", "label", "row"), rows=short))
    options = ["--dimension", "typo-general", "--degree", "0.1", "--seed", "5"]
    expected = hardfrost.perturb([row["text"] for row in short], "typo-general", 0.1, 5)
    printed = run("perturb", path, *options)
    assert printed.stdout.splitlines() == expected.texts
    assert "6 of 7 texts perturbed" in printed.stderr
    assert run("perturb", path, *options, "--edits", "-o", tmp_path / "out.csv").exit_code == 0
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["text"] for row in written] == expected.texts
    assert [bool(row["edits"]) for row in written] == expected.is_changed
    said = json.loads(run("perturb", path, *options, "--json").stdout)
    assert said["texts"] == expected.texts


def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path) -> None:
    """A wrong column, a wrong format, a wrong dimension."""
    path = tmp_path / "data.csv"
    write_table(path, table(6))
    ways = ["--dimension", "typo-general", "--degree", "0.1"]
    for arguments, message in (
        (["augment", path, *ways, "-o", tmp_path / "x.xlsx"], "end the name with .csv, .tsv"),
        (["augment", path, *ways, "--text", "txt", "-o", tmp_path / "x.csv"], "did you mean 'text'?"),
        (["perturb", path, "--dimension", "typo", "--degree", "0.1"], "unknown dimension 'typo'"),
        (["perturb", path, "--dimension", "typo-general", "--degree", "1"], "at most 0.8"),
        (["perturb", tmp_path / "none.csv", *ways], "there is no such file"),
    ):
        failed = run(*arguments)
        assert isinstance(failed.exception, UserError), failed.output
        assert message in failed.exception.message


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("id", "text", "label"), ("text", None, "label")),
        (("premise", "hypothesis", "gold_label"), ("premise", "hypothesis", "gold_label")),
        (("Review", "stars"), ("Review", None, "stars")),
    ],
)
def test_columns_are_found_by_name_and_content(
    names: tuple[str, ...], expected: tuple[str, str | None, str]
) -> None:
    """Whatever they are called; an id is neither a text nor a label."""
    values = {
        "id": lambda row: f"row {row}",
        "label": lambda row: row % 2,
        "gold_label": lambda row: row % 3,
        "stars": lambda row: row % 5,
    }
    data = [{name: values.get(name, GOOD.format)(row) for name in names} for row in range(20)]
    found = columns_in_rows(data, "data.csv")
    assert (found.text, found.text_pair, found.label) == expected


def test_training_on_typos_makes_a_model_more_robust_to_typos(tmp_path: Path) -> None:
    """A linear model of words, trained on augmented rows, has a higher average on held-out rows.

    The rows it is scored on are not among those it is trained on, and their typos are drawn otherwise.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    keys = {
        "name": "held-out",
        "version": "1",
        "tasks": [{"name": "mr", "source": "mr", "samples": 300, "train_rows": 2000}],
        "dimensions": [{"name": "typo-general", "degrees": [0.1, 0.3, 0.5]}],
        "cases": {"rule": 2},
    }
    release = hardfrost.build(keys, tmp_path / "release")
    train = release.datasets["mr__train"]["train"]
    names = release.labels()
    data = DataTable(
        columns=("text", "label"),
        rows=[
            {"text": text, "label": names[label]}
            for text, label in zip(train["text"][:], train["label"][:], strict=True)
        ],
    )
    write_table(tmp_path / "train.csv", data)
    ways = ["--dimension", "typo-general", "--degree", "0.5", "--share", "1", "--seed", "3"]
    more = ["--without", release.path, "-o", tmp_path / "more.csv"]
    done = run("augment", tmp_path / "train.csv", *ways, *more)
    assert done.exit_code == 0, done.output

    def average(path: Path) -> float:
        given = read_table(path).rows
        model = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=500)).fit(
            [row["text"] for row in given], [row["label"] for row in given]
        )
        score = hardfrost.score(release, hardfrost.predict(release, model), resamples=0)
        cell = score.result.tasks["mr"].dimensions["typo-general"]["rule"]
        assert cell.average is not None
        return cell.average.ewma

    plain, augmented = average(tmp_path / "train.csv"), average(tmp_path / "more.csv")
    assert augmented > plain
