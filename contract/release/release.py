"""A release on disk: opening one, reading its splits, and writing a new one whole or not at all."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from contract.machine.errors import bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.memory import give_back_memory, lean_file, lean_table
from contract.machine.near_paths import near_path
from contract.machine.parquet_files import FileColumns, trust, try_reading
from contract.machine.problems import shown
from contract.machine.whole_files import whole_file, write_text
from contract.release.checksums import CHECKSUMS, checksums_of
from contract.release.edit_distance import mean_edit_distance
from contract.release.row_order import rows_by_id
from contract.release.split_tables import read_split, read_split_by_id
from contract.schema.manifest import Manifest, SplitInfo, TaskInfo
from contract.schema.records import (
    COLUMNS,
    LABEL_LISTS,
    ROWS_AS_OBJECTS,
    ROWS_AT_A_TIME,
    TEXT_COLUMNS,
    Record,
    RowsDigest,
    schema_with_labels,
    table_of,
    with_lists,
)
from contract.task_kinds import TASK_KINDS

MANIFEST = "manifest.json"
# Rows with hundreds of edits fill a row group sooner than others do.
BYTES_A_ROW_GROUP = 1_000_000
# What a release may hold beside its splits.
DOCUMENTS = (MANIFEST, "README.md", "DATASHEET.md", "croissant.json", "eval.yaml")
# Added when withheld labels are published.
REVEALED = ("labels.jsonl", "salt.txt")
BESIDE_SPLITS = (*DOCUMENTS, CHECKSUMS, *REVEALED)


@dataclass(frozen=True, kw_only=True)
class Release:
    """A frozen benchmark in a folder."""

    path: Path
    manifest: Manifest
    manifest_sha256: str

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the release in a folder after checking that its manifest can be trusted as an index."""
        if not (path / MANIFEST).is_file():
            guess = "" if path.exists() else near_path(path)
            raise bad_input(
                f"{path}: not a release, it has no {MANIFEST};{guess} give the folder that holds it"
            )
        manifest = Manifest.read(path / MANIFEST)
        expected = columns_of(manifest.tasks)
        if manifest.columns != expected:
            raise bad_input(
                f"{path / MANIFEST}: columns are {shown(manifest.columns)}, expected {', '.join(expected)};"
                " is Hardfrost as new as the release?"
            )
        return cls(path=path, manifest=manifest, manifest_sha256=hash_of_file(path / MANIFEST))

    def splits(
        self, *, task: str | None = None, dimension: str | None = None, setting: str | None = None
    ) -> list[SplitInfo]:
        """Return the splits that match, in the manifest's order."""
        return [
            split
            for split in self.manifest.splits
            if task in {None, split.task}
            and dimension in {None, split.dimension}
            and setting in {None, split.setting}
        ]

    def table(
        self, split: SplitInfo, columns: Sequence[str] = COLUMNS, repeated: Sequence[str] = ()
    ) -> pa.Table:
        """Return the rows of a split; the texts of repeated columns come once, with the places of each."""
        path = self.path / split.path
        task = self.manifest.task(split.task)
        if split.rows == 0 and not path.exists():
            empty = table_of([])
            return (with_lists(empty, {}) if LABEL_LISTS in columns else empty).select(list(columns))
        return read_split(path, columns, task, repeated)

    def columns_of(self, split: SplitInfo) -> tuple[str, ...]:
        """Return the columns of a split's file."""
        return columns_of([self.manifest.task(split.task)])

    def tables_by_id(self, split: SplitInfo) -> Iterator[pa.Table]:
        """Yield the rows of a split in the order of their ids, a few at a time."""
        task = self.manifest.task(split.task)
        return read_split_by_id(self.path / split.path, self.columns_of(split), task)

    def prepare(self, splits: Iterable[SplitInfo], columns: Sequence[str] = COLUMNS) -> None:
        """Look at all files of these splits at once; each would be looked at before it is read."""
        try_reading(FileColumns(self.path / split.path, columns) for split in splits)


def columns_of(tasks: Iterable[TaskInfo]) -> tuple[str, ...]:
    """Return the columns of the rows of some tasks: those with many labels a text have one more."""
    has_lists = any(TASK_KINDS[task.kind].lists is not None for task in tasks)
    return (*COLUMNS, LABEL_LISTS) if has_lists else COLUMNS


# By sample, the true labels of rows that have many.
Lists = Mapping[str, Sequence[int | None]]


