"""A sample is traced through a build: each of its candidates is frozen, or dropped for a reason."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from builder.commands.trace import trace
from builder.recipe.recipe_file import read_recipe
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.run.tracing import trace_sample
from contract.machine import parquet_files
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.names import CLEAN

RECIPE = """\
name: traced
version: "1.0"
tasks: [{name: mr, source: mr, samples: 40, train_rows: 800}]
dimensions: [{name: typo-malicious, degrees: [0.1, 0.3]}, {name: inflection, degrees: [0.1]}]
settings: [rule, score]
cases: {rule: 2, score: 2}
surrogates: [word-tfidf, char-tfidf, vader]
allow_weak: true
min_samples: 2
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release with random and attacked cases, built in units that cut through its splits."""
    folder = tmp_path_factory.mktemp("traced")
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARDFROST_CACHE", str(folder / "cache"))
        options = ExecutionOptions(samples_per_unit=10)
        build(read_recipe(folder / "recipe.yaml"), folder / "release", Silence(), options)
    return folder / "release"


def test_all_candidates_of_all_samples_are_those_of_the_funnel(release: Path) -> None:
    """Kept ones are the rows of the splits; every dropped one has the reason that the manifest counts."""
    opened = Release.open(release)
    (clean,) = opened.splits(dimension=CLEAN)
    kept: Counter[tuple[str, str, float | None]] = Counter()
    dropped: dict[tuple[str, str, float | None], Counter[str]] = {}
    texts = set()
    for sample in opened.table(clean, ["sample_id"])["sample_id"].to_pylist():
        for case in trace_sample(release, sample).cases:
            cell = (case.dimension, case.setting, case.degree)
            if case.reason is None:
                kept[cell] += 1
                texts.add((*cell, sample, case.case, case.text))
            else:
                dropped.setdefault(cell, Counter())[case.reason] += case.n
    for funnel in opened.manifest.funnel:
        cell = (funnel.dimension, str(funnel.setting), funnel.degree)
        assert kept[cell] == funnel.n_frozen
        assert dropped.get(cell, Counter()) == funnel.n_dropped
    columns = ["dimension", "setting", "degree", "sample_id", "case", "text"]
    rows = [
        row
        for split in opened.manifest.splits
        if split.is_adversarial
        for row in opened.table(split, columns).to_pylist()
    ]
    assert texts == {tuple(row[name] for name in columns) for row in rows}
    assert {"enough-cases", "source-already-wrong"} <= {
        reason for counts in dropped.values() for reason in counts
    }


def test_a_kept_and_a_dropped_case_are_explained_with_their_votes(release: Path) -> None:
    """In words for a person, and as JSON for a script."""
    opened = Release.open(release)
    split = next(s for s in opened.splits(dimension="typo-malicious", setting="score") if s.rows)
    sample = opened.table(split, ["sample_id"])["sample_id"][0].as_py()
    options = [str(release), sample, "--dimension", "typo-malicious", "--setting", "score"]
    told = CliRunner().invoke(trace, options).output
    assert told.startswith(f"{sample} of task mr, label ")
    assert "typo-malicious, score, degree 0.1" in told
    assert ": KEPT" in told
    assert ": dropped: " in told
    assert "votes: word-tfidf " in told
    assert "(fooled)" in told
    assert "rule" not in told.replace("dropped", "")
    assert max(map(len, told.splitlines())) <= 80
    traced = json.loads(CliRunner().invoke(trace, [*options, "--json"]).output)
    (first, *_) = [case for case in traced["cases"] if case["reason"] is None]
    assert set(first["votes"]) == {"word-tfidf", "char-tfidf", "vader"}
    assert first["source_fooled"] == (first["votes"][first["source"]] != traced["label"])
    assert "source fooled; transfer " in told or "source not fooled; transfer " in told


def test_an_unknown_sample_and_lost_records_are_said_with_the_remedy(release: Path, tmp_path: Path) -> None:
    """A wrong name, a release from elsewhere, and a cache that was emptied."""
    with pytest.raises(UserError, match=r"no sample 'mr-x'; .*samples are named in the column sample_id"):
        trace_sample(release, "mr-x")
    (clean,) = Release.open(release).splits(dimension=CLEAN)
    sample = Release.open(release).table(clean, ["sample_id"])["sample_id"][0].as_py()
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    (copy / "build.log.jsonl").unlink()
    with pytest.raises(UserError, match="traced where its release was built"):
        trace_sample(copy, sample)
    log = (release / "build.log.jsonl").read_text(encoding="utf-8")
    cache = str(release.parent / "cache")
    assert cache in log
    (copy / "build.log.jsonl").write_text(log.replace(cache, str(tmp_path / "emptied")), encoding="utf-8")
    with pytest.raises(UserError, match="this record of the build is gone or spoilt"):
        trace_sample(copy, sample)


def _sample_of(release: Path) -> str:
    (clean,) = Release.open(release).splits(dimension=CLEAN)
    return str(Release.open(release).table(clean, ["sample_id"])["sample_id"][0].as_py())


def _forge(copy: Path, release: Path, name: str, data: bytes | None) -> None:
    """Let the log of a copied release name records of which all files that end so hold other data."""
    own = copy / "records"
    shutil.copytree(release.parent / "cache", own)
    for path in own.rglob(name):
        path.unlink()
        if data is None:
            os.mkfifo(path)
        else:
            path.write_bytes(data)
    log = (copy / "build.log.jsonl").read_text(encoding="utf-8")
    log = log.replace(str(release.parent / "cache"), str(own))
    (copy / "build.log.jsonl").write_text(log, encoding="utf-8")


def _parquet(**columns: list[object]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("*.json", b"[]"),
        ("*.json", b"[" * 100_000),
        ("*.json", b'{"samples": 7}'),
        ("*.json", None),
        ("*.parquet", b"PAR1"),
        ("*.parquet", _parquet(sample_id=["x"])),
        ("*.parquet", _parquet(sample_id=[7], vote=["x"])),
        ("*.parquet", None),
    ],
)
def test_records_that_no_build_wrote_are_refused(
    release: Path, tmp_path: Path, name: str, data: bytes | None
) -> None:
    """A folder from elsewhere may have a log that names any file; none is a traceback or waited for."""
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    _forge(copy, release, name, data)
    with pytest.raises(UserError, match="this record of the build is gone or spoilt"):
        trace_sample(copy, _sample_of(release))


def test_a_record_that_aborts_its_reader_is_refused(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process reads it first."""
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    _forge(copy, release, "*.parquet", ABORTING)
    (tmp_path / "aborting_records.py").write_text(TRIAL, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(parquet_files, "_TRIAL", "aborting_records")
    monkeypatch.setattr("builder.run.tracing.pq", None)
    with pytest.raises(UserError, match="this record of the build is gone or spoilt"):
        trace_sample(copy, _sample_of(release))


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
