"""An ONNX text classifier with its tokenizer, as `optimum` and many tools export it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from classifiers.machinery.classifier import (
    EXPENSIVE,
    Classifier,
    ClassifierKind,
    Keep,
    LoadRequest,
    Probabilities,
    TextPair,
)
from classifiers.machinery.label_names import AssumedLabels, match_labels
from classifiers.machinery.model_folders import check_model_folder, loading_model, read_config
from classifiers.machinery.needs import needs
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.near_paths import near_path

_BATCH = 32
_LONGEST = 512
# Texts tokenised at a time, so that memory does not grow with their number.
_WINDOW = 4096
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_REMEDY = "export the model again, with its tokenizer.json beside it"
_PROVIDERS = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}


class _Files(NamedTuple):
    """The files of a model."""

    model: Path
    tokenizer: Path
    # The folder of config.json, if there is one.
    folder: Path


class _Input(NamedTuple):
    """An input of the graph; a size is None where any will do."""

    name: str
    dtype: str
    n_rows: int | None
    n_tokens: int | None


@dataclass(frozen=True, kw_only=True)
class OnnxClassifier:
    """A session of ONNX Runtime and a tokenizer; `columns` takes the model's labels to the task's."""

    session: Any
    tokenizer: Any
    inputs: tuple[_Input, ...]
    output: str
    columns: list[int]
    longest: int
    batch_size: int
    assumed_labels: AssumedLabels | None = None
    cost: ClassVar[int] = EXPENSIVE

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text."""
        result = np.zeros((len(texts), len(self.columns)))

        def keep(places: Sequence[int], rows: Probabilities) -> None:
            result[list(places)] = rows

        self.answer(texts, keep)
        return result

    def answer(self, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
        """Hand over batch after batch of texts of like length, the longest first."""
        order = sorted(range(len(texts)), key=lambda place: -sum(len(text or "") for text in texts[place]))
        n_rows = next((one.n_rows for one in self.inputs if one.n_rows), None)
        size = n_rows or self.batch_size
        for start in range(0, len(order), _WINDOW):
            window = order[start : start + _WINDOW]
            pairs = [texts[place] for place in window]
            encoded = self.tokenizer.encode_batch(
                [text if pair is None else (text, pair) for text, pair in pairs]
            )
            by_length = sorted(range(len(window)), key=lambda place: -len(encoded[place].ids))
            for first in range(0, len(window), size):
                some = by_length[first : first + size]
                rows = self._forward([encoded[place] for place in some], n_rows)
                keep([window[place] for place in some], rows)
        return ()

    def _forward(self, encoded: Sequence[Any], n_rows: int | None) -> Probabilities:
        """Return the rows of some texts, filled up to the sizes that the graph asks for."""
        n_tokens = next((one.n_tokens for one in self.inputs if one.n_tokens), None)
        n_tokens = n_tokens or max(1, *(len(one.ids) for one in encoded))
        values = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        padding = self.tokenizer.padding or {}
        feeds = {}
        for one in self.inputs:
            fill = padding.get("pad_id", 0) if one.name == "input_ids" else 0
            feed = np.full((n_rows or len(encoded), n_tokens), fill, dtype=one.dtype)
            for line, own in enumerate(encoded):
                row = getattr(own, values[one.name])[:n_tokens]
                feed[line, : len(row)] = row
            feeds[one.name] = feed
        (logits,) = self.session.run([self.output], feeds)
        logits = np.asarray(logits, np.float64)[: len(encoded)]
        if logits.shape != (len(encoded), len(self.columns)):
            raise UserError(
                f"onnx: the output {self.output!r} has the shape {logits.shape} for {len(encoded)} texts and"
                f" {len(self.columns)} labels; expected is one row a text with a number for each label"
            )
        return _softmax(logits, is_done="prob" in self.output.lower())[:, self.columns]


def _softmax(logits: Probabilities, *, is_done: bool) -> Probabilities:
    """Return probabilities; an output that is called so already holds them."""
    if is_done:
        return logits
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def load(request: LoadRequest) -> Classifier:
    """Return the model with its labels matched to the task's."""
    with needs("onnxruntime", "onnx"):
        import onnxruntime
    with needs("tokenizers", "onnx"):
        from tokenizers import Tokenizer
    spec = f"onnx:{request.argument}"
    files = _files(Path(request.argument))
    check_model_folder(spec, files.folder)
    provider = _provider(request.options.device, onnxruntime.get_available_providers())
    with loading_model(spec, _REMEDY):
        options = onnxruntime.SessionOptions()
        # Only errors, which are told in words anyway.
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(str(files.model), sess_options=options, providers=[provider])
        tokenizer = Tokenizer.from_file(str(files.tokenizer))
    inputs = _inputs(spec, session)
    output = _output(spec, session)
    config = _config(spec, files.folder / "config.json")
    names = _names(config, output.shape[-1], len(request.task.labels))
    if len(names) != len(request.task.labels):
        raise UserError(
            f"{spec} has {len(names)} labels, task {request.task.name} has {len(request.task.labels)};"
            " use a model made for this task"
        )
    matched = match_labels(spec, names, request)
    longest = _longest(config, _config(spec, files.folder / "tokenizer_config.json"), inputs)
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return OnnxClassifier(
        session=session,
        tokenizer=tokenizer,
        inputs=inputs,
        output=output.name,
        columns=[matched.places.index(place) for place in range(len(names))],
        longest=longest,
        batch_size=request.options.batch_size or _BATCH,
        assumed_labels=matched.assumed,
    )


def identity(request: LoadRequest) -> list[str | int]:
    """Return size and time of the model's file: a model exported anew is another one."""
    model = _files(Path(request.argument)).model
    return [model.name, model.stat().st_size, model.stat().st_mtime_ns]


def _files(path: Path) -> _Files:
    """Return the files of a model, given as its folder or as its .onnx file."""
    if not path.exists():
        raise bad_input(f"{path}: there is no such file or folder;{near_path(path)} name an .onnx file")
    model = path if path.is_file() else _model_in(path)
    # The Hub keeps ONNX files in a folder below the tokenizer.
    for folder in (model.parent, model.parent.parent):
        if (folder / "tokenizer.json").is_file():
            return _Files(model, folder / "tokenizer.json", folder)
    raise bad_input(
        f"{model}: no tokenizer.json beside it; save the tokenizer into the same folder"
        " (`AutoTokenizer.from_pretrained(NAME).save_pretrained(FOLDER)`)"
    )


def _model_in(folder: Path) -> Path:
    """Return the one model of a folder."""
    for where in (folder, folder / "onnx"):
        found = sorted(where.glob("*.onnx"))
        if (where / "model.onnx") in found:
            return where / "model.onnx"
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(path.name for path in found)
            raise bad_input(f"{where}: holds several models ({names}); name one of the files")
    raise bad_input(f"{folder}: no .onnx file in this folder; {_REMEDY}")


def _provider(device: str | None, available: Sequence[str]) -> str:
    """Return what computes: the processor, or a card if it is there."""
    known = {name: provider for name, provider in _PROVIDERS.items() if provider in available}
    if device is None:
        return known.get("cuda", _PROVIDERS["cpu"])
    if device not in known:
        raise UserError(
            f"--device {device}: cannot be used by ONNX Runtime here; give one of {', '.join(known)}",
            exit_code=ExitCode.WRONG_USE,
        )
    return known[device]


def _inputs(spec: str, session: Any) -> tuple[_Input, ...]:
    """Return the inputs of the graph; refuse those that a tokenizer cannot fill."""
    found = []
    for given in session.get_inputs():
        dtype = {"tensor(int64)": "int64", "tensor(int32)": "int32"}.get(given.type)
        if given.name not in _INPUTS or dtype is None or len(given.shape) != 2:
            raise bad_input(
                f"{spec}: has the input {given.name!r} of the type {given.type}; expected are"
                f" {', '.join(_INPUTS)} of whole numbers, one row a text"
            )
        rows, tokens = (size if isinstance(size, int) and size > 0 else None for size in given.shape)
        found.append(_Input(given.name, dtype, rows, tokens))
    if "input_ids" not in [one.name for one in found]:
        raise bad_input(f"{spec}: has no input `input_ids`; {_REMEDY}")
    return tuple(found)


def _output(spec: str, session: Any) -> Any:
    """Return the output that holds a number for each label."""
    outputs = session.get_outputs()
    named = [one for one in outputs if one.name == "logits" or "prob" in one.name.lower()]
    for one in [*named, *outputs]:
        if one.type in {"tensor(float)", "tensor(float16)", "tensor(double)"} and len(one.shape) == 2:
            return one
    raise bad_input(f"{spec}: no output with one row a text and a number for each label; {_REMEDY}")


def _config(spec: str, path: Path) -> dict[str, Any]:
    """Return a file that describes the model; nothing where there is none."""
    raw = read_config(spec, path) if path.is_file() else {}
    return raw if isinstance(raw, dict) else {}


def _names(config: dict[str, Any], n_columns: Any, n_labels: int) -> list[str]:
    """Return what the model calls its labels, in the order of its columns; numbers where it does not say."""
    given = config.get("id2label")
    if isinstance(given, dict) and given and all(str(key).isdecimal() for key in given):
        return [str(name) for _, name in sorted((int(column), name) for column, name in given.items())]
    return [f"LABEL_{column}" for column in range(n_columns if isinstance(n_columns, int) else n_labels)]


def _longest(config: dict[str, Any], of_tokenizer: dict[str, Any], inputs: Sequence[_Input]) -> int:
    """Return the most tokens that the model takes."""
    limits = [_LONGEST, config.get("max_position_embeddings"), of_tokenizer.get("model_max_length")]
    limits += [one.n_tokens for one in inputs]
    return int(min(limit for limit in limits if isinstance(limit, int | float) and limit >= 1))


ONNX = ClassifierKind(
    name="onnx",
    summary="an ONNX text classifier with its tokenizer.json, by file or folder",
    argument="PATH",
    load=load,
    identity=identity,
    takes=frozenset({"--device", "--batch-size", "--labels"}),
)