@dataclass(frozen=True, kw_only=True)
class ReleaseWriter:
    """Writes the files of a release into a folder that is not yet the release."""

    folder: Path

    def write_split(
        self,
        split: SplitInfo,
        records: Iterable[Record],
        labels: Sequence[str],
        lists: Lists | None = None,
        *,
        with_distance: bool = False,
    ) -> SplitInfo:
        """Write records as a split and return its entry for the manifest."""
        tables = map(table_of, _chunks(records))
        return self.write_tables(split, tables, labels, lists, with_distance=with_distance)

    def write_tables(
        self,
        split: SplitInfo,
        tables: Iterable[pa.Table],
        labels: Sequence[str],
        lists: Lists | None = None,
        *,
        with_distance: bool = False,
    ) -> SplitInfo:
        """Write a split's rows as they come and return its entry; a split without rows has no file.

        `lists` has the true labels of samples that have many. Cases and originals are compared, letter by
        letter, where the entry shall tell their distance.
        """
        path = self.folder / split.path
        groups = _row_groups(tables if lists is None else (with_lists(table, lists) for table in tables))
        first = next(groups, None)
        if first is None:
            return split.model_copy(update={"rows": 0, "samples": 0})
        schema = schema_with_labels(labels, has_lists=lists is not None)
        options = {"compression": "zstd", "use_content_defined_chunking": True, "write_page_index": True}
        with whole_file(path) as temporary, pq.ParquetWriter(temporary, schema, **options) as writer:
            for group in chain([first], groups):
                writer.write_table(group.cast(schema))
        trust(path)
        give_back_memory()
        return describe_split(split, path, with_distance=with_distance)

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest, without which a folder is not a release."""
        manifest.write(self.folder / MANIFEST)

    def write_documents(self, documents: Mapping[str, str]) -> None:
        """Write the release's documents, which tell of its manifest, then the hashes of all of these."""
        for name, text in documents.items():
            write_text(self.folder / name, text)
        names = [MANIFEST, *documents]
        checksums = checksums_of({name: (self.folder / name).read_bytes() for name in names})
        write_text(self.folder / CHECKSUMS, checksums)


def describe_split(split: SplitInfo, path: Path, *, with_distance: bool = False) -> SplitInfo:
    """Return the split's entry with the counts and hashes of the file as it is."""
    columns = lean_table(path, ["sample_id", "realised_degree"])
    mean = pc.mean(columns["realised_degree"]).as_py() if split.is_adversarial else None
    rows_sha256, texts_sha256 = _hashes_of(path)
    return split.model_copy(
        update={
            "rows": columns.num_rows,
            "samples": pc.count_distinct(columns["sample_id"]).as_py(),
            "mean_realised_degree": None if mean is None else round(mean, 6),
            "mean_edit_distance": mean_edit_distance(path) if with_distance else None,
            "bytes": path.stat().st_size,
            "sha256": hash_of_file(path),
            "rows_sha256": rows_sha256,
            "texts_sha256": texts_sha256,
        }
    )


def _hashes_of(path: Path) -> tuple[str, str]:
    """Return the hashes of a file's logical rows and texts, a few rows at a time."""
    with lean_file(path) as file:
        further = (LABEL_LISTS,) if LABEL_LISTS in file.schema_arrow.names else ()
        columns, text_columns = (*COLUMNS, *further), (*TEXT_COLUMNS, *further)
        digests = RowsDigest(columns), RowsDigest(text_columns)
        for table in rows_by_id(file, columns):
            for batch in table.to_batches(max_chunksize=ROWS_AS_OBJECTS):
                for digest in digests:
                    digest.add(batch)
    return digests[0].hexdigest(), digests[1].hexdigest()


@contextlib.contextmanager
def writing_release(path: Path) -> Iterator[ReleaseWriter]:
    """Yield a writer; the folder takes the release's name only when everything is in it."""
    check_replaceable(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    folder, aside = (
        Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")) for _ in range(2)
    )
    try:
        folder.chmod(0o755)
        yield ReleaseWriter(folder=folder)
        if path.exists():
            # Renaming is quick; deleting would leave half a release for a while.
            path.rename(aside / path.name)
        folder.rename(path)
    finally:
        for each in (folder, aside):
            shutil.rmtree(each, ignore_errors=True)


def check_replaceable(path: Path) -> None:
    """Refuse to write a release over anything but an older release or an empty folder."""
    if not path.exists():
        return
    if not path.is_dir():
        raise bad_input(f"{path}: is a file; give a folder for the release")
    if any(path.iterdir()) and not (path / MANIFEST).is_file():
        raise bad_input(f"{path}: holds other files; give an empty folder or one with an older release")


def _row_groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the rows in tables of a row group each."""
    group: list[pa.Table] = []
    n_rows = n_bytes = 0
    for table in tables:
        group.append(table)
        n_rows += table.num_rows
        n_bytes += table.nbytes
        if n_rows >= ROWS_AT_A_TIME or n_bytes >= BYTES_A_ROW_GROUP:
            yield pa.concat_tables(group)
            group = []
            n_rows = n_bytes = 0
    if n_rows:
        yield pa.concat_tables(group)


def _chunks(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield the records in lists that are soon made tables."""
    chunk: list[Record] = []
    for record in records:
        chunk.append(record)
        if len(chunk) == ROWS_AS_OBJECTS:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
