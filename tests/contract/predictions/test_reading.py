"""Predictions files of strangers: read in any format, or refused with everything that is wrong."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluator"))

from synthetic import SyntheticTask, right_answers, write_answers, write_release, write_small_release

from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of_file
from contract.predictions import reading
from contract.predictions.formats import chunks
from contract.predictions.reading import Predictions, ReleaseRows, read_predictions
from contract.release.release import Release


@pytest.fixture
def rows(tmp_path: Path) -> ReleaseRows:
    """Return the rows of a small release."""
    return ReleaseRows.read(Release.open(write_small_release(tmp_path / "release")))


@pytest.fixture
def answers(rows: ReleaseRows) -> dict[str, Any]:
    """Return the right answer to each row."""
    return dict(right_answers(rows.release.path))


def _refusal(path: Path, rows: ReleaseRows) -> str:
    with pytest.raises(UserError) as refused:
        read_predictions(path, rows)
    assert refused.value.exit_code == ExitCode.BAD_INPUT
    return refused.value.message


def _lines(answers: dict[str, Any]) -> list[str]:
    return [json.dumps({"id": name, "prediction": answer}) for name, answer in answers.items()]


def _read(path: Path, text: str, rows: ReleaseRows) -> Predictions:
    path.write_bytes(text.encode())
    return read_predictions(path, rows)


def test_all_problems_are_listed_together(rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path) -> None:
    """Each with line, id, nearest valid id and remedy."""
    lines = _lines(answers)
    lines[1] = lines[1].replace("mr-00001.clean", "mr-00001.claen")
    lines[2] = lines[2].replace("negative", "negativ")
    lines[4] = lines[3]
    lines[5] = '{"id": "mr-00005.clean", "prediction": NaN}'
    lines[6] = "{broken"
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(lines))
    message = _refusal(path, rows)
    assert f"{path}:2: unknown id 'mr-00001.claen'; did you mean 'mr-00001.clean'?" in message
    assert (
        f"{path}:3: prediction 'negativ' for id 'mr-00002.clean' is no label of task mr; did you mean"
        in message
    )
    assert f"{path}:5: id 'mr-00003.clean' stands already on line 4; give every id once" in message
    assert f"{path}:6: prediction nan is no label for id 'mr-00005.clean'" in message
    assert f"{path}:7: not JSON" in message
    assert "2 of 6 rows of mr/clean are missing, among them 'mr-00001.clean', 'mr-00004.clean'" in message
    assert len(message.splitlines()) == 7


def test_many_problems_of_one_kind_do_not_hide_another(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """Every kind is shown; the rest is counted."""
    strange = {f"strange-{place}": "positive" for place in range(300)}
    path = write_answers(tmp_path / "p.csv", strange | {"mr-00001.clean": "maybe"})
    message = _refusal(path, rows)
    assert "prediction 'maybe'" in message
    assert "more problems of this kind: unknown ids" in message
    assert len(message.splitlines()) <= 55


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.parquet"])
def test_another_benchmark_is_refused(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path, name: str
) -> None:
    """A file that says what it is for is taken at its word."""
    read_predictions(write_answers(tmp_path / name, answers, benchmark="synthetic@1.0.0"), rows)
    message = _refusal(write_answers(tmp_path / name, answers, benchmark="synthetic@0.9.0"), rows)
    assert "made for benchmark 'synthetic@0.9.0', this release is 'synthetic@1.0.0'" in message


def test_further_keys_count_wherever_in_the_file_they_begin(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks of rows with nothing but id and answer, then one with more: none of it is passed over."""
    monkeypatch.setattr(chunks, "BLOCK_BYTES", 200)
    lines = _lines(answers)
    with_more = json.dumps({**json.loads(lines[-1]), "unknown": 1})
    assert _read(tmp_path / "p.jsonl", "\n".join([*lines[:-1], with_more]), rows).n_rows == len(lines)
    of_another = json.dumps({**json.loads(lines[-1]), "benchmark": "other@1"})
    (tmp_path / "o.jsonl").write_text("\n".join([*lines[:-1], of_another]), encoding="utf-8")
    assert f"o.jsonl:{len(lines)}: made for benchmark 'other@1'" in _refusal(tmp_path / "o.jsonl", rows)


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.parquet"])
@pytest.mark.parametrize("bad", [[0.5], [0.5, 0.5, 0.0], [1.5, -0.5], [0.1, 0.1]])
def test_probabilities_must_be_some(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path, name: str, bad: list[float]
) -> None:
    """One a label, from 0 to 1, summing to 1."""
    message = _refusal(write_answers(tmp_path / name, answers, probabilities=bad), rows)
    assert f"probabilities {bad!r}, for id 'mr-00000.clean'" in message


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.parquet"])
def test_probabilities_are_kept_in_the_order_of_the_release(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path, name: str
) -> None:
    """Whatever the order of the file."""
    backwards = dict(reversed(answers.items()))
    path = write_answers(tmp_path / name, backwards, probabilities=[0.25, 0.75])
    found = read_predictions(path, rows).probabilities
    assert found is not None
    assert found.tolist() == [[0.25, 0.75]] * len(rows)


