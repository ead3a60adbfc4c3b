"""Bootstrap over the samples of each label: one set of draws a task, shared by all figures and models."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.metrics.ratio import Figure, Numbers, Ratio
from evaluator.metrics.recall import RelativeFigure

Bounds = tuple[float, float]

N_REPLICATES = 200

_MOST_WEIGHTS_AT_A_TIME = 1 << 22


@dataclass(frozen=True, kw_only=True)
class Draws:
    """Which samples are drawn how often; decided by the release and a seed alone."""

    manifest_sha256: str
    seed: int
    n_draws: int

    def weights(self, task: str, sizes: Sequence[int]) -> Iterator[Numbers]:
        """Yield blocks of draws: how often each sample (column) stands in each draw (row).

        The samples of a label stand together; of each label, `sizes` in order, a draw has as many as there
        are.
        """
        n_samples = sum(sizes)
        key = hashlib.sha256(f"{self.manifest_sha256}:{self.seed}:{task}".encode()).digest()
        # The raw stream of PCG64 is promised never to change, unlike what numpy derives from it; it is read
        # draw after draw, so that fewer draws are the beginning of more draws.
        stream = np.random.PCG64(int.from_bytes(key, "big"))
        n_rows = max(1, min(self.n_draws, _MOST_WEIGHTS_AT_A_TIME // n_samples))
        size_of_label = np.repeat(np.array(sizes, np.uint64), sizes)
        start_of_label = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
        for start in range(0, self.n_draws, n_rows):
            block = np.empty((min(n_rows, self.n_draws - start), n_samples))
            for row in block:
                raw = stream.random_raw(n_samples) >> np.uint64(32)
                drawn = ((raw * size_of_label) >> np.uint64(32)).astype(np.int64) + start_of_label
                row[:] = np.bincount(drawn, minlength=n_samples)
            yield block


def resample(ratios: Sequence[Ratio], weights: Iterator[Numbers]) -> list[Numbers]:
    """Return each score on every draw (rows); a draw without any sample to score gets the score itself."""
    (drawn,) = draw_figures([ratios], weights)
    return [filled(scores, ratio.value()) for scores, ratio in zip(drawn, ratios, strict=True)]


def draw_figures(groups: Sequence[Sequence[Figure]], weights: Iterator[Numbers]) -> list[list[Numbers]]:
    """Return each figure of each group on every draw (rows), NaN where a draw has no sample to score."""
    blocks: list[list[list[Numbers]]] = [[[] for _ in figures] for figures in groups]
    for block in weights:
        # What several figures are made of is drawn once a block.
        known: dict[int, Numbers] = {}
        for scores_of_group, figures in zip(blocks, groups, strict=True):
            # Group after group: the joined ratios of all groups at once would fill the memory.
            for scores, drawn in zip(scores_of_group, _resampled(figures, block, known), strict=True):
                scores.append(drawn)
    return [
        [_stacked(scores, figure) for figure, scores in zip(figures, scores_of_group, strict=True)]
        for figures, scores_of_group in zip(groups, blocks, strict=True)
    ]


def filled(drawn: Numbers, point: Numbers) -> Numbers:
    """Return draws with the score itself in place of what they lack."""
    is_empty = np.isnan(drawn)
    return np.where(is_empty, point, drawn) if is_empty.any() else drawn


def _stacked(blocks: Sequence[Numbers], figure: Figure) -> Numbers:
    """Return the blocks of a figure's draws as one, not copied where it is one."""
    if len(blocks) == 1:
        return blocks[0]
    return np.vstack(blocks) if blocks else np.empty((0, _n_columns(figure)))


def _resampled(figures: Sequence[Figure], weights: Numbers, known: dict[int, Numbers]) -> list[Numbers]:
    """Return each figure on a block of draws; ratios are multiplied together, which is faster."""
    ratios = [figure for figure in figures if isinstance(figure, Ratio)]
    of_ratios = iter(_parted(_joined(ratios).resampled(weights), ratios) if ratios else [])
    return [
        next(of_ratios) if isinstance(figure, Ratio) else _drawn_once(figure, weights, known)
        for figure in figures
    ]


def _drawn_once(figure: Figure, weights: Numbers, known: dict[int, Numbers]) -> Numbers:
    """Return a figure on a block of draws; `known` holds by identity what has been drawn."""
    if isinstance(figure, RelativeFigure):
        parts = [_drawn_once(part, weights, known) for part in (figure.score, figure.clean)]
        return figure.quotient(*parts)
    if id(figure) not in known:
        known[id(figure)] = figure.resampled(weights)
    return known[id(figure)]


def _joined(ratios: Sequence[Ratio]) -> Ratio:
    """Return ratios as the columns of one."""
    n_samples = len(ratios[0].numerator)
    return Ratio(
        numerator=np.hstack([ratio.numerator.reshape(n_samples, -1) for ratio in ratios]),
        denominator=np.hstack([ratio.denominator.reshape(n_samples, -1) for ratio in ratios]),
    )


def _parted(drawn: Numbers, ratios: Sequence[Ratio]) -> list[Numbers]:
    """Return the draws of joined ratios, ratio by ratio."""
    return np.split(drawn, np.cumsum([_n_columns(ratio) for ratio in ratios])[:-1], axis=1)


def _n_columns(figure: Figure) -> int:
    if isinstance(figure, Ratio):
        return 1 if figure.numerator.ndim == 1 else int(figure.numerator.shape[1])
    return len(figure.values())


def interval(drawn: Numbers, confidence: float) -> Bounds:
    """Return the percentile interval of one score's draws."""
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def intervals(drawn: Numbers, confidence: float) -> list[Bounds | None]:
    """Return the interval of each column; draws without a score (NaN) are left out, and all may be such."""
    if not len(drawn):
        return [None] * drawn.shape[1]
    is_empty = np.isnan(drawn)
    lacks_some = np.asarray(is_empty.any(axis=0), np.bool_)
    whole = drawn[:, ~lacks_some] if lacks_some.any() else drawn
    bounds = np.quantile(whole, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    of_whole = iter(bounds.T.tolist())
    found: list[Bounds | None] = []
    for column, lacks in enumerate(lacks_some):
        if lacks:
            with_score = drawn[~is_empty[:, column], column]
            found.append(interval(with_score, confidence) if len(with_score) else None)
        else:
            low, high = next(of_whole)
            found.append((low, high))
    return found
