"""Files that end the process that reads them are errors with file and remedy; good ones score as ever."""

import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from synthetic import right_answers, write_answers, write_small_release

from contract.machine import forked_process
from contract.machine.errors import ExitCode, UserError
from contract.machine.forked_process import is_fork
from contract.machine.limited_process import Limits
from contract.schema.results import ModelInfo
from evaluator.scoring import score as scoring
from evaluator.scoring.score import score

MODEL = ModelInfo(name="x")


@pytest.fixture(autouse=True)
def fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork even where other threads run, as they do in workers of the tests; none of them holds a lock."""
    monkeypatch.setattr(forked_process, "can_fork", lambda: not is_fork())


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a small release."""
    return write_small_release(tmp_path / "release")


@pytest.fixture(params=["jsonl", "parquet"])
def answers(request: pytest.FixtureRequest, release: Path, tmp_path: Path) -> Path:
    """Return good predictions, some of them wrong."""
    found = right_answers(release)
    found |= dict.fromkeys(list(found)[::3], next(iter(found.values())))
    if request.param == "jsonl":
        return write_answers(tmp_path / "p.jsonl", found)
    table = pa.table({"id": list(found), "prediction": list(found.values())})
    pq.write_table(table, tmp_path / "p.parquet", store_schema=False, use_dictionary=False)
    return tmp_path / "p.parquet"


def test_a_fork_scores_as_this_process_does(
    release: Path, answers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last digit; this process reads no file of the two."""
    read = scoring.read_predictions
    monkeypatch.setattr(
        scoring, "read_predictions", lambda *given, **named: read(*given, **named) if is_fork() else None
    )
    found = score(release, answers, MODEL)
    monkeypatch.setattr(forked_process, "can_fork", lambda: False)
    monkeypatch.setattr(scoring, "read_predictions", read)
    expected = score(release, answers, MODEL)
    assert found == expected
    assert found.to_json() == expected.to_json()


def _loop() -> None:
    while True:
        pass


@pytest.mark.parametrize("fault", [os.abort, _loop, lambda: bytearray(1 << 30)])
def test_what_ends_the_fork_is_done_again_by_guarded_readers(
    release: Path, answers: Path, fault: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are good until a guard says that they are not."""
    expected = score(release, answers, MODEL)
    read = scoring.read_predictions
    monkeypatch.setattr(scoring, "_limits", lambda *_: Limits(n_bytes=1 << 28, n_seconds=1))
    monkeypatch.setattr(
        scoring, "read_predictions", lambda *given, **named: (is_fork() and fault()) or read(*given, **named)
    )
    assert score(release, answers, MODEL) == expected


def _spoil_footer(path: Path) -> None:
    """Say in the schema that a column has no gaps, while statistics count them: Arrow ends the process."""
    data = path.read_bytes()
    optional, required = b"\x25\x02\x18\x02id", b"\x25\x00\x18\x02id"
    assert data.count(optional) == 1
    path.write_bytes(data.replace(optional, required))


def test_predictions_that_abort_are_named(release: Path, tmp_path: Path) -> None:
    """The file, not this process, is what ends."""
    found = right_answers(release)
    path = tmp_path / "p.parquet"
    table = pa.table({"id": list(found), "prediction": list(found.values())})
    pq.write_table(table, path, store_schema=False, use_dictionary=False)
    _spoil_footer(path)
    with pytest.raises(UserError, match=r"p\.parquet: .*damaged") as caught:
        score(release, path, MODEL)
    assert caught.value.exit_code is ExitCode.BAD_INPUT


@pytest.mark.parametrize("answers", ["jsonl"], indirect=True)
def test_a_split_of_other_bytes_than_texts_is_named(release: Path, answers: Path) -> None:
    """A fork checks the UTF-8 of what it reads, as guards do."""
    path = next((release / "data").rglob("clean.parquet"))
    table = pq.read_table(path)
    place = table.schema.names.index("sample_id")
    spoilt = pa.array([b"\xff\xfe"] * len(table), pa.binary()).view(pa.string())
    pq.write_table(table.set_column(place, "sample_id", spoilt), path)
    with pytest.raises(UserError, match=r"clean\.parquet: not a split that can be read"):
        score(release, answers, MODEL)
