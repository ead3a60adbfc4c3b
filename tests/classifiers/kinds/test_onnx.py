"""An ONNX model with its tokenizer predicts as its graph says, from a file, a folder or the Hub's layout."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from one_task import a_request, a_task
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from classifiers import parse_spec
from classifiers.kinds.onnx import ONNX
from classifiers.machinery.classifier import ModelOptions
from contract.machine.errors import UserError

WORDS = {"[PAD]": 0, "[UNK]": 1, "good": 2, "bad": 3, "film": 4}
# Of each word, what it says for the first and for the second label.
WEIGHTS = np.array([[9, -9], [0, 0], [-2, 2], [3, -3], [0.5, 0]], np.float32)
TEXTS = [("good film", None), ("bad film", None), ("good good good bad film film film", None), ("", None)]


def write_model(
    folder: Path,
    name: str = "model.onnx",
    *,
    shape: tuple[Any, Any] = ("rows", "tokens"),
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    output: str = "logits",
) -> Path:
    """Write a model whose logits are the sum of its words' weights; padding would say much, but is masked."""
    folder.mkdir(parents=True, exist_ok=True)
    nodes = [
        helper.make_node("Gather", ["weights", inputs[0]], ["of_words"]),
        helper.make_node("Cast", [inputs[-1]], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["wide_mask"]),
        helper.make_node("Mul", ["of_words", "wide_mask"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "middle"], [output], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "sum",
        [helper.make_tensor_value_info(each, TensorProto.INT64, shape) for each in dict.fromkeys(inputs)],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, (shape[0], 2))],
        [
            numpy_helper.from_array(WEIGHTS, "weights"),
            numpy_helper.from_array(np.array([-1]), "last"),
            numpy_helper.from_array(np.array([1]), "middle"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / name))
    return folder / name


def write_tokenizer(folder: Path) -> None:
    """Write a tokenizer of whole words."""
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a model, its tokenizer and the names of its labels, which are not in our order."""
    write_model(tmp_path / "model")
    write_tokenizer(tmp_path / "model")
    (tmp_path / "model" / "config.json").write_text(
        json.dumps({"id2label": {"0": "NEGATIVE", "1": "POSITIVE"}})
    )
    return tmp_path / "model"


def expected(texts: list[tuple[str, None]]) -> np.ndarray[Any, Any]:
    """Return the softmax of the summed weights."""
    logits = [sum((WEIGHTS[WORDS[word]] for word in text.split()), np.zeros(2)) for text, _ in texts]
    powers = np.exp(logits)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def test_a_model_predicts_what_its_graph_says(folder: Path) -> None:
    """Whatever stands beside a text in its batch, also for an empty text, also for none."""
    for size in (None, 1, 3):
        classifier = ONNX.load(a_request(str(folder), options=ModelOptions(batch_size=size)))
        assert np.allclose(classifier.probabilities(TEXTS), expected(TEXTS), atol=1e-6)
    assert classifier.probabilities([]).shape == (0, 2)


def test_labels_follow_their_names(folder: Path) -> None:
    """A task in another order gets its own columns."""
    classifier = ONNX.load(a_request(str(folder), a_task(("positive", "negative"))))
    assert np.allclose(classifier.probabilities(TEXTS), expected(TEXTS)[:, ::-1], atol=1e-6)
    (folder / "config.json").unlink()
    said: list[str] = []
    assert ONNX.load(a_request(str(folder), say=said.append)).assumed_labels is not None  # type: ignore[attr-defined]
    assert "LABEL_0 = negative, LABEL_1 = positive" in said[0]
    with pytest.raises(UserError, match="has 2 labels, task mr has 3"):
        ONNX.load(a_request(str(folder), a_task(("a", "b", "c"))))


@pytest.mark.parametrize("shape", [(1, "tokens"), (2, 4), ("rows", 3)])
def test_fixed_sizes_are_filled_up(folder: Path, shape: tuple[Any, Any]) -> None:
    """As many exporters write them; longer texts are cut."""
    write_model(folder, shape=shape)
    longest = shape[1] if isinstance(shape[1], int) else 99
    cut = [(" ".join(text.split()[:longest]), None) for text, _ in TEXTS]
    assert np.allclose(ONNX.load(a_request(str(folder))).probabilities(TEXTS), expected(cut), atol=1e-6)


def test_the_model_is_found_by_file_folder_and_layout_of_the_hub(folder: Path, tmp_path: Path) -> None:
    """Without a kind before it; a folder with weights of transformers is not taken for it."""
    (folder / "onnx").mkdir()
    shutil.move(folder / "model.onnx", folder / "onnx" / "model.onnx")
    for path in (folder, folder / "onnx" / "model.onnx"):
        kind, argument = parse_spec(str(path))
        assert kind.name == "onnx"
        assert np.allclose(kind.load(a_request(argument)).probabilities(TEXTS), expected(TEXTS), atol=1e-6)
    (folder / "model.safetensors").write_bytes(b"")
    assert parse_spec(str(folder))[0].name == "hf"
    write_model(tmp_path / "bare")
    with pytest.raises(UserError, match=r"no tokenizer.json beside it"):
        ONNX.load(a_request(str(tmp_path / "bare")))
    write_model(folder / "onnx", "a.onnx")
    (folder / "onnx" / "model.onnx").unlink()
    write_model(folder / "onnx", "b.onnx")
    with pytest.raises(UserError, match=r"several models \(a.onnx, b.onnx\)"):
        ONNX.load(a_request(str(folder)))


def test_what_cannot_be_run_is_refused_in_words(folder: Path, tmp_path: Path) -> None:
    """Other inputs, other outputs, damaged files, a device that is not there."""
    with pytest.raises(UserError, match="--device tpu: cannot be used by ONNX Runtime here; give one of cpu"):
        ONNX.load(a_request(str(folder), options=ModelOptions(device="tpu")))
    write_model(folder, inputs=("pixels", "attention_mask"))
    with pytest.raises(UserError, match=r"has the input 'pixels'.*expected are input_ids"):
        ONNX.load(a_request(str(folder)))
    write_model(folder)
    data = (folder / "model.onnx").read_bytes()
    for damaged in (b"", data[: len(data) // 2], b"\x00" * 100, data[::-1]):
        (folder / "model.onnx").write_bytes(damaged)
        with pytest.raises(UserError, match="cannot be loaded"):
            ONNX.load(a_request(str(folder)))
    (folder / "model.onnx").write_bytes(data)
    for damaged in (b"", b"{}", b'{"model": 3}'):
        (folder / "tokenizer.json").write_bytes(damaged)
        with pytest.raises(UserError, match="cannot be loaded"):
            ONNX.load(a_request(str(folder)))
    with pytest.raises(UserError, match=r"did you mean '.*model'"):
        ONNX.load(a_request(str(tmp_path / "modle")))


def test_probabilities_stay_as_they_are(folder: Path) -> None:
    """An output that is called so needs no softmax; its numbers are checked where they are used."""
    write_model(folder, output="probabilities")
    rows = ONNX.load(a_request(str(folder))).probabilities([("good", None)])
    assert rows.tolist() == [[-2, 2]]
