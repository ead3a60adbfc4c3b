"""The transferable tier formed anew from stored votes, with one family's left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from contract.predictions.reading import Predictions
from contract.schema.names import CLEAN
from evaluator.metrics.overall import ATTACKED, half_of
from evaluator.metrics.ratio import Booleans
from evaluator.scoring.labelled_rows import LabelledRows
from evaluator.scoring.outcomes import parts_of
from evaluator.scoring.votes import NO_SOURCE, NO_VOTE, Votes, families_of

FEWEST_FAMILIES = 2
# Of a share that is compared with a bound.
_TOLERANCE = 1e-12

Codes = NDArray[np.int64]


class TierCount(NamedTuple):
    """How many cases of a tier are right, how many there are, and of how many samples."""

    n_right: int
    n_cases: int
    n_samples: int


@dataclass(frozen=True, kw_only=True, eq=False)
class TierVotes:
    """The attempts of a task that fool their source, with who was right on the original and who is fooled.

    Sets of surrogates are numbers with a bit for each. Few combinations occur, so that each is judged once.
    """

    # Of each surrogate, its families.
    families: Sequence[frozenset[str]]
    min_fooled: float
    combinations: Sequence["_Combination"]
    # The place of each attempt's combination.
    places: NDArray[np.int64]
    samples: NDArray[np.int32]
    is_right: Booleans

    def counts_without(self, family: str | None) -> TierCount:
        """Return the right cases and cases of the tier without a family's attempts and votes."""
        members = [self._members(family, of_source) for of_source in self.families]
        is_kept = np.array(
            [self._is_transferable(one, family, members[one.source]) for one in self.combinations], np.bool_
        )
        in_tier = is_kept[self.places] if len(self.places) else np.zeros(0, np.bool_)
        return TierCount(
            n_right=int((in_tier & self.is_right).sum()),
            n_cases=int(in_tier.sum()),
            n_samples=len(np.unique(self.samples[in_tier])),
        )

    def _is_transferable(
        self, combination: "_Combination", without: str | None, members: Mapping[str, int]
    ) -> bool:
        """Tell whether enough of the other families that were right on the original are fooled."""
        if without in self.families[combination.source]:
            return False
        n_eligible = n_fooled = 0
        for of_family in members.values():
            were_right = of_family & combination.right
            if were_right:
                n_eligible += 1
                n_fooled += were_right & combination.fooled == were_right
        return n_eligible >= FEWEST_FAMILIES and n_fooled / n_eligible >= self.min_fooled - _TOLERANCE

    def _members(self, without: str | None, of_source: frozenset[str]) -> Mapping[str, int]:
        """Return the surrogates of each family that votes."""
        members: dict[str, int] = {}
        for place, families in enumerate(self.families):
            if without in families:
                continue
            for family in families - of_source:
                members[family] = members.get(family, 0) | 1 << place
        return members


class _Combination(NamedTuple):
    """An attempt's source, the surrogates that were right on the original and those that are fooled."""

    source: int
    right: int
    fooled: int


def tier_votes(labelled: LabelledRows, predictions: Predictions, votes: Votes) -> list[TierVotes]:
    """Return the attempts of every task that fool their source, as tiers are formed from them."""
    manifest = labelled.rows.release.manifest
    tiers = []
    for task in manifest.tasks:
        families = [families_of(info, manifest) for info in manifest.surrogates_of(task.name)]
        clean, attacked = [], []
        for split, span in parts_of(labelled.rows, task.name):
            if split.dimension == CLEAN:
                clean.append(np.arange(span.start, span.stop))
            elif split.setting is not None and half_of(split.setting) == ATTACKED:
                attacked.append(np.arange(span.start, span.stop)[votes.source_fooled[span]])
        if not clean or not attacked:
            continue
        rows = np.concatenate(attacked)
        rows = rows[votes.sources[rows] != NO_SOURCE]
        right_on_clean = np.zeros(labelled.n_samples[task.name], np.int64)
        of_clean = np.concatenate(clean)
        right_on_clean[labelled.samples[of_clean]] = _bits(of_clean, labelled, votes, is_right=True)
        combined = np.stack(
            [
                votes.sources[rows].astype(np.int64),
                right_on_clean[labelled.samples[rows]],
                _bits(rows, labelled, votes, is_right=False),
            ]
        )
        width = len(families)
        codes = (combined[0] << (2 * width)) | (combined[1] << width) | combined[2]
        _, first, places = np.unique(codes, return_index=True, return_inverse=True)
        tiers.append(
            TierVotes(
                families=families,
                min_fooled=_min_fooled(manifest.recipe),
                combinations=[_Combination(*map(int, combined[:, place])) for place in first],
                places=places.reshape(-1),
                samples=labelled.samples[rows],
                is_right=predictions.labels[rows] == labelled.labels[rows],
            )
        )
    return tiers


def _bits(rows: Codes, labelled: LabelledRows, votes: Votes, *, is_right: bool) -> Codes:
    """Return for each row which surrogates have it right, or are fooled; who was not asked is neither."""
    bits = np.zeros(len(rows), np.int64)
    labels = labelled.labels[rows]
    for place in range(votes.labels.shape[1]):
        of_surrogate = votes.labels[rows, place]
        found = (of_surrogate == labels) if is_right else (of_surrogate != labels) & (of_surrogate != NO_VOTE)
        bits |= found.astype(np.int64) << place
    return bits


def _min_fooled(recipe: Mapping[str, object]) -> float:
    """Return the share of families that must be fooled, as the recipe says it."""
    share = recipe.get("min_fooled", 1.0)
    return float(share) if isinstance(share, int | float) else 1.0
