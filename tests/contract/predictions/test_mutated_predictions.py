"""A thousand damaged predictions files give a clear error or the right answers, never a traceback."""

import gzip
import io
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluator"))

from synthetic import right_answers, write_small_release

from contract.machine.errors import ExitCode, UserError
from contract.predictions.formats import parquet, parquet_rows
from contract.predictions.reading import Predictions, ReleaseRows, read_predictions
from contract.release.release import Release

N_FILES_A_FORMAT = 250
FORMATS = ("jsonl", "csv", "parquet", "jsonl.gz")
STRANGE = [
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\r",
    b"\n\n",
    b'"',
    b",",
    b"{",
    b"}",
    b"[",
    b"null",
    b"} null {",
    b"NaN",
    b"Infinity",
    b"-1",
    b"1e999",
    b"9" * 5000,
    b"[" * 5000,
    b"\\ud800",
    "مرحبا".encode(),
    b"positive",
    b'{"id": "mr-00000.clean", "prediction": "negative"}\n',
]


def _serialised(answers: dict[str, str], kind: str, generator: random.Random) -> bytes:
    """Return a good file: with or without probabilities and benchmark, by name or by index."""
    by_index, has_more = generator.random() < 0.3, generator.random() < 0.5
    rows = [
        {
            "id": name,
            "prediction": ["negative", "positive"].index(answer) if by_index else answer,
            **({"probabilities": [0.5, 0.5], "benchmark": "synthetic@1.0.0"} if has_more else {}),
        }
        for name, answer in answers.items()
    ]
    if kind == "parquet":
        buffer = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(rows), buffer, write_page_checksum=True)
        return buffer.getvalue()
    if kind == "csv":
        lines = [",".join(rows[0])]
        lines += [
            ",".join(f'"{value}"' if isinstance(value, list) else str(value) for value in row.values())
            for row in rows
        ]
        return ("\n".join(lines) + "\n").encode()
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _cut(data: bytes, generator: random.Random) -> bytes:
    return data[: generator.randrange(len(data))]


def _insert(data: bytes, generator: random.Random) -> bytes:
    place = generator.randrange(len(data) + 1)
    return data[:place] + generator.choice(STRANGE) + data[place:]


def _overwrite(data: bytes, generator: random.Random) -> bytes:
    place = generator.randrange(len(data))
    return data[:place] + generator.randbytes(generator.randint(1, 8)) + data[place + 4 :]


def _shuffle_lines(data: bytes, generator: random.Random) -> bytes:
    head, *lines = data.split(b"\n")
    generator.shuffle(lines)
    return b"\n".join([head, *lines])


def _repeat_line(data: bytes, generator: random.Random) -> bytes:
    lines = data.split(b"\n")
    return b"\n".join([*lines, generator.choice(lines), b""])


def _drop_line(data: bytes, generator: random.Random) -> bytes:
    lines = data.split(b"\n")
    del lines[generator.randrange(len(lines))]
    return b"\n".join(lines)


def _rename(data: bytes, generator: random.Random) -> bytes:
    old, new = generator.choice(
        [
            (b"id", b"ID"),
            (b"prediction", b"predicton"),
            (b"positive", b"Positive"),
            (b"mr-0", b"mr-O"),
            (b"0.5", b"1.5"),
        ]
    )
    return data.replace(old, new, generator.choice([1, -1]))


