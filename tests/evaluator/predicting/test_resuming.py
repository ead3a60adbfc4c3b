"""A prediction that was killed goes on where it stopped, and only when asked to."""

import contextlib
from pathlib import Path

import numpy as np
import pytest

from contract.machine.errors import UserError
from evaluator.predicting import asking
from evaluator.predicting.predicting import predict, resume_path
from evaluator.predicting.resuming import AnswerLog

COUNTING = '''
from pathlib import Path

import numpy as np

def guess(texts):
    """Fail after some batches; the test reads and writes the files."""
    left = int(Path("left").read_text())
    Path("left").write_text(str(left - 1))
    if left == 0:
        raise RuntimeError("killed")
    Path("asked").write_text(str(int(Path("asked").read_text()) + len(texts)))
    return np.tile([0.25, 0.75], (len(texts), 1))
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a classifier that is killed after three batches of ten."""
    (tmp_path / "counting_of_tests.py").write_text(COUNTING)
    (tmp_path / "left").write_text("3")
    (tmp_path / "asked").write_text("0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(asking, "_TEXTS_AT_A_TIME", 10)
    return tmp_path


def test_a_killed_prediction_goes_on(release_path: Path, folder: Path) -> None:
    """Texts answered before are not asked again, and the file is what one run would have written."""
    spec, path = "python:counting_of_tests:guess", folder / "p.jsonl"
    with pytest.raises(UserError, match="killed"):
        predict(release_path, spec, path)
    assert not path.exists()
    assert resume_path(path).exists()
    (folder / "left").write_text("100")
    predict(release_path, spec, path, is_resumed=True)
    assert (folder / "asked").read_text() == "54"
    assert not resume_path(path).exists()
    predict(release_path, spec, folder / "q.jsonl")
    assert path.read_bytes() == (folder / "q.jsonl").read_bytes()


def test_without_being_asked_a_prediction_begins_anew(release_path: Path, folder: Path) -> None:
    """The classifier may have been mended in between."""
    spec, path = "python:counting_of_tests:guess", folder / "p.jsonl"
    with pytest.raises(UserError, match="killed"):
        predict(release_path, spec, path)
    (folder / "left").write_text("100")
    (folder / "asked").write_text("0")
    predict(release_path, spec, path)
    assert (folder / "asked").read_text() == "54"


def _log(path: Path, model: str = "m") -> AnswerLog:
    return AnswerLog(path, key={"model": model}, n_labels={"a": 2, "b": 3})


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    """Return a log that was left with three pieces, out of order, of two tasks."""
    path = tmp_path / "log"
    log = _log(path)
    log.restart()
    with contextlib.suppress(KeyboardInterrupt), log:
        log.append("a", [1, 0], np.array([[0.5, 0.5], [0.25, 0.75]]))
        log.append("b", [3], np.array([[0.1, 0.2, 0.7]]))
        log.append("b", [0, 4], np.array([[0.3, 0.3, 0.4], [np.nan] * 3]))
        raise KeyboardInterrupt
    return path


def _known(log: AnswerLog, task: str) -> dict[int, list[float]]:
    return {place: row.tolist() for place, row in log.known(task).items()}


def test_the_log_keeps_answers_in_any_order(log_path: Path) -> None:
    """Also that a text got no label."""
    log = _log(log_path)
    log.resume({"a": 2, "b": 5})
    assert _known(log, "a") == {0: [0.25, 0.75], 1: [0.5, 0.5]}
    assert list(log.known("b")) == [3, 0, 4]
    assert np.isnan(log.known("b")[4]).all()


def test_a_log_cut_or_spoilt_anywhere_gives_whole_pieces_only(log_path: Path) -> None:
    """What is not whole is asked again, and what comes after it too; the next run writes on from there."""
    data = log_path.read_bytes()
    start = data.index(b"\n") + 1
    whole = _log(log_path)
    whole.resume({"a": 2, "b": 5})
    for place in range(start, len(data)):
        for spoilt in (data[:place], data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]):
            log_path.write_bytes(spoilt)
            log = _log(log_path)
            log.resume({"a": 2, "b": 5})
            assert len(log.known("a")) in {0, 2}
            for task in "ab":
                for text, row in log.known(task).items():
                    assert np.array_equal(row, whole.known(task)[text], equal_nan=True)
    log_path.write_bytes(data[:-5])
    log = _log(log_path)
    log.resume({"a": 2, "b": 5})
    with contextlib.suppress(KeyboardInterrupt), log:
        log.append("b", [2], np.array([[0.0, 0.0, 1.0]]))
        raise KeyboardInterrupt
    log = _log(log_path)
    log.resume({"a": 2, "b": 5})
    assert sorted(log.known("b")) == [2, 3]


def test_answers_to_other_questions_are_neither_taken_nor_lost(log_path: Path) -> None:
    """Another model may have cost a day; whoever wants to lose it deletes the file."""
    data = log_path.read_bytes()
    with pytest.raises(UserError, match="holds answers to other questions"):
        _log(log_path, model="another").resume({"a": 2, "b": 5})
    assert log_path.read_bytes() == data


def test_paid_answers_are_never_overwritten(tmp_path: Path) -> None:
    """Not even by a run that would begin anew."""
    path = tmp_path / "log"
    log = AnswerLog(path, {"model": "api:m"}, {"a": 2}, is_paid=True)
    log.resume({"a": 2})
    with contextlib.suppress(KeyboardInterrupt), log:
        log.append("a", [1], np.array([[0.0, 1.0]]))
        raise KeyboardInterrupt
    data = path.read_bytes()
    with pytest.raises(UserError, match="holds answers to other questions"):
        _log(path).restart()
    assert path.read_bytes() == data


@pytest.mark.parametrize("content", [b"", b"{", b"not a log\n", b"[]\n", b"\xff\n"])
def test_whatever_lies_in_the_way_of_a_new_log_is_replaced_if_it_cost_nothing(
    tmp_path: Path, content: bytes
) -> None:
    """A run that begins anew needs nothing from it."""
    (tmp_path / "log").write_bytes(content)
    log = _log(tmp_path / "log")
    log.restart()
    assert not log.known("a")


def test_a_prediction_that_answered_nothing_leaves_nothing(release_path: Path, tmp_path: Path) -> None:
    """There is nothing to go on from."""
    with pytest.raises(UserError):
        predict(release_path, "python:no_such_module_of_tests:guess", tmp_path / "p.jsonl")
    assert list(tmp_path.glob("p.jsonl*")) == []


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"a":' * 100_000 + b"\n", b"\xff" * 50, b"9" * 5000])
def test_a_resume_file_that_is_none_is_begun_anew(release_path: Path, folder: Path, content: bytes) -> None:
    """However deep it is nested: it holds no answers that cost money."""
    spec, path = "python:counting_of_tests:guess", folder / "p.jsonl"
    (folder / "left").write_text("100")
    resume_path(path).write_bytes(content)
    predict(release_path, spec, path)
    assert path.is_file()
    assert not resume_path(path).exists()
