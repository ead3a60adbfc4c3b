"""The tagger's model: a linear chain over tags in whole numbers, which gives the same tags everywhere."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from builder.language.tagger.features import KEY_BITS, IntArray, LexiconEntry
from contract.machine.hashes import hash_of_file

WEIGHTS_PATH = Path(__file__).parent / "weights" / "model.npz"
# Units are keyed by the hash of the code, which through this constant covers the weights.
WEIGHTS_SHA256 = "7f19e5f201964142c789e786fca9c506a1fd0179e9025a7a07110ffa66d91f4b"

# Features are spread over this many rows of weights.
ROW_BITS = 16
# How many of a piece's best tags the chain chooses from.
N_CANDIDATES = 8


@dataclass(frozen=True, kw_only=True)
class Model:
    """Weights of features and of neighbouring tags, and the lexicon that features use."""

    tags: tuple[str, ...]
    weights: npt.NDArray[np.int8]
    is_known: npt.NDArray[np.bool_]
    transitions: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int16]
    ends: npt.NDArray[np.int16]
    lexicon: Mapping[str, LexiconEntry]

    def scores(self, keys: IntArray) -> npt.NDArray[np.int16]:
        """Return the score of every tag for every piece; features that training dropped count nothing."""
        rows = rows_of(keys, self.is_known)
        scores = np.zeros((len(keys), len(self.tags)), dtype=np.int16)
        for column in range(rows.shape[1]):
            scores += self.weights[rows[:, column]]
        return scores

    def decode(self, scores: npt.NDArray[np.int16], lengths: IntArray) -> IntArray:
        """Return the best tag of every piece: for each sentence the chain with the highest sum."""
        firsts = np.cumsum(lengths) - lengths
        candidates = _candidates(scores)
        values = np.take_along_axis(scores, candidates, axis=1).astype(np.int32)
        order = np.argsort(-lengths, kind="stable")
        firsts, lengths = firsts[order], lengths[order]
        back = np.zeros(candidates.shape, dtype=np.int64)
        values[firsts] += self.starts[candidates[firsts]]
        for step in range(1, int(lengths[0]) if len(lengths) else 0):
            # Longest first: those that still have a piece at this step stand in front.
            here = firsts[: np.searchsorted(-lengths, -step)] + step
            moves = self.transitions[candidates[here - 1][:, :, None], candidates[here][:, None, :]]
            sums = values[here - 1][:, :, None] + moves
            back[here] = sums.argmax(axis=1)
            values[here] += np.take_along_axis(sums, back[here][:, None, :], axis=1)[:, 0]
        lasts = firsts + lengths - 1
        best = np.zeros(len(scores), dtype=np.int64)
        best[lasts] = (values[lasts] + self.ends[candidates[lasts]]).argmax(axis=1)
        for step in range(int(lengths[0]) - 1 if len(lengths) else 0, 0, -1):
            here = firsts[: np.searchsorted(-lengths, -step)] + step
            best[here - 1] = back[here, best[here]]
        chosen: IntArray = candidates[np.arange(len(best)), best]
        return chosen


def rows_of(keys: IntArray, is_known: npt.NDArray[np.bool_]) -> IntArray:
    """Return the row of weights of each feature; the last row, which is zero, for those not known."""
    return np.where(is_known[keys], keys >> (KEY_BITS - ROW_BITS), 2**ROW_BITS)


def _candidates(scores: npt.NDArray[np.int16]) -> IntArray:
    """Return the best tags of each piece, in the order of tags; of equal ones the first."""
    n_tags = scores.shape[1]
    # No two keys are equal, so that the order does not depend on how a machine sorts.
    keys = scores.astype(np.int32) * n_tags - np.arange(n_tags, dtype=np.int32)
    best = np.argpartition(-keys, N_CANDIDATES - 1, axis=1)[:, :N_CANDIDATES]
    return np.sort(best, axis=1)


@lru_cache(maxsize=1)
def load_model() -> Model:
    """Return the shipped model."""
    if hash_of_file(WEIGHTS_PATH) != WEIGHTS_SHA256:
        raise ValueError(f"{WEIGHTS_PATH} is not the file this code was made for; install the package again")
    with np.load(WEIGHTS_PATH, allow_pickle=False) as arrays:
        tag_sets = _lines(arrays["readings"])
        lexicon = {
            word: LexiconEntry(tag_sets[number], "?" if cluster < 0 else str(cluster))
            for word, number, cluster in zip(
                _lines(arrays["words"]),
                arrays["word_readings"].tolist(),
                arrays["word_clusters"].tolist(),
                strict=True,
            )
        }
        return Model(
            tags=tuple(_lines(arrays["tags"])),
            weights=arrays["weights"],
            is_known=np.unpackbits(arrays["is_known"]).astype(np.bool_),
            transitions=arrays["transitions"],
            starts=arrays["starts"],
            ends=arrays["ends"],
            lexicon=lexicon,
        )


def save_model(model: Model) -> bytes:
    """Return the file of a model, the same bytes for the same model."""
    tag_sets = sorted({entry.tags for entry in model.lexicon.values()})
    words = sorted(model.lexicon)
    clusters = [model.lexicon[word].cluster for word in words]
    file = io.BytesIO()
    np.savez_compressed(
        file,
        tags=_bytes(model.tags),
        weights=model.weights,
        is_known=np.packbits(model.is_known),
        transitions=model.transitions,
        starts=model.starts,
        ends=model.ends,
        words=_bytes(words),
        readings=_bytes(tag_sets),
        word_readings=np.array([tag_sets.index(model.lexicon[word].tags) for word in words], dtype=np.uint8),
        word_clusters=np.array([-1 if name == "?" else int(name) for name in clusters], dtype=np.int16),
    )
    return file.getvalue()


def _bytes(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def _lines(content: npt.NDArray[np.uint8]) -> list[str]:
    return content.tobytes().decode().split("\n")
