"""The kind of a model is guessed from what its path is; a kind that is given always wins."""

from pathlib import Path

import pytest

from classifiers import parse_spec
from contract.machine.errors import UserError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with files of every kind."""
    for name in ("model.skops", "model.joblib", "model.PKL", "tiny.onnx", "predict.py", "notes.txt", "vader"):
        (tmp_path / name).touch()
    for name in (
        "bert/model.safetensors",
        "exported/model.onnx",
        "hub/onnx/model.onnx",
        "old/pytorch_model.bin",
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "kind", "argument"),
    [
        ("model.skops", "sklearn", "model.skops"),
        ("./model.joblib", "sklearn", "./model.joblib"),
        ("model.PKL", "sklearn", "model.PKL"),
        ("tiny.onnx", "onnx", "tiny.onnx"),
        ("bert", "hf", "bert"),
        ("./bert/", "hf", "./bert/"),
        ("exported", "onnx", "exported"),
        ("hub", "onnx", "hub"),
        ("old", "hf", "old"),
        ("predict.py:answer", "python", "predict.py:answer"),
        ("some/where/predict.py:model.answer", "python", "some/where/predict.py:model.answer"),
        ("http://localhost:8000/predict", "url", "http://localhost:8000/predict"),
        ("HTTPS://example.org", "url", "HTTPS://example.org"),
        ("some-org/some-model", "hf", "some-org/some-model"),
        ("some-org/some-model@v1.0", "hf", "some-org/some-model@v1.0"),
        # A kind that is given wins, whatever lies here.
        ("vader", "vader", ""),
        ("hf:model.skops", "hf", "model.skops"),
        ("api:some-org/some-model", "api", "some-org/some-model"),
        ("url:http://localhost/", "url", "http://localhost/"),
        ("sklearn:tiny.onnx", "sklearn", "tiny.onnx"),
    ],
)
def test_a_kind_is_guessed(spec: str, kind: str, argument: str) -> None:
    """From a file's name, a folder's files, a URL or the shape of a Hub id."""
    parsed = parse_spec(spec)
    assert (parsed.kind.name, parsed.argument) == (kind, argument)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("modle.joblib", r"there is no such file; did you mean 'model.joblib'"),
        ("./bret", "there is no such file or folder; did you mean 'bert'|unknown classifier"),
        (
            "bert/model.safetensor",
            r"did you mean 'bert/model.safetensors'\?.*or hf:bert/model.safetensor for",
        ),
        ("/no/such/model.onnx", "there is no such file"),
        ("notes.txt", "not a file of a model that is known; expected is a .skops"),
        ("predict.py", "say which function answers, as in predict.py:predict"),
        ("empty", "no model in this folder"),
        ("vadr", "unknown classifier 'vadr'; did you mean 'vader'"),
        ("distilbert", "unknown classifier"),
        ("nope:thing", "unknown classifier 'nope'"),
        ("", "unknown classifier ''"),
    ],
)
def test_a_slip_is_told_with_what_was_meant(spec: str, message: str) -> None:
    """Never fetched from the Hub by mistake, never a traceback."""
    with pytest.raises(UserError, match=message):
        parse_spec(spec)
