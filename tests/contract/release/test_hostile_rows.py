"""Files of splits that abort, inflate or lie end as errors with file and remedy, in every command."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import hardfrost
from contract.machine import parquet_files
from contract.machine.errors import ExitCode, UserError
from contract.machine.parquet_files import FileColumns, fault_of, try_reading
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import open_and_verify

SPLIT = "data/mr/typo-general/rule/degree_10.parquet"


# Stands for a file on which Arrow ends the process: which ones do depends on its version.
ABORTING = b"ends its reader"
TRIAL = f"""
import os
from contract.machine import parquet_trial

def answer(question):
    for file in question["files"]:
        with open(file[0], "rb") as opened:
            if opened.read() == {ABORTING!r}:
                os.abort()
        yield from parquet_trial.answer({{"files": [file]}})
"""


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the reader of files abort on some of them."""
    (tmp_path / "aborting_trial.py").write_text(TRIAL, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(parquet_files, "_TRIAL", "aborting_trial")


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    """Return a copy of the tiny release that a test may spoil."""
    return Path(shutil.copytree(tiny, tmp_path / "release"))


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run a command in this process; return its exit code and what it printed, errors too."""
    done = CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])
    if isinstance(done.exception, UserError):
        return done.exception.exit_code, done.output + done.exception.message
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["verify", "RELEASE"], 4),
        (["pack", "RELEASE", "-o", "OUT.tar.gz"], 4),
        (["check", "RELEASE", "ANSWERS"], 3),
        (["score", "RELEASE", "ANSWERS", "--model-name", "mine", "-o", "OUT"], 3),
        (["template", "RELEASE", "-o", "OUT.csv"], 3),
        (["export", "inspect", "RELEASE", "-o", "OUT"], 3),
        (["diff", "RELEASE", "OTHER"], 3),
    ],
)
@pytest.mark.usefixtures("trial")
def test_a_file_that_aborts_its_reader_is_an_error_with_its_name(
    tiny: Path, copy: Path, tmp_path: Path, arguments: list[str], exit_code: int
) -> None:
    """Arrow would end the process without a word."""
    (copy / SPLIT).write_bytes(ABORTING)
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    for split in manifest["splits"]:
        if split["path"] == SPLIT:
            split["rows_sha256"] = "0" * 64
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "answers.jsonl").write_text('{"id": "x", "prediction": "positive"}\n', encoding="utf-8")
    places = {"RELEASE": copy, "OTHER": tiny, "ANSWERS": tmp_path / "answers.jsonl"}
    words = [places.get(word, word.replace("OUT", str(tmp_path / "out"))) for word in arguments]
    found, printed = run(*words)
    assert found == exit_code, printed
    assert SPLIT in printed
    assert "damaged in a way that stops its reader" in printed


@pytest.mark.usefixtures("trial")
def test_one_process_looks_at_all_files_and_goes_on_after_one_that_stops_it(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is looked at once; what was found is not asked for again."""
    n_started = 0
    start = parquet_files.answers_of

    def counted(*arguments: Any) -> Any:
        nonlocal n_started
        n_started += 1
        return start(*arguments)

    monkeypatch.setattr(parquet_files, "answers_of", counted)
    release = Release.open(copy)
    assert open_and_verify(copy, Silence()) == []
    assert n_started == 1
    (copy / SPLIT).write_bytes(ABORTING)
    release.prepare(release.manifest.splits)
    # It is the only file that is not known.
    assert n_started == 2
    differences = open_and_verify(copy, Silence())
    assert n_started == 2
    assert {line.partition(":")[0] for line in differences} == {SPLIT}


def test_a_release_that_this_program_wrote_is_not_looked_at(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Builds pay nothing."""
    from contract.release.release import writing_release
    from contract.schema.records import records_of

    release = Release.open(tiny)
    split = release.splits(dimension="typo-general")[0]
    records = list(records_of(release.table(split)))
    with writing_release(tmp_path / "written") as writer:
        written = writer.write_split(split, records, ["negative", "positive"])
        writer.write_manifest(release.manifest.model_copy(update={"splits": (written,)}))
    monkeypatch.setattr(parquet_files, "answers_of", None)
    assert Release.open(tmp_path / "written").table(written).num_rows == written.rows


@pytest.mark.usefixtures("trial")
def test_many_files_that_stop_their_reader_are_not_all_tried(tmp_path: Path) -> None:
    """Each would cost the start of a process."""
    paths = [tmp_path / f"{number}.parquet" for number in range(14)]
    for path in paths:
        path.write_bytes(ABORTING)
    try_reading([FileColumns(path) for path in paths])
    faults = [fault_of(FileColumns(path)) for path in paths]
    assert all("stops its reader" in fault for fault in faults[:10])
    assert all("10 other files" in fault for fault in faults[10:])


def test_a_file_that_inflates_to_gigabytes_is_refused(tmp_path: Path) -> None:
    """A million rows of one long text, written once in a dictionary."""
    path = tmp_path / "bomb.parquet"
    values = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int32()), ["x" * 10_000])
    pq.write_table(pa.table({"id": values}), path, store_schema=False)
    assert path.stat().st_size < 100_000
    assert fault_of(FileColumns(path)) != ""


def _spoilt(copy: Path, change: Callable[[pa.Table], pa.Table]) -> str:
    """Return how a split with a changed table is refused."""
    pq.write_table(change(pq.read_table(copy / SPLIT)), copy / SPLIT)
    release = Release.open(copy)
    (split,) = (split for split in release.manifest.splits if split.path == SPLIT)
    with pytest.raises(UserError) as caught:
        release.table(split)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    assert str(copy / SPLIT) in caught.value.message
    assert any(line.startswith(SPLIT) for line in open_and_verify(copy, Silence()))
    return caught.value.message


def _with(name: str, values: Callable[[pa.ChunkedArray], Any]) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        return table.set_column(table.schema.names.index(name), name, values(table[name]))

    return change


def _edits(value: Any) -> Callable[[pa.ChunkedArray], pa.Array]:
    return lambda column: pa.array([[value]] * len(column), column.type)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_with("id", pc.binary_length), "column `id`: holds int32, expected string"),
        (_with("id", lambda column: pa.nulls(len(column), pa.string())), "`id`: has rows without a value"),
        (_with("label", lambda column: pa.array([1 << 40] * len(column))), "none of its task's 2 labels"),
        (_with("label", lambda column: pa.array([-2] * len(column))), "none of its task's 2 labels"),
        (_with("degree", lambda column: pa.array([float("nan")] * len(column))), "is not finite"),
        (_with("edits", _edits(None)), "an edit without a place"),
        (_with("edits", _edits({"field": "text", "start": None, "end": 1})), "an edit without a place"),
        (_with("text", lambda column: pa.array([b"\xff"] * len(column)).view(pa.string())), "UTF"),
        (lambda table: table.drop_columns(["text"]), "text"),
        (lambda table: table.append_column("text", table["text"]), "text"),
    ],
)
def test_columns_of_other_kinds_are_refused(
    copy: Path, change: Callable[[pa.Table], pa.Table], said: str
) -> None:
    """By their name, before anything is computed from them."""
    assert said in _spoilt(copy, change)