def test_byte_order_mark_crlf_blank_lines_and_whole_floats_are_fine(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """What editors and data frames do to a file does not change the answers."""
    expected = read_predictions(write_answers(tmp_path / "plain.jsonl", answers), rows).labels
    jsonl = "\ufeff" + "\r\n\r\n".join(_lines(answers)) + "\r\n"
    assert (_read(tmp_path / "p.jsonl", jsonl, rows).labels == expected).all()
    csv_lines = ["id,prediction,note", *(f'{name},{answer},"a\nb"' for name, answer in answers.items())]
    assert (_read(tmp_path / "p.csv", "\ufeff" + "\r\n".join(csv_lines), rows).labels == expected).all()
    floats = {name: float(answer == "positive") for name, answer in answers.items()}
    for name in ("f.jsonl", "f.parquet", "f.csv"):
        assert (read_predictions(write_answers(tmp_path / name, floats), rows).labels == expected).all()


def test_names_that_are_other_labels_indices_must_be_given_as_names(tmp_path: Path) -> None:
    """With stars 1 and 2 as labels, the number 1 could mean either."""
    task = SyntheticTask(name="stars", labels=("1", "2"), clean=(0, 1), cases=())
    write_release(tmp_path / "r", [task])
    rows = ReleaseRows.read(Release.open(tmp_path / "r"))
    named = {"stars-00000.clean": "1", "stars-00001.clean": "2"}
    assert read_predictions(write_answers(tmp_path / "p.jsonl", named), rows).labels.tolist() == [0, 1]
    numbers = {"stars-00000.clean": 1, "stars-00001.clean": 2}
    assert "ambiguous" in _refusal(write_answers(tmp_path / "p.jsonl", numbers), rows)
    floats = {name: float(number) for name, number in numbers.items()}
    for name in ("f.jsonl", "f.parquet", "f.csv"):
        assert "ambiguous" in _refusal(write_answers(tmp_path / name, floats), rows)


def test_a_text_that_looks_like_a_number_is_an_index_only_where_there_are_no_numbers(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """CSV has texts only; JSON and Parquet say what is a text."""
    texts = {name: f"{int(answer == 'positive')}.0" for name, answer in answers.items()}
    assert (read_predictions(write_answers(tmp_path / "p.csv", texts), rows).labels >= 0).all()
    for name in ("p.jsonl", "p.parquet"):
        assert "is no label of task" in _refusal(write_answers(tmp_path / name, texts), rows)
    for wrong in ("2.0", "0.5", "-1.0", "1.0.0"):
        path = write_answers(tmp_path / "q.csv", texts | {"mr-00000.clean": wrong})
        assert f"prediction '{wrong}' for id 'mr-00000.clean' is no label" in _refusal(path, rows)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("id;prediction", "no column `id`"),
        ("idx,prediction", "did you mean 'idx'?"),
        ("id,id,prediction", "`id` stands twice"),
        ("", "no column `id`"),
    ],
)
def test_a_wrong_header_is_named(rows: ReleaseRows, tmp_path: Path, header: str, expected: str) -> None:
    """The columns are found by name."""
    path = tmp_path / "p.csv"
    path.write_text(f"{header}\na,b\n")
    assert expected in _refusal(path, rows)


def test_a_decompression_bomb_is_refused(rows: ReleaseRows, tmp_path: Path) -> None:
    """A small file does not become a large one."""
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress((b" " * 1_000_000 + b"\n") * 64))
    assert "inflates" in _refusal(path, rows)


def test_endless_nonsense_is_not_read_to_its_end(rows: ReleaseRows, tmp_path: Path) -> None:
    """After more problems than the release has rows, reading stops and says so."""
    for name in ("p.jsonl", "p.csv"):
        path = tmp_path / name
        path.write_bytes(b"id,prediction\n" + b"x\n" * 100_000)
        assert "the rest was not read" in _refusal(path, rows)


def test_blank_lines_without_end_are_not_read_to_their_end(rows: ReleaseRows, tmp_path: Path) -> None:
    """A few are nothing; after more than the release has rows, reading stops and says so."""
    for name, data in {
        "p.csv.gz": b"id,prediction\n" + b"\n" * 20_000_000,
        "p.jsonl.gz": b"\n" * 20_000_000,
        "q.jsonl.gz": b" \t\r\n" * 5_000_000,
    }.items():
        path = tmp_path / name
        path.write_bytes(gzip.compress(data))
        message = _refusal(path, rows)
        assert "more blank lines than the release has rows" in message
        assert "inflates" not in message


