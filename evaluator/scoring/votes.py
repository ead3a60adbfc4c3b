"""What the surrogates of a release say about its rows, and which of them each attempt was made against."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.schema.manifest import Manifest, SplitInfo, SurrogateInfo
from evaluator.metrics.overall import ATTACKED, half_of
from evaluator.metrics.ratio import Booleans
from evaluator.scoring.repeated_texts import places_by_name

NO_VOTE = -1
NO_SOURCE = -1

SOURCE = "source"
_VOTES, _FOOLED = "surrogate_predictions", "source_fooled"
_ENSEMBLE = "ensemble:"
_SEPARATOR = "+"


@dataclass(frozen=True, kw_only=True, eq=False)
class Votes:
    """The votes on all rows (a column a surrogate of the row's task), and the source of each attempt."""

    labels: NDArray[np.int16]
    # The place of the source among the task's surrogates.
    sources: NDArray[np.int16]
    source_fooled: Booleans


class VotesReader:
    """Takes the votes from the files of a release while their rows are read."""

    def __init__(self, manifest: Manifest) -> None:
        tasks = [task.name for task in manifest.tasks]
        self._names = {task: [info.name for info in manifest.surrogates_of(task)] for task in tasks}
        self._most = max(map(len, self._names.values()))
        self._labels: list[NDArray[np.int16]] = []
        self._sources: list[NDArray[np.int16]] = []
        self._source_fooled: list[Booleans] = []

    @classmethod
    def of(cls, manifest: Manifest) -> Self | None:
        """Return a reader; nothing where a release has no surrogates or does not say what they said."""
        return cls(manifest) if manifest.surrogates and manifest.labels != "withheld" else None

    def columns(self, split: SplitInfo) -> tuple[str, ...]:
        """Return the columns of a file: only attempts have a source."""
        return (_VOTES, SOURCE, _FOOLED) if _is_attacked(split) else (_VOTES,)

    def take(self, split: SplitInfo, table: pa.Table) -> None:
        """Take the votes on the rows of a file."""
        names = self._names[split.task]
        labels = np.full((table.num_rows, self._most), NO_VOTE, np.int16)
        if names:
            _fill(labels[:, : len(names)], table[_VOTES])
        sources = np.full(table.num_rows, NO_SOURCE, np.int16)
        source_fooled = np.zeros(table.num_rows, np.bool_)
        if _is_attacked(split):
            sources[:] = places_by_name(table[SOURCE], {name: place for place, name in enumerate(names)})
            fooled = table[_FOOLED]
            source_fooled[:] = pc.fill_null(fooled, fill_value=False) if fooled.null_count else fooled
        self._labels.append(labels)
        self._sources.append(sources)
        self._source_fooled.append(source_fooled)

    def votes(self) -> Votes:
        """Return the votes on all rows that were read."""
        return Votes(
            labels=np.concatenate(self._labels),
            sources=np.concatenate(self._sources),
            source_fooled=np.concatenate(self._source_fooled),
        )


def _is_attacked(split: SplitInfo) -> bool:
    return split.setting is not None and half_of(split.setting) == ATTACKED


def _fill(matrix: NDArray[np.int16], column: pa.ChunkedArray) -> None:
    """Write lists into the rows of a matrix; a list of another length says nothing."""
    start, n_columns = 0, matrix.shape[1]
    for chunk in column.chunks:
        rows = matrix[start : start + len(chunk)]
        start += len(chunk)
        values = chunk.flatten()
        values = (pc.fill_null(values, NO_VOTE) if values.null_count else values).to_numpy()
        lengths = _lengths(chunk)
        is_whole = lengths == n_columns
        if is_whole.all():
            rows[:] = values.reshape(-1, n_columns)
        else:
            rows[is_whole] = values[np.repeat(is_whole, lengths)].reshape(-1, n_columns)


def _lengths(lists: pa.ListArray) -> NDArray[np.int32]:
    """Return how many values each list has; none where there is no list."""
    if lists.null_count:
        return np.asarray(pc.fill_null(pc.list_value_length(lists), 0).to_numpy(), np.int32)
    return np.asarray(np.diff(lists.offsets.to_numpy()), np.int32)


def families_of(surrogate: SurrogateInfo, manifest: Manifest) -> frozenset[str]:
    """Return the families that a surrogate belongs to: an ensemble to those of all its members."""
    families = {surrogate.family}
    for spec in (surrogate.name, surrogate.kind, _kind_in_recipe(surrogate.name, manifest)):
        if spec.startswith(_ENSEMBLE):
            members = set(spec.removeprefix(_ENSEMBLE).split(_SEPARATOR))
            families |= {
                info.family
                for info in manifest.surrogates_of(surrogate.task)
                if info is not surrogate and (info.name in members or info.kind in members)
            }
    return frozenset(families)


def _kind_in_recipe(name: str, manifest: Manifest) -> str:
    """Return how the recipe names a surrogate's kind; nothing where it does not."""
    listed = manifest.recipe.get("surrogates")
    for entry in listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ():
        if isinstance(entry, dict) and entry.get("name") == name:
            return str(entry.get("kind", ""))
    return ""
