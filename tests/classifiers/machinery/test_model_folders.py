"""Folders of models are data: whatever their files name, no code of theirs runs."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from classifiers.machinery.model_folders import check_model_folder, loading_model
from classifiers.trained.minilm import packaged_folder
from contract.machine.errors import UserError

MODULES = "sentence_transformers.models."
ROOT = {"idx": 0, "name": "0", "path": "", "type": f"{MODULES}Transformer"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the packaged encoder."""
    return shutil.copytree(packaged_folder(), tmp_path / "model")


def change(path: Path, **keys: Any) -> None:
    """Set keys of a JSON file."""
    raw = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**raw, **keys}), encoding="utf-8")


def with_part(folder: Path, kind: str, place: str = "3_More") -> None:
    """Add a part to the encoder."""
    (folder / place).mkdir(exist_ok=True)
    parts = [ROOT, {"idx": 1, "name": "1", "path": place, "type": kind}]
    (folder / "modules.json").write_text(json.dumps(parts), encoding="utf-8")


def test_the_packaged_encoder_passes(folder: Path) -> None:
    """And so does a dense layer with weights as safetensors."""
    assert check_model_folder("file:it", folder) == folder
    with_part(folder, f"{MODULES}Dense")
    change(folder / "3_More" / "config.json", activation_function="torch.nn.modules.activation.Tanh")
    shutil.copy(folder / "model.safetensors", folder / "3_More" / "model.safetensors")
    assert check_model_folder("file:it", folder) == folder


@pytest.mark.parametrize(
    "kind", ["evil.Norm", "os.system", f"{MODULES}Router", "sentence_transformersx.Pooling"]
)
def test_a_part_of_an_unknown_class_is_refused(kind: str, folder: Path) -> None:
    """Only parts that import nothing are known."""
    with_part(folder, kind)
    with pytest.raises(UserError, match="not one that is loaded as data"):
        check_model_folder("file:it", folder)


@pytest.mark.parametrize("place", ["..", "/tmp", "a/../../b", "a\\b"])  # noqa: S108
def test_a_part_outside_the_folder_is_refused(place: str, folder: Path) -> None:
    """What is checked is what is loaded."""
    parts = [ROOT, {"idx": 1, "name": "1", "path": place, "type": f"{MODULES}Normalize"}]
    (folder / "modules.json").write_text(json.dumps(parts), encoding="utf-8")
    with pytest.raises(UserError, match="leads out of the folder"):
        check_model_folder("file:it", folder)


def test_pickled_or_odd_dense_layers_are_refused(folder: Path) -> None:
    """The library would take pytorch_model.bin, and call any function of torch as an activation."""
    with_part(folder, f"{MODULES}Dense")
    with pytest.raises(UserError, match="pickled weights are not loaded"):
        check_model_folder("file:it", folder)
    shutil.copy(folder / "model.safetensors", folder / "3_More" / "model.safetensors")
    change(folder / "3_More" / "config.json", activation_function="torch.hub.load")
    with pytest.raises(UserError, match=r"torch\.hub\.load"):
        check_model_folder("file:it", folder)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("config.json", {"auto_map": {"AutoModel": "evil.Model"}}),
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["evil.Tokenizer", None]}}),
        ("config.json", {"text_config": [{"trust_remote_code": True}]}),
        ("config.json", {"attn_implementation": "someone/kernel"}),
        ("sentence_bert_config.json", {"model_args": {"use_safetensors": False}}),
        ("config.json", {"quantization_config": {"quant_method": "awq"}}),
        ("1_Pooling/config.json", {"custom_pipelines": {"x": {"impl": "evil.Pipe"}}}),
    ],
)
def test_keys_that_ask_for_code_are_refused(name: str, keys: dict[str, Any], folder: Path) -> None:
    """In any JSON file of the folder and at any depth."""
    change(folder / name, **keys)
    with pytest.raises(UserError, match="would load code or weights") as refused:
        check_model_folder("file:it", folder)
    assert name in refused.value.message


def test_adapters_and_damaged_files_are_refused(folder: Path) -> None:
    """An adapter names its base model, which may be anywhere."""
    (folder / "config.json").write_text("[" * 200_000, encoding="utf-8")
    with pytest.raises(UserError, match="not JSON that can be read"):
        check_model_folder("file:it", folder)
    change(folder / "adapter_config.json", base_model_name_or_path="/elsewhere")
    with pytest.raises(UserError, match="merge the adapter"):
        check_model_folder("file:it", folder)


def test_whatever_a_library_raises_names_the_model() -> None:
    """Only what stops the program itself passes."""
    for error in (KeyError("x"), RuntimeError("one\ntwo"), type("PanicException", (BaseException,), {})("p")):
        with (
            pytest.raises(UserError, match=r"hf:it cannot be loaded: .*; mend it"),
            loading_model("hf:it", "mend it"),
        ):
            raise error
    with pytest.raises(KeyboardInterrupt), loading_model("hf:it", "mend it"):
        raise KeyboardInterrupt