def test_the_hash_is_of_the_bytes_that_were_scored(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is written over while it is read counts as it was at first."""
    wrong = {name: "negative" if answer == "positive" else "positive" for name, answer in answers.items()}
    matched = reading._matched
    for name in ("p.jsonl", "p.csv", "p.parquet", "p.jsonl.gz"):
        path = write_answers(tmp_path / name, answers)
        expected = (read_predictions(path, rows).labels, hash_of_file(path))
        other = write_answers(tmp_path / f"other-{name}", wrong).read_bytes()

        def match_and_change(*arguments: Any, path: Path = path, other: bytes = other) -> Any:
            found = matched(*arguments)
            path.write_bytes(other)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(reading, "_matched", match_and_change)
            found = read_predictions(path, rows)
        assert path.read_bytes() == other
        assert found.sha256 == expected[1]
        assert (found.labels == expected[0]).all()


@pytest.mark.parametrize("number", ["00.75", "1e400", "+0.75", ".75", "0.75\u00a0", "nan", "9" * 30])
def test_numbers_in_csv_are_those_of_json(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path, number: str
) -> None:
    """Whether Arrow reads the file or, for a row that spans lines, Python does."""
    found = []
    for note in ("plain", '"of two\nlines"'):
        path = write_answers(tmp_path / "p.csv", answers, probabilities=[0.25, 0.75])
        head, first, *others = path.read_text().splitlines()
        first = first.replace("0.75", number)
        path.write_text("\n".join([f"{head},note", f"{first},{note}", *(f"{row},x" for row in others)]))
        found.append(_refusal(path, rows))
    assert "are not a list of numbers" in found[0]
    assert found[0] == found[1]


def test_a_repeated_id_names_the_place_it_stood_before(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """Also where chunks of the file lie between; a Parquet file has rows, not lines."""
    names = list(answers)
    table = pa.table({"id": [*names, names[2]], "prediction": [*answers.values(), "positive"]})
    pq.write_table(table, tmp_path / "p.parquet", row_group_size=5)
    assert "stands already on row 3; give every id once" in _refusal(tmp_path / "p.parquet", rows)


def test_an_absurd_line_is_refused_in_bounded_memory(rows: ReleaseRows, tmp_path: Path) -> None:
    """Reading stops where no row can be."""
    for name in ("p.jsonl", "p.csv"):
        path = tmp_path / name
        path.write_bytes(b"id,prediction\n" + b"x" * (1 << 23))
        assert "longer than" in _refusal(path, rows)


def test_a_huge_text_repeated_in_parquet_is_refused(rows: ReleaseRows, tmp_path: Path) -> None:
    """A dictionary of one huge text does not become a gigabyte of texts."""
    path = tmp_path / "p.parquet"
    table = pa.table({"id": ["x" * 100_000] * 200, "prediction": ["positive"] * 200})
    pq.write_table(table, path)
    assert "a text of 100,000 bytes" in _refusal(path, rows)


def test_huge_texts_in_parquet_are_refused_before_they_are_inflated(
    rows: ReleaseRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written out in full they inflate like a bomb, which the file itself says."""
    path = tmp_path / "p.parquet"
    table = pa.table({"id": ["x" * 100_000] * 200, "prediction": ["positive"] * 200})
    pq.write_table(table, path, use_dictionary=False, compression="zstd")
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", None)
    assert "200 rows inflate to 20,0" in _refusal(path, rows)


def test_a_parquet_column_that_stands_twice_is_named(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """Whether every row needs it or not."""
    values = {"id": list(answers), "prediction": list(answers.values())}
    values["probabilities"] = [[0.5, 0.5]] * len(answers)
    values["benchmark"] = ["synthetic@1.0.0"] * len(answers)
    for twin in values:
        names = [*values, twin]
        table = pa.Table.from_arrays([pa.array(values[name]) for name in names], names)
        path = tmp_path / "p.parquet"
        pq.write_table(table, path)
        assert f"the column `{twin}` stands twice; keep one" in _refusal(path, rows)


def test_far_too_many_rows_are_refused(rows: ReleaseRows, tmp_path: Path) -> None:
    """A file for a larger release is not read to its end."""
    many = {f"x{place}": "positive" for place in range(2_000)}
    for name in ("p.jsonl", "p.csv", "p.parquet"):
        assert "far more than the release" in _refusal(write_answers(tmp_path / name, many), rows)


def test_broken_gzip_and_broken_parquet_are_refused(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """A cut file is called cut."""
    for name in ("p.jsonl.gz", "p.csv.gz", "p.parquet"):
        path = write_answers(tmp_path / name, answers)
        path.write_bytes(path.read_bytes()[:-20])
        assert "was the file cut?" in _refusal(path, rows)


def test_a_null_between_objects_does_not_crash_the_reader(
    rows: ReleaseRows, answers: dict[str, Any], tmp_path: Path
) -> None:
    """Arrow's JSON reader is kept away from what it cannot bear."""
    lines = _lines(answers)
    for text in ["null", f"{lines[0]} null", f"{lines[0]} null {lines[1]}"]:
        path = tmp_path / "p.jsonl"
        path.write_text("\n".join([text, *lines[2:]]))
        assert f"{path}:1: " in _refusal(path, rows)


def test_names_of_files_must_say_what_they_are(rows: ReleaseRows, tmp_path: Path) -> None:
    """No guessing, no pickles, no folders."""
    (tmp_path / "p.pkl").write_bytes(b"")
    assert ".jsonl, .csv or .parquet" in _refusal(tmp_path / "p.pkl", rows)
    assert "no such file" in _refusal(tmp_path / "none.csv", rows)
    assert "folder" in _refusal(tmp_path, rows)
