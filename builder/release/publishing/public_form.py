"""The public form of a release without its labels: rows that show their texts, and what tells no label."""

import hashlib
import hmac
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from contract.machine.hashes import hash_of
from contract.release.release import Release, ReleaseWriter
from contract.schema.manifest import Manifest, SplitInfo
from contract.schema.names import TRAIN, sample_of_decoy
from contract.schema.records import Record, records_of

WITHHELD = -1
ID_DIGITS = 24
ATTACKED = frozenset({"score", "gradient"})
# Task, dimension and setting.
Cell = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class Secret:
    """Turns names into others that reveal nothing."""

    salt: str

    def name(self, what: str, value: str) -> str:
        """Return a name that only the salt's owner can connect with the value."""
        message = f"{what}:{value}".encode()
        return hmac.new(self.salt.encode(), message, hashlib.sha256).hexdigest()

    def id_of(self, record_id: str) -> str:
        """Return the public id of a row."""
        return self.name("id", record_id)[:ID_DIGITS]


@dataclass(frozen=True, kw_only=True)
class PublicForm:
    """What is published of a release, and which label each row of it has."""

    release: Release
    # What an attack would make if other labels were right, where the recipe asks for it.
    decoys: Release | None
    secret: Secret
    left_out: frozenset[Cell]

    def label_lines(self) -> Iterator[str]:
        """Yield the lines of the labels file, which is keyed by the public ids."""
        for split in self._plain_splits():
            names = self.release.manifest.task(split.task).labels
            for row in self._rows(split):
                public: dict[str, object] = {
                    "id": self.secret.id_of(row.record.id),
                    "label": names[row.label],
                }
                if row.is_decoy:
                    public["decoy"] = True
                # Which cases are in a tier tells how surrogates answer, and so what their labels are.
                if row.tier is not None:
                    public["tier"] = row.tier
                yield json.dumps(public, ensure_ascii=False) + "\n"

    def write(self, writer: ReleaseWriter, commitment: str) -> None:
        """Write the splits and the manifest."""
        manifest = self.release.manifest
        splits = []
        for split in self._plain_splits():
            # The order of random names is a shuffle.
            hidden = sorted(
                (_hidden(row.record, self.secret) for row in self._rows(split)), key=lambda row: row.id
            )
            entry = split.model_copy(
                update=dict.fromkeys(("sha256", "rows_sha256", "texts_sha256")) | {"bytes": 0}
            )
            splits.append(writer.write_split(entry, hidden, manifest.task(split.task).labels))
        writer.write_manifest(self._manifest(commitment, splits))

    def _plain_splits(self) -> list[SplitInfo]:
        """Return a split for each degree that is published; tiers are merged into it."""
        return [
            split
            for split in self.release.manifest.splits
            # With the training rows, surrogates could be trained again and asked which label a case hides.
            if split.tier is None
            and split.dimension != TRAIN
            and (split.task, split.dimension, split.setting) not in self.left_out
        ]

    def _rows(self, split: SplitInfo) -> list["_Row"]:
        """Return the rows of a split with their labels, decoys among them."""
        own = [
            _Row(record=record, label=record.label, pretended=record.label, tier=file.tier)
            for file in self.release.manifest.splits
            if _is_same_but_tier(split, file) and file.rows
            for record in records_of(self.release.table(file))
        ]
        if self.decoys is None or not split.is_adversarial:
            return own
        return list(
            _balanced(own, self._decoys_of(split), len(self.release.manifest.task(split.task).labels))
        )

    def _decoys_of(self, split: SplitInfo) -> Iterator["_Row"]:
        """Yield the decoys of a split, each with the true label of its sample."""
        decoys = self.decoys
        if decoys is None:
            return
        (clean,) = self.release.splits(task=split.task, dimension="clean")
        table = self.release.table(clean, ["sample_id", "label"])
        labels = dict(zip(table["sample_id"].to_pylist(), table["label"].to_pylist(), strict=True))
        for file in decoys.manifest.splits:
            if _is_same_but_tier(split, file) and file.rows:
                for record in records_of(decoys.table(file)):
                    sample = sample_of_decoy(record.sample_id)
                    yield _Row(
                        record=replace(record, sample_id=sample),
                        label=labels[sample],
                        pretended=record.label,
                        is_decoy=True,
                    )

    def _manifest(self, commitment: str, splits: Sequence[SplitInfo]) -> Manifest:
        """Return the manifest without what labels, weights or random choices could be tried by."""
        manifest = self.release.manifest
        surrogates = [
            info.model_copy(update={"weights_sha256": self.secret.name("weights", info.weights_sha256)})
            for info in manifest.surrogates
        ]
        tasks = [task.model_copy(update={"source_sha256": None}) for task in manifest.tasks]
        recipe = {**manifest.recipe, "seed": 0}
        return manifest.model_copy(
            update={
                "labels": "withheld",
                "commitment": commitment,
                # With it the random choices could be made again, and the numbers of samples be found by them.
                "seed": 0,
                "recipe": recipe,
                "recipe_sha256": hash_of(recipe),
                "tasks": tuple(tasks),
                "surrogates": tuple(surrogates),
                "funnel": tuple(row for row in manifest.funnel if self._is_shown(row)),
                "queries": tuple(row for row in manifest.queries if self._is_shown(row)),
                "left_out": tuple("/".join(cell) for cell in sorted(self.left_out)),
                "splits": tuple(splits),
            }
        )

    def _is_shown(self, row: object) -> bool:
        return tuple(getattr(row, name) for name in ("task", "dimension", "setting")) not in self.left_out


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A row, its true label, and the label that it was made as if it were right."""

    record: Record
    label: int
    pretended: int
    tier: str | None = None
    is_decoy: bool = False


def _balanced(own: Iterable[_Row], decoys: Iterable[_Row], n_labels: int) -> Iterator[_Row]:
    """Yield as many cases of each sample for every label that it was treated as having; no text twice.

    Else the numbers alone would tell: an attack on what a source holds certain has fewer attempts.
    """
    by_sample: dict[str, list[_Row]] = defaultdict(list)
    for row in (*own, *decoys):
        by_sample[row.record.sample_id].append(row)
    for rows in by_sample.values():
        counts = Counter(row.pretended for row in rows)
        n_each = min(counts[label] for label in range(n_labels))
        n_taken: Counter[int] = Counter()
        # A text that attacks on several labels end with is a case, and not a decoy, if one of them is right.
        texts: dict[tuple[str, str | None], _Row] = {}
        for row in sorted(rows, key=lambda row: (row.record.case, row.is_decoy)):
            if n_taken[row.pretended] < n_each:
                n_taken[row.pretended] += 1
                text = (row.record.text, row.record.text_pair)
                if text not in texts or texts[text].is_decoy:
                    texts[text] = row
        yield from texts.values()


def _is_same_but_tier(left: SplitInfo, right: SplitInfo) -> bool:
    """Whether two files hold the cases of one task, dimension, setting and degree."""
    names = ("task", "dimension", "setting", "degree")
    return all(getattr(left, name) == getattr(right, name) for name in names)


def _hidden(record: Record, secret: Secret) -> Record:
    """Return a row that shows its text and where it belongs, and nothing that tells its label."""
    return replace(
        record,
        id=secret.id_of(record.id),
        sample_id=secret.name("sample", record.sample_id)[:ID_DIGITS],
        label=WITHHELD,
        realised_degree=None,
        original_text=None,
        original_text_pair=None,
        case=0,
        method=None,
        source=None,
        edits=(),
        similarity=None,
        word_modification_rate=None,
        surrogate_predictions=(),
        source_fooled=None,
        transfer=None,
        annotation=None,
    )
