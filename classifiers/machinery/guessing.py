"""Guesses what a path, a Hub id or a URL without a kind before it is, or says what was meant."""

import re
from collections.abc import Sequence
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.near_paths import near_path
from contract.machine.registry import did_you_mean

_URL = re.compile(r"https?://", re.IGNORECASE)
_FUNCTION = re.compile(r".+\.py:[\w.]+")
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*(?:@[\w./-]+)?")
_KIND_OF_SUFFIX = {
    ".skops": "sklearn",
    ".joblib": "sklearn",
    ".pkl": "sklearn",
    ".pickle": "sklearn",
    ".onnx": "onnx",
}
_EXPECTED = (
    "a .skops, .joblib or .onnx file, a folder of transformers or ONNX, FILE.py:FUNCTION, a URL or a Hub id"
)


def guessed(spec: str, kinds: Sequence[str]) -> str:
    """Return KIND:ARGUMENT for what has no kind before it; a kind always stands as it is."""
    if not spec or spec.partition(":")[0] in kinds:
        return spec
    if _URL.match(spec):
        return f"url:{spec}"
    if _FUNCTION.fullmatch(spec):
        return f"python:{spec}"
    path = Path(spec)
    if path.is_dir():
        return f"{_kind_of_folder(path)}:{spec}"
    suffix = path.suffix.lower()
    if suffix in _KIND_OF_SUFFIX:
        if not path.is_file():
            raise bad_input(f"{spec}: there is no such file;{near_path(path)} name the file of a model")
        return f"{_KIND_OF_SUFFIX[suffix]}:{spec}"
    if path.is_file():
        if suffix == ".py":
            raise UserError(
                f"{spec}: say which function answers, as in {spec}:predict", exit_code=ExitCode.WRONG_USE
            )
        raise bad_input(f"{spec}: not a file of a model that is known; expected is {_EXPECTED}")
    return _without_a_path(spec, kinds)


def _without_a_path(spec: str, kinds: Sequence[str]) -> str:
    """Return the Hub id that a spec is; anything else is a slip, and the nearest thing is suggested."""
    path = Path(spec)
    guess = near_path(path)
    is_id = _HUB_ID.fullmatch(spec) is not None
    # Where the folder before the slash is there, a mistyped path is more likely than somebody's name.
    if is_id and not path.parent.exists():
        return f"hf:{spec}"
    if len(path.parts) > 1:
        hub = f", or hf:{spec} for a model of the Hub" if is_id else ""
        raise bad_input(f"{spec}: there is no such file or folder;{guess} expected is {_EXPECTED}{hub}")
    name, _, _ = spec.partition(":")
    nearest = did_you_mean(name, kinds) or guess
    raise UserError(
        f"unknown classifier {name!r};{nearest} known classifiers: {', '.join(kinds)}; or {_EXPECTED}",
        exit_code=ExitCode.WRONG_USE,
    )


def _kind_of_folder(path: Path) -> str:
    """Return the kind of the model in a folder."""
    if (path / "classifier.json").is_file():
        return "stored"
    if any(path.glob("*.safetensors")):
        return "hf"
    if any(path.glob("*.onnx")) or any(path.glob("onnx/*.onnx")):
        return "onnx"
    if any(path.glob("*.bin")) or (path / "config.json").is_file():
        # Refused there in words, if its weights are pickles.
        return "hf"
    raise bad_input(
        f"{path}: no model in this folder; expected are .safetensors weights as save_pretrained writes them,"
        " or an .onnx file with its tokenizer.json"
    )
