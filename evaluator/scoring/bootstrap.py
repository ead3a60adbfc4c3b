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
    (drawn,) = drawn_scores([terms], weights)
    return [filled(scores, term) for scores, term in zip(drawn, terms, strict=True)]


def drawn_scores(groups: Sequence[Sequence[Terms]], weights: Iterator[Numbers]) -> list[list[Numbers]]:
    """Return each score of each group on every draw (rows), NaN where a draw has no sample to score."""
    parts: list[list[Numbers]] = [[] for _ in groups]
    for block in weights:
        for found, terms in zip(parts, groups, strict=True):
            # Joined for as long as it takes to multiply: the scores of all groups at once would be many.
            found.append(_joined(terms).resampled(block))
    return [_parted(found, terms) for found, terms in zip(parts, groups, strict=True)]


def filled(drawn: Numbers, terms: Terms) -> Numbers:
    """Return draws with the score itself in place of what they lack."""
    is_empty = np.isnan(drawn)
    return np.where(is_empty, terms.value(), drawn) if is_empty.any() else drawn


def _joined(terms: Sequence[Terms]) -> Terms:
    """Return scores as the columns of one."""
    n_samples = len(terms[0].above)
    return Terms(
        above=np.hstack([term.above.reshape(n_samples, -1) for term in terms]),
        below=np.hstack([term.below.reshape(n_samples, -1) for term in terms]),
    )


def _parted(found: Sequence[Numbers], terms: Sequence[Terms]) -> list[Numbers]:
    """Return the draws of joined scores, score by score."""
    n_columns = [1 if term.above.ndim == 1 else term.above.shape[1] for term in terms]
    drawn = np.vstack([np.empty((0, sum(n_columns))), *found])
    return np.split(drawn, np.cumsum(n_columns)[:-1], axis=1)


def interval(drawn: Numbers, confidence: float) -> tuple[float, float]:
    """Return the percentile interval of one score's draws."""
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def intervals(drawn: Numbers, confidence: float) -> list[tuple[float, float] | None]:
    """Return the interval of each column; draws without a score (NaN) are ignored, and all may be such."""
    if not len(drawn):
        return [None] * drawn.shape[1]
    if not np.isnan(drawn).any():
        bounds = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
        return [(float(low), float(high)) for low, high in bounds.T]
    known = [column[~np.isnan(column)] for column in drawn.T]
    return [interval(column, confidence) if len(column) else None for column in known]
