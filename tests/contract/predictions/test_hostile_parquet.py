"""Parquet files that abort, inflate or stall their reader end as errors with file and remedy."""

import gzip
import io
import resource
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluator"))

from synthetic import right_answers, write_small_release

from contract.machine.errors import ExitCode, UserError
from contract.machine.limited_process import FaultError, Limits, answers_of
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release

LIMITS = Limits(n_bytes=1 << 28, n_seconds=1)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    """Return the rows of a small release."""
    return ReleaseRows.read(Release.open(write_small_release(tmp_path_factory.mktemp("hostile") / "release")))


def _parquet(rows: ReleaseRows, **options: object) -> bytes:
    answers = right_answers(rows.release.path)
    table = pa.table({"id": list(answers), "prediction": list(answers.values())})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, store_schema=False, use_dictionary=False, **options)
    return buffer.getvalue()


def _refusal(path: Path, data: bytes, rows: ReleaseRows) -> str:
    path.write_bytes(data)
    with pytest.raises(UserError) as caught:
        read_predictions(path, rows)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    assert f"{path}: " in caught.value.message
    assert ";" in caught.value.message
    return caught.value.message


def test_a_footer_that_aborts_the_reader_is_refused(rows: ReleaseRows, tmp_path: Path) -> None:
    """The schema says that a column has no gaps, its statistics count them: Arrow ends the process."""
    data = _parquet(rows)
    optional, required = b"\x25\x02\x18\x02id", b"\x25\x00\x18\x02id"
    assert data.count(optional) == 1
    assert "damaged" in _refusal(tmp_path / "p.parquet", data.replace(optional, required), rows)


def test_a_page_that_promises_gigabytes_is_refused_and_takes_no_memory_here(
    rows: ReleaseRows, tmp_path: Path
) -> None:
    """The reader's limit is met, not this machine's."""
    data = _parquet(rows, compression="snappy")
    assert data[4:7] == b"\x15\x00\x15"
    after = next(place for place in range(7, 12) if data[place] < 0x80) + 1
    two_gigabytes = b"\xfe\xff\xff\xff\x0f"
    # The header stays as long as it was: the least id that it tells of loses as much as the size gains.
    least = b"mr-00000.clean"
    shorter = least[: len(least) - len(two_gigabytes) + after - 7]
    rest = data[after:].replace(bytes([len(least)]) + least, bytes([len(shorter)]) + shorter, 1)
    hostile = data[:7] + two_gigabytes + rest
    assert len(hostile) == len(data)
    peak_before = _peak_kilobytes()
    assert "MB" in _refusal(tmp_path / "p.parquet", hostile, rows)
    assert _peak_kilobytes() - peak_before < 100_000


def test_a_gz_around_parquet_inflates_to_little_more_than_the_release_needs(
    rows: ReleaseRows, tmp_path: Path
) -> None:
    """Ten megabytes of zeros would be gigabytes."""
    path = tmp_path / "p.parquet.gz"
    assert "inflates to more than" in _refusal(path, gzip.compress(bytes(1 << 25), compresslevel=0), rows)
    path.write_bytes(gzip.compress(_parquet(rows)))
    assert (read_predictions(path, rows).labels >= 0).all()


def test_good_files_are_read_as_before(rows: ReleaseRows, tmp_path: Path) -> None:
    """Texts of any kind, indices, lists of probabilities; several groups of rows, and messages of a few."""
    answers = right_answers(rows.release.path)
    labels = ["negative", "positive"]
    expected = [labels.index(answer) for answer in answers.values()]
    tables = [
        pa.table({"id": pa.array(list(answers), kind), "prediction": predictions})
        for kind, predictions in [
            (pa.large_string(), list(answers.values())),
            (pa.dictionary(pa.int32(), pa.string()), expected),
        ]
    ]
    tables.append(tables[0].append_column("probabilities", pa.array([[0.25, 0.75]] * len(expected))))
    for table in tables:
        pq.write_table(table, tmp_path / "p.parquet", row_group_size=5)
        found = read_predictions(tmp_path / "p.parquet", rows)
        assert found.labels.tolist() == expected
    assert found.probabilities is not None
    assert (found.probabilities[:, :2] == [0.25, 0.75]).all()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("abort", r"SIGABRT"),
        ("loop", r"takes more than 1 s"),
        ("memory", r"asks for over 256 MB"),
        ("bug", r"exit code 1"),
        ("print", None),
        ("escape", r"a \ufffd\[31mred\ufffd name"),
        ("huge", r"a row of"),
        ("write", r"exit code 1|SIGXFSZ"),
    ],
)
def test_a_process_with_limits_ends_as_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, said: str | None
) -> None:
    """Whatever it does; what it prints does no harm, and what it sent before is kept."""
    (tmp_path / "hostile_module.py").write_text(HOSTILE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    answers = answers_of("hostile_module", {"fault": fault, "path": str(tmp_path / "written")}, LIMITS)
    assert next(answers) == b"first"
    if said is None:
        assert list(answers) == [b"last"]
        return
    with pytest.raises(FaultError, match=said):
        next(answers)
    written = tmp_path / "written"
    assert not written.exists() or not written.read_bytes()


HOSTILE = """
import os, sys
from contract.machine.limited_process import FaultError

def answer(question):
    yield b"first"
    fault = question["fault"]
    if fault == "abort":
        os.abort()
    while fault == "loop":
        pass
    if fault == "memory":
        bytearray(1 << 29)
    if fault == "bug":
        raise KeyError("a bug")
    if fault == "print":
        os.write(1, b"x" * 1000)
    if fault == "escape":
        raise FaultError("a \\x1b[31mred\\x00 name; \\nand more")
    if fault == "huge":
        yield bytes((1 << 26) + 1)
    if fault == "write":
        with open(question["path"], "wb") as file:
            file.write(b"x")
    yield b"last"
"""


def _peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