def _windows(data: bytes, generator: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")


def _nothing(data: bytes, generator: random.Random) -> bytes:
    return generator.choice(
        [b"", b"\n", b" ", b"[]", b"null\n", b"\x1f\x8b", b"PAR1PAR1", generator.randbytes(100)]
    )


MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [
    _cut,
    _insert,
    _overwrite,
    _shuffle_lines,
    _repeat_line,
    _drop_line,
    _rename,
    _windows,
    _nothing,
]


# Types that a column of Parquet may have, with a value of each; most are no answers.
ODD: list[tuple[pa.DataType, object]] = [
    (pa.null(), None),
    (pa.bool_(), True),
    (pa.uint64(), 2**64 - 1),
    (pa.float16(), np.float16(1)),
    (pa.float64(), float("nan")),
    (pa.float64(), 1.0),
    (pa.date32(), 10**8),
    (pa.date64(), 86_400_000 * 10**8),
    (pa.timestamp("ns"), 2**62 + 1),
    (pa.timestamp("us", "Mars/Olympus"), 2**62),
    (pa.time64("ns"), 1),
    (pa.duration("s"), 2**62),
    (pa.decimal128(38, 2), 1),
    (pa.binary(3), b"\xff\x00\xfe"),
    (pa.binary(), b"\xff"),
    (pa.large_string(), "positive"),
    (pa.dictionary(pa.int8(), pa.string()), "positive"),
    (pa.struct([("a", pa.int8())]), {"a": 1}),
    (pa.map_(pa.string(), pa.int8()), [("a", 1)]),
    (pa.list_(pa.string()), ["0.5", "0.5"]),
    (pa.list_(pa.float16()), [np.float16(0.5), np.float16(0.5)]),
    (pa.list_(pa.float64(), 2), [0.5, 0.5]),
    (pa.large_list(pa.float64()), [0.5, None]),
    (pa.list_(pa.date32()), [10**8]),
]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    """Return the rows of a small release."""
    path = write_small_release(tmp_path_factory.mktemp("mutated") / "release")
    return ReleaseRows.read(Release.open(path))


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read Parquet here: a process for each of hundreds of files would take minutes."""
    monkeypatch.setattr(
        parquet, "answers_of", lambda _, question, __: map(bytes, parquet_rows.answer(question))
    )


def _read(path: Path, rows: ReleaseRows) -> Predictions | UserError:
    try:
        return read_predictions(path, rows)
    except UserError as error:
        return error


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("kind", FORMATS)
def test_damaged_files_are_refused_or_read_rightly(rows: ReleaseRows, tmp_path: Path, kind: str) -> None:
    """One damage or several; whatever is accepted is what a reader of the file would say it says."""
    answers = right_answers(rows.release.path)
    expected = np.array([["negative", "positive"].index(answer) for answer in answers.values()])
    path = tmp_path / f"predictions.{kind}"
    n_refused = 0
    for seed in range(N_FILES_A_FORMAT):
        generator = random.Random(seed)
        data = _serialised(answers, kind, generator)
        for _ in range(generator.choice([1, 1, 1, 2, 3])):
            data = generator.choice(MUTATIONS)(data, generator) if data else data
        if kind.endswith(".gz"):
            data = gzip.compress(data)
            data = _cut(data, generator) if generator.random() < 0.1 else data
        path.write_bytes(data)
        found = _read(path, rows)
        if isinstance(found, UserError):
            n_refused += 1
            assert found.exit_code == ExitCode.BAD_INPUT
            assert str(path) in found.message
            assert found.message.encode()
        else:
            is_answered = found.labels >= 0
            # A mutation can turn one answer into another valid one, hardly more.
            assert (found.labels[is_answered] != expected[is_answered]).sum() <= 1, seed
    assert n_refused > N_FILES_A_FORMAT / 2


@pytest.mark.usefixtures("in_this_process")
def test_odd_columns_in_parquet_are_refused_or_read_rightly(rows: ReleaseRows, tmp_path: Path) -> None:
    """Every column of every type, alone and beside a twin of the right type."""
    answers = right_answers(rows.release.path)
    expected = np.array([["negative", "positive"].index(answer) for answer in answers.values()])
    good = {
        "id": pa.array(list(answers)),
        "prediction": pa.array(list(answers.values())),
        "probabilities": pa.array([[0.5, 0.5]] * len(answers)),
        "benchmark": pa.array(["synthetic@1.0.0"] * len(answers)),
    }
    path = tmp_path / "p.parquet"
    n_read = 0
    for name, right in good.items():
        for kind, value in ODD:
            odd = pa.array([value] * len(answers), kind)
            for has_twin in (False, True):
                columns = {**good, name: odd}
                arrays = [*columns.values(), *([right] if has_twin else [])]
                names = [*columns, *([name] if has_twin else [])]
                pq.write_table(pa.Table.from_arrays(arrays, names), path)
                found = _read(path, rows)
                if isinstance(found, UserError):
                    assert found.exit_code == ExitCode.BAD_INPUT
                    assert f"{path}: " in found.message
                else:
                    n_read += 1
                    assert not has_twin
                    assert name == "prediction" or (found.labels == expected).all(), (name, kind)
    assert n_read > 3
