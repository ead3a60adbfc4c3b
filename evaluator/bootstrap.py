"""Bootstrap over samples: one set of draws a task, shared by dimensions, settings, degrees and models."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.metrics.metric import Numbers, Terms

N_REPLICATES = 200

_MOST_WEIGHTS_AT_A_TIME = 1 << 22


@dataclass(frozen=True, kw_only=True)
class Draws:
    """Which samples are drawn how often; decided by the release and a seed alone."""

    manifest_sha256: str
    seed: int
    n_draws: int

    def weights(self, task: str, n_samples: int) -> Iterator[Numbers]:
        """Yield blocks of draws: how often each sample (column) stands in each draw (row)."""
        key = hashlib.sha256(f"{self.manifest_sha256}:{self.seed}:{task}".encode()).digest()
        # The raw stream of PCG64 is promised never to change, unlike what numpy derives from it; it is read
        # draw after draw, so that fewer draws are the beginning of more draws.
        stream = np.random.PCG64(int.from_bytes(key, "big"))
        n_rows = max(1, min(self.n_draws, _MOST_WEIGHTS_AT_A_TIME // n_samples))
        for start in range(0, self.n_draws, n_rows):
            block = np.empty((min(n_rows, self.n_draws - start), n_samples))
            for row in block:
                raw = stream.random_raw(n_samples) >> np.uint64(32)
                drawn = (raw * np.uint64(n_samples)) >> np.uint64(32)
                row[:] = np.bincount(drawn.astype(np.int64), minlength=n_samples)
            yield block


def resample(terms: Sequence[Terms], weights: Iterator[Numbers]) -> list[Numbers]:
    """Return each score on every draw (rows); a draw without any sample to score gets the score itself."""
    columns = [_as_columns(term) for term in terms]
    joined = Terms(
        above=np.hstack([term.above for term in columns]), below=np.hstack([term.below for term in columns])
    )
    drawn = np.vstack([joined.resampled(block) for block in weights])
    is_empty = np.isnan(drawn)
    if is_empty.any():
        drawn = np.where(is_empty, joined.value(), drawn)
    ends = np.cumsum([term.above.shape[1] for term in columns])
    return np.split(drawn, ends[:-1], axis=1)


def _as_columns(terms: Terms) -> Terms:
    if terms.above.ndim == 2:
        return terms
    return Terms(above=terms.above[:, None], below=terms.below[:, None])


def interval(drawn: Numbers, confidence: float) -> tuple[float, float]:
    """Return the percentile interval of one score's draws."""
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
