"""Any sequence classifier of transformers, by Hub id or folder; safetensors only."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.machinery.devices import chosen_device
from classifiers.machinery.label_names import MatchedLabels, match_labels
from classifiers.machinery.model_folders import check_model_folder, loading_model
from classifiers.machinery.needs import needs
from classifiers.machinery.transformer import Transformer
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of_file

# What a model needs and nothing else: no pickles, and no second copy of the weights in another format.
FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
OTHER_FORMATS = ("onnx/*", "openvino/*", "*/*.safetensors")
MOST_KEYS_SHOWN = 4
_REMEDY = "check the name and the network, or give a folder with safetensors weights"


def load(request: LoadRequest) -> Classifier:
    """Return the model on the best device there is, with its labels matched to the task's."""
    with needs("transformers"):
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
        from transformers.utils import logging
    logging.disable_progress_bar()
    name = request.argument
    folder = str(folder_of(name))
    with loading_model(f"hf:{name}", _REMEDY, exit_code=ExitCode.NETWORK):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        # Weights of another size pass here; `_check_weights` refuses them with a better message.
        model, report = AutoModelForSequenceClassification.from_pretrained(
            folder,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            trust_remote_code=False,
        )
    _check_weights(name, report)
    if tokenizer.pad_token is None:
        # Models made to write have no padding; what stands there is masked, so any token will do.
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
        model.config.pad_token_id = tokenizer.pad_token_id
    matched = _matched(request, model.config)
    # For each of the task's labels the model's column.
    columns = [matched.places.index(place) for place in range(len(matched.places))]
    device = chosen_device(request.options.device)
    return Transformer(
        tokenizer, model.float().to(device).eval(), columns, request.options.batch_size, matched.assumed
    )


def identity(request: LoadRequest) -> list[list[str | int]]:
    """Return size and time of the weights in a folder: a model trained anew is another one."""
    files = sorted(Path(request.argument).glob("*.safetensors"))
    return [[path.name, path.stat().st_size, path.stat().st_mtime_ns] for path in files]


def content(request: LoadRequest) -> dict[str, str]:
    """Return the hash of each file that decides what the model says."""
    folder = folder_of(request.argument)
    paths = {path for pattern in FILES for path in folder.glob(pattern) if path.is_file()}
    return {path.name: hash_of_file(path) for path in sorted(paths)}


def folder_of(name: str) -> Path:
    """Return the folder of a model, here or fetched from the Hub; pickled weights are refused."""
    folder = Path(name) if Path(name).is_dir() else _fetched(name)
    if not any(folder.glob("*.safetensors")):
        raise bad_input(
            f"hf:{name}: the folder has no .safetensors weights; a pickled checkpoint can run any code."
            " Save it again with save_pretrained(..., safe_serialization=True)"
        )
    return check_model_folder(f"hf:{name}", folder)


def _fetched(name: str) -> Path:
    with needs("huggingface_hub"):
        from huggingface_hub import snapshot_download
    repository, _, revision = name.partition("@")
    with loading_model(f"hf:{name}", _REMEDY, exit_code=ExitCode.NETWORK):
        return Path(
            snapshot_download(
                repository,
                revision=revision or None,
                allow_patterns=list(FILES),
                ignore_patterns=list(OTHER_FORMATS),
            )
        )


def _check_weights(name: str, report: Mapping[str, Any]) -> None:
    """Refuse weights that do not fill the model: transformers draws what is missing at random."""
    missing = sorted(report["missing_keys"])
    # Some versions of transformers give the sizes beside the name.
    other_size = sorted(key if isinstance(key, str) else key[0] for key in report["mismatched_keys"])
    for what, keys in (("lacks", missing), ("has in another size than its config says", other_size)):
        if keys:
            shown = ", ".join(keys[:MOST_KEYS_SHOWN]) + (", …" if len(keys) > MOST_KEYS_SHOWN else "")
            raise bad_input(
                f"hf:{name}: the checkpoint {what} {shown}, and would answer by weights drawn at random;"
                " expected is a model fine-tuned for sequence classification, saved with its head"
            )


def _matched(request: LoadRequest, config: Any) -> MatchedLabels:
    """Return what the model's labels mean; refuse a model of another number of labels."""
    labels = request.task.labels
    if config.num_labels != len(labels):
        found = f"hf:{request.argument} has {config.num_labels} labels"
        raise UserError(
            f"{found}, task {request.task.name} has {len(labels)}; use a model made for this task"
        )
    by_column = sorted((int(column), str(name)) for column, name in config.id2label.items())
    return match_labels(f"hf:{request.argument}", [name for _, name in by_column], request)


HF = ClassifierKind(
    name="hf",
    summary="a transformers sequence classifier, by Hub id or folder",
    argument="ID_OR_PATH",
    load=load,
    family="encoder",
    identity=identity,
    content=content,
    takes=frozenset({"--device", "--batch-size", "--labels"}),
)
