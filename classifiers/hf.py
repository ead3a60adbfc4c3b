"""Any sequence classifier of transformers, by Hub id or folder; safetensors only."""

from pathlib import Path
from typing import Any

from classifiers.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.needs import needs
from classifiers.transformer import Transformer
from contract.errors import ExitCode, UserError, bad_input


def load(request: LoadRequest) -> Classifier:
    """Return the model on the best device there is, with its labels matched to the task's."""
    with needs("transformers"):
        import torch  # noqa: PLC0415
        from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: PLC0415
    name = request.argument
    _refuse_pickles(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForSequenceClassification.from_pretrained(name, use_safetensors=True)
    except (OSError, ValueError) as error:
        raise UserError(
            f"hf:{name} cannot be loaded: {str(error).splitlines()[0]};"
            " check the name and the network, or give a folder with safetensors weights",
            exit_code=ExitCode.NETWORK,
        ) from None
    if tokenizer.pad_token is None:
        # Models made to write have no padding; what stands there is masked, so any token will do.
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
        model.config.pad_token_id = tokenizer.pad_token_id
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Transformer(tokenizer, model.float().to(device).eval(), _columns(request, model.config))


def identity(request: LoadRequest) -> list[list[str | int]]:
    """Return size and time of the weights in a folder: a model trained anew is another one."""
    files = sorted(Path(request.argument).glob("*.safetensors"))
    return [[path.name, path.stat().st_size, path.stat().st_mtime_ns] for path in files]


def _refuse_pickles(name: str) -> None:
    """Refuse a folder whose weights could run code."""
    folder = Path(name)
    if folder.is_dir() and not any(folder.glob("*.safetensors")):
        raise bad_input(
            f"hf:{name}: the folder has no .safetensors weights; a pickled checkpoint can run any code."
            " Save it again with save_pretrained(..., safe_serialization=True)"
        )


def _columns(request: LoadRequest, config: Any) -> list[int]:
    """Return for each of the task's labels the model's column: by name, or in order if it names none."""
    labels = request.task.labels
    if config.num_labels != len(labels):
        found = f"hf:{request.argument} has {config.num_labels} labels"
        raise UserError(
            f"{found}, task {request.task.name} has {len(labels)}; use a model made for this task"
        )
    names = {str(label).casefold(): int(index) for index, label in config.id2label.items()}
    if all(label.casefold() in names for label in labels):
        return [names[label.casefold()] for label in labels]
    if all(name.startswith("label_") for name in names):
        return list(range(len(labels)))
    raise UserError(
        f"hf:{request.argument} has the labels {', '.join(names)}, task {request.task.name} has"
        f" {', '.join(labels)}; rename the model's labels in its config (id2label)"
    )


HF = ClassifierKind(
    name="hf",
    summary="a transformers sequence classifier, by Hub id or folder",
    argument="ID_OR_PATH",
    load=load,
    identity=identity,
)
