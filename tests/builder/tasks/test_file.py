"""Files as people have them: handled, or refused by line."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builder.tasks.file import read_file
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import Columns, ReadOptions, TaskRecipe
from contract.machine import parquet_files
from contract.machine.errors import ExitCode, UserError

TEXTS = ["it 's good", 'a "fine" film', "bad, very bad"]


def texts(path: Path, **reading: object) -> list[str]:
    """Return the texts that a file holds."""
    return [row.text for row in read_file(str(path), ReadOptions(**reading)).rows]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", b'text,label\nit \'s good,1\n"a ""fine"" film",1\n"bad, very bad",0\n'),
        ("crlf.csv", b'text,label\r\nit \'s good,1\r\n"a ""fine"" film",1\r\n"bad, very bad",0\r\n'),
        ("bom.csv", b'\xef\xbb\xbftext,label\nit \'s good,1\n"a ""fine"" film",1\n"bad, very bad",0\n'),
        ("quotes.tsv", b'text\tlabel\nit \'s good\t1\na "fine" film\t1\nbad, very bad\t0\n'),
        ("blank.tsv", b'text\tlabel\n\nit \'s good\t1\na "fine" film\t1\nbad, very bad\t0\n\n'),
        (
            "rows.jsonl",
            (
                b'{"text":"it \'s good","label":1}\n{"text":"a \\"fine\\" film","label":1}\n'
                b'{"text":"bad, very bad","label":0}\n'
            ),
        ),
        ("utf16.tsv", 'text\tlabel\nit \'s good\t1\na "fine" film\t1\nbad, very bad\t0\n'.encode("utf-16")),
    ],
)
def test_a_file_is_read_whatever_its_dress(tmp_path: Path, name: str, content: bytes) -> None:
    """BOMs, line ends, quoting and formats make no difference to the rows."""
    (tmp_path / name).write_bytes(content)
    assert texts(tmp_path / name) == TEXTS


def test_parquet_is_read(tmp_path: Path) -> None:
    """Typed columns become texts and labels."""
    pq.write_table(pa.table({"text": TEXTS, "label": [1, 1, 0]}), tmp_path / "rows.parquet")
    assert texts(tmp_path / "rows.parquet") == TEXTS


def test_a_quoted_cell_may_hold_line_ends_and_the_next_error_still_names_its_line(tmp_path: Path) -> None:
    """Lines are counted in the file, not in rows."""
    path = tmp_path / "long.csv"
    path.write_text('text,label\n"one\ntwo",1\nthree\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"long\.csv:4: 1 columns, expected 2"):
        texts(path)


def test_columns_by_number_without_a_header(tmp_path: Path) -> None:
    """As AG News is published."""
    (tmp_path / "ag.csv").write_text('"3","Title","Text one"\n"1","Other","Text two"\n', encoding="utf-8")
    assert texts(tmp_path / "ag.csv", header=False, columns=Columns(text=2, label=0)) == [
        "Text one",
        "Text two",
    ]


@pytest.mark.parametrize(
    ("content", "reading", "message"),
    [
        (b"text,label\ncaf\xe9,1\n", {}, r"x\.csv:2: not utf-8 \(byte 0xe9\); say `encoding: latin-1`"),
        (b"text,label\na,1\n", {"encoding": "utf-99"}, "unknown encoding 'utf-99'"),
        (b"text,label\na,1,2\n", {}, r"x\.csv:2: 3 columns, expected 2"),
        (b"texts,label\na,1\n", {}, r"x\.csv:2: no column 'text'; did you mean 'texts'\?"),
        (b'text,label\n"a,1\n', {}, r"x\.csv:2: cannot be read as CSV"),
        (b"text,label\n ,1\n", {}, r"x\.csv:2: a text is empty"),
        (b"text,label\n", {}, "holds no labelled rows"),
        (b"", {}, "holds no labelled rows"),
    ],
)
def test_what_cannot_be_read_is_refused_by_line(
    tmp_path: Path, content: bytes, reading: dict[str, object], message: str
) -> None:
    """File, line, what is wrong, what to do."""
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(UserError, match=message) as caught:
        texts(tmp_path / "x.csv", **reading)
    assert caught.value.exit_code is ExitCode.BAD_INPUT


def test_latin_1_is_read_when_said(tmp_path: Path) -> None:
    """The remedy of the message works."""
    (tmp_path / "x.csv").write_bytes(b"text,label\ncaf\xe9,1\n")
    assert texts(tmp_path / "x.csv", encoding="latin-1") == ["café"]


def test_parquet_that_stops_or_floods_its_reader_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process with limits reads it first: Arrow ends the one that reads some damaged files."""
    path = tmp_path / "x.parquet"
    values = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int32()), ["x" * 10_000])
    pq.write_table(pa.table({"text": values, "label": values}), path, store_schema=False)
    with pytest.raises(UserError, match=r"x\.parquet: not a Parquet file that can be read") as caught:
        texts(path)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    (tmp_path / "aborting.py").write_text("import os\ndef answer(_):\n    os.abort()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(parquet_files, "_TRIAL", "aborting")
    pq.write_table(pa.table({"text": TEXTS, "label": [1, 1, 0]}), path)
    with pytest.raises(UserError, match=r"x\.parquet: .*stops its reader.*; write it again"):
        texts(path)


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet", "x.xlsx"])
def test_binary_and_unknown_files_are_refused(tmp_path: Path, name: str) -> None:
    """No traceback, whatever is inside."""
    (tmp_path / name).write_bytes(gzip.compress(b"not what it says"))
    with pytest.raises(UserError):
        texts(tmp_path / name)


def test_empty_labels_are_refused_by_line_or_dropped_when_said(tmp_path: Path) -> None:
    """As Quora's pairs are published."""
    path = tmp_path / "x.csv"
    path.write_text("text,label\na,1\nb,\nc,0\n", encoding="utf-8")
    recipe = TaskRecipe(name="x", source=f"file:{path}", samples=1)
    with pytest.raises(
        UserError, match=r"x\.csv:3: the label is empty; fill it in, or say `unlabelled: drop`"
    ):
        load_tasks((recipe,))
    (task,) = load_tasks((recipe.model_copy(update={"read": ReadOptions(unlabelled="drop")}),))
    assert len(task.samples) + len(task.train) == 2
    assert {sample.id for sample in task.samples + task.train} == {"x-00000", "x-00002"}


def test_unknown_labels_are_refused_together_with_their_lines(tmp_path: Path) -> None:
    """Both lines are named at once."""
    path = tmp_path / "x.csv"
    path.write_text("text,label\na,1\nb,2\nc,spam\nd,0\n", encoding="utf-8")
    recipe = TaskRecipe(name="x", source=f"file:{path}", samples=1, labels=("no", "yes"))
    with pytest.raises(UserError) as caught:
        load_tasks((recipe,))
    assert [line.partition(": ")[0].rpartition(":")[2] for line in caught.value.message.splitlines()] == [
        "3",
        "4",
    ]


def test_labels_are_mapped_named_or_counted(tmp_path: Path) -> None:
    """A map, names, indices and floats that mean indices."""
    path = tmp_path / "x.csv"
    path.write_text("text,label\na,1.0\nb,0\nc,1\n", encoding="utf-8")
    (by_index,) = load_tasks((TaskRecipe(name="x", source=f"file:{path}", samples=3, labels=("no", "yes")),))
    assert [sample.label for sample in by_index.samples] == [1, 0, 1]
    mapped = TaskRecipe(
        name="x",
        source=f"file:{path}",
        samples=3,
        labels=("no", "yes"),
        label_map={"1.0": "no", "1": "no", "0": "yes"},
    )
    assert [sample.label for sample in load_tasks((mapped,))[0].samples] == [0, 1, 0]


@pytest.mark.parametrize(
    ("name", "content", "reading"),
    [
        ("deep.jsonl", b'{"text":' + b"[" * 200_000, {}),
        ("deep.jsonl", b'{"text":' + b"[" * 200_000 + b"]" * 200_000 + b"}", {}),
        ("half.jsonl", b'{"text":"half \\ud800","label":"1"}', {}),
        ("half.jsonl", b'{"text":"a","label":"\\udfff"}', {}),
        ("digits.jsonl", b'{"text":"a","label":' + b"9" * 5_000 + b"}", {}),
        ("columns.jsonl", b'{"x":1}', {}),
        ("rows.csv", b"text,label\na,1\n", {"encoding": "undefined"}),
        ("rows.csv", b"text,label\na,1\n", {"encoding": "utf-8\0"}),
        ("rows.csv", b"text,label\na,1\n", {"encoding": "hex"}),
        ("rows.csv", b"text,label\na..b,1\n" + b"x" * 70, {"encoding": "idna"}),
        ("rows.csv", b"text,label\n\\ud800,1\n", {"encoding": "unicode_escape"}),
        ("rows.csv", b"text,label\na,1\n", {"delimiter": '"'}),
        ("rows.csv", b"text,label\na,1\n", {"delimiter": "\n"}),
    ],
)
def test_hostile_content_is_refused_by_file(
    tmp_path: Path, name: str, content: bytes, reading: dict[str, object]
) -> None:
    """Never by a traceback."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=name) as refused:
        texts(tmp_path / name, **reading)
    assert refused.value.exit_code == ExitCode.BAD_INPUT


@pytest.mark.parametrize("label", ["²", "9" * 5_000, "9" * 5_000 + ".0", "two\nlines", "x" * 2_000])
def test_odd_labels_are_refused_and_never_read_as_numbers(tmp_path: Path, label: str) -> None:
    """What looks like a number need not be one that Python reads."""
    rows = [{"text": "good", "label": label}, {"text": "bad", "label": "0"}, {"text": "fine", "label": label}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    recipe = TaskRecipe(name="odd", source=f"file:{tmp_path / 'rows.jsonl'}", samples=2)
    if label == "²":
        assert load_tasks([recipe])[0].info.labels == ("0", "²")
        return
    with pytest.raises(UserError, match="label"):
        load_tasks([recipe])
    with pytest.raises(UserError, match="unknown label"):
        load_tasks([recipe.model_copy(update={"labels": ("0", "1")})])


def test_rows_with_empty_texts_are_refused_or_dropped(tmp_path: Path) -> None:
    """Refused with a word on how to drop them; the others keep their numbers."""
    path = tmp_path / "gaps.csv"
    path.write_text("text,label\n,1\ngood,1\n   ,0\nbad,0\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"gaps.csv:2: a text is empty.*empty: drop"):
        texts(path)
    rows = read_file(str(path), ReadOptions(empty="drop")).rows
    assert [(row.row, row.text) for row in rows] == [(1, "good"), (3, "bad")]


def test_a_list_in_one_json_file_is_read(tmp_path: Path) -> None:
    """What is no list of objects is refused."""
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"text": text, "label": 1} for text in TEXTS]), encoding="utf-8")
    assert texts(path) == TEXTS
    path.write_text('{"text": "good"}', encoding="utf-8")
    with pytest.raises(UserError, match="expected a list of JSON objects, found a dict"):
        texts(path)
    path.write_text('[{"text": "good", "label": 1}, 7]', encoding="utf-8")
    with pytest.raises(UserError, match=r"rows.json:2: expected a JSON object"):
        texts(path)
    path.write_text('{"text": "good"}\n{"text": "bad"}', encoding="utf-8")
    with pytest.raises(UserError, match=r"a \.jsonl file"):
        texts(path)


def test_several_files_of_one_task_follow_each_other(tmp_path: Path) -> None:
    """Each sample has a number of its own; a file without labels gets one, other labels are dropped."""
    (tmp_path / "a.jsonl").write_text(
        '{"text": "kept one", "label": 1}\n{"text": "other", "label": 0}\n', encoding="utf-8"
    )
    (tmp_path / "b.jsonl").write_text('{"text": "kept two"}\n{"text": "kept three"}\n', encoding="utf-8")
    recipe = TaskRecipe(
        name="joined",
        source=f"file:{tmp_path}/a.jsonl",
        more_sources=(f"file:{tmp_path}/b.jsonl",),
        read=ReadOptions(default_label="benign", unknown="drop"),
        labels=("benign", "attack"),
        label_map={"benign": "benign", "1": "attack"},
        samples=3,
    )
    (task,) = load_tasks((recipe,))
    assert {(sample.id, sample.text, sample.label) for sample in task.samples} == {
        ("joined-00000", "kept one", 1),
        ("joined-00002", "kept two", 0),
        ("joined-00003", "kept three", 0),
    }
    (alone,) = load_tasks((recipe.model_copy(update={"more_sources": (), "samples": 1}),))
    assert alone.info.source_sha256 != task.info.source_sha256
