"""The gate for models from folders and the Hub: known classes and safetensors, nothing that runs code."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from contract.machine.errors import ExitCode, UserError, bad_input

MODULES = "modules.json"
MOST_BYTES_OF_A_CONFIG = 10_000_000
# Large tables of words, in which any key is a word.
_VOCABULARIES = {"tokenizer.json", "vocab.json"}
# Keys by which a model asks libraries to import or fetch code, or to load its weights in another way.
_KEYS_OF_CODE = {
    "auto_map",
    "custom_generate",
    "custom_pipelines",
    "quantization_config",
    "trust_remote_code",
    "use_kernels",
    *(
        f"{part}_{end}"
        for part in ("model", "config", "tokenizer", "processor")
        for end in ("args", "kwargs")
    ),
}
_ATTENTION = {"attn_implementation", "_attn_implementation", "_attn_implementation_internal"}
# The parts of sentence encoders that are loaded: none of them imports what a file names.
_ENCODER_PARTS = {"Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "Dropout"}
_WEIGHTED_PARTS = {"Dense", "LayerNorm"}
_ACTIVATIONS = ("torch.nn.modules.activation.", "torch.nn.modules.linear.Identity")


def check_model_folder(spec: str, folder: Path) -> Path:
    """Return the folder if libraries will load it as data: no code of its own, no base model elsewhere."""
    if (folder / "adapter_config.json").exists():
        raise bad_input(
            f"{spec}: {folder / 'adapter_config.json'} takes weights from another model;"
            " merge the adapter into its model and save that"
        )
    for path in sorted(folder.rglob("*.json")):
        if path.name not in _VOCABULARIES and path.is_file():
            raw = read_config(spec, path)
            for key, value in _entries(raw):
                if (key in _KEYS_OF_CODE and value) or (key in _ATTENTION and "/" in str(value)):
                    raise bad_input(
                        f"{spec}: {path}: the key {key!r} would load code or weights that are not known here;"
                        " expected is a model of a class that the libraries have themselves:"
                        " remove the key, or name another model"
                    )
    _check_parts(spec, folder)
    return folder


@contextlib.contextmanager
def loading_model(spec: str, remedy: str, *, exit_code: ExitCode = ExitCode.BAD_INPUT) -> Iterator[None]:
    """Turn whatever a library raises on a damaged model into an error that names the model."""
    try:
        yield
    except UserError:
        raise
    except BaseException as error:
        # Tokenizers written in Rust raise their panics past Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        line = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise UserError(f"{spec} cannot be loaded: {line}; {remedy}", exit_code=exit_code) from None


def _check_parts(spec: str, folder: Path) -> None:
    """Refuse a sentence encoder with parts that are not known, or whose weights are pickles."""
    path = folder / MODULES
    if not path.is_file():
        return
    parts = read_config(spec, path)
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise bad_input(f"{spec}: {path}: expected a list of parts; save the model again")
    for part in parts:
        kind, place = str(part.get("type")), str(part.get("path"))
        library, _, name = kind.rpartition(".")
        if library.partition(".")[0] != "sentence_transformers" or name not in _ENCODER_PARTS:
            raise bad_input(
                f"{spec}: {path}: the part {kind!r} is not one that is loaded as data; expected are"
                f" {', '.join(sorted(_ENCODER_PARTS))} of sentence_transformers: name another model"
            )
        if PurePosixPath(place).is_absolute() or ".." in PurePosixPath(place).parts or "\\" in place:
            raise bad_input(
                f"{spec}: {path}: the path {place!r} leads out of the folder; save the model again"
            )
        if name in _WEIGHTED_PARTS and not (folder / place / "model.safetensors").is_file():
            raise bad_input(
                f"{spec}: {folder / place} has no model.safetensors, and pickled weights are not loaded;"
                " save the model again with SentenceTransformer.save(..., safe_serialization=True)"
            )
        config = folder / place / "config.json"
        if name == "Dense" and config.is_file():
            activation = dict(_entries(read_config(spec, config))).get("activation_function", _ACTIVATIONS[0])
            if not str(activation).startswith(_ACTIVATIONS):
                raise bad_input(
                    f"{spec}: {config}: activation_function {activation!r} is not one of torch.nn;"
                    " name another model"
                )


def read_config(spec: str, path: Path) -> Any:
    """Return the JSON of a file that describes a model."""
    try:
        if path.stat().st_size > MOST_BYTES_OF_A_CONFIG:
            raise bad_input(f"{spec}: {path}: larger than any such file of a model; save the model again")
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise bad_input(
            f"{spec}: {path}: not JSON that can be read ({error}); save the model again"
        ) from None


def _entries(raw: Any) -> Iterator[tuple[str, Any]]:
    """Yield every key of a JSON value with what it holds, at any depth."""
    waiting = [raw]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield from value.items()
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
