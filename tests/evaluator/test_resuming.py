"""A prediction that was killed goes on where it stopped, and only when asked to."""

import contextlib
from pathlib import Path

import numpy as np
import pytest

from contract.errors import UserError
from evaluator import predicting
from evaluator.predicting import predict, resume_path
from evaluator.resuming import AnswerLog

COUNTING = '''
import numpy as np

n_asked = 0
n_left = 3

def guess(texts):
    """Fail after some batches."""
    global n_asked, n_left
    n_left -= 1
    if n_left < 0:
        raise RuntimeError("killed")
    n_asked += len(texts)
    return np.tile([0.25, 0.75], (len(texts), 1))
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return the module of a classifier that is killed after three batches of ten."""
    import importlib  # noqa: PLC0415
    import sys  # noqa: PLC0415

    (tmp_path / "counting_of_tests.py").write_text(COUNTING)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(predicting, "_TEXTS_AT_A_TIME", 10)
    sys.modules.pop("counting_of_tests", None)
    return importlib.import_module("counting_of_tests")


def test_a_killed_prediction_goes_on(release_path: Path, tmp_path: Path, module: object) -> None:
    """Texts answered before are not asked again, and the file is what one run would have written."""
    spec, path = "python:counting_of_tests:guess", tmp_path / "p.jsonl"
    with pytest.raises((RuntimeError, UserError), match="killed"):
        predict(release_path, spec, path)
    assert not path.exists()
    assert resume_path(path).exists()
    vars(module)["n_left"] = 100
    predict(release_path, spec, path, is_resumed=True)
    assert vars(module)["n_asked"] == 54
    assert not resume_path(path).exists()
    predict(release_path, spec, tmp_path / "q.jsonl")
    assert path.read_bytes() == (tmp_path / "q.jsonl").read_bytes()


def test_without_being_asked_a_prediction_begins_anew(
    release_path: Path, tmp_path: Path, module: object
) -> None:
    """The classifier may have been mended in between."""
    spec, path = "python:counting_of_tests:guess", tmp_path / "p.jsonl"
    with pytest.raises((RuntimeError, UserError), match="killed"):
        predict(release_path, spec, path)
    vars(module).update(n_left=100, n_asked=0)
    predict(release_path, spec, path)
    assert vars(module)["n_asked"] == 54


def _log(path: Path, model: str = "m") -> AnswerLog:
    return AnswerLog(path, key={"model": model}, n_labels={"a": 2, "b": 3})


def test_the_log_keeps_whole_rows_only(tmp_path: Path) -> None:
    """A row cut in the middle is asked again; another model's answers are not taken."""
    path = tmp_path / "log"
    log = _log(path)
    log.restart()
    with contextlib.suppress(KeyboardInterrupt), log:
        log.append(np.array([[0.5, 0.5], [0.25, 0.75]]))
        log.append(np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]))
        raise KeyboardInterrupt
    path.write_bytes(path.read_bytes()[:-5])
    log = _log(path)
    log.resume({"a": 2, "b": 5})
    assert log.known("a").tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert log.known("b").tolist() == [[0.1, 0.2, 0.7]]
    log = _log(path, model="another")
    log.resume({"a": 2, "b": 5})
    assert len(log.known("a")) == 0


def test_a_prediction_that_answered_nothing_leaves_nothing(release_path: Path, tmp_path: Path) -> None:
    """There is nothing to go on from."""
    with pytest.raises(UserError):
        predict(release_path, "python:no_such_module_of_tests:guess", tmp_path / "p.jsonl")
    assert list(tmp_path.glob("p.jsonl*")) == []
