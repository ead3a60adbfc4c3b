"""Releases from Python: opened or built, as one table of all rows or as data sets."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract.release.release import Release
from contract.schema.manifest import Manifest
from flows.api.values import Place, Scratch, html_table, needed, path_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from datasets import DatasetDict


class LoadedRelease:
    """A frozen benchmark: what it holds, all its rows as one table, and its splits as data sets."""

    def __init__(self, release: Release, *, scratch: Scratch | None = None) -> None:
        self._release = release
        # Kept as long as the release is used; deleted with it.
        self._scratch = scratch

    @property
    def path(self) -> Path:
        """The folder of the release."""
        return self._release.path

    @property
    def manifest(self) -> Manifest:
        """Everything that the release says of itself."""
        return self._release.manifest

    @property
    def name(self) -> str:
        """The name of the benchmark."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """The version of the benchmark."""
        return self.manifest.version

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks."""
        return tuple(task.name for task in self.manifest.tasks)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the dimensions."""
        return tuple(dimension.name for dimension in self.manifest.dimensions)

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings in which it has cases."""
        return tuple(dict.fromkeys(split.setting for split in self.manifest.splits if split.setting))

    def labels(self, task: str | None = None) -> tuple[str, ...]:
        """Return the labels of a task, which may be left out where there is only one."""
        return self.manifest.task(task or self._only_task()).labels

    @cached_property
    def table(self) -> "pa.Table":
        """All clean rows and cases in one Arrow table, in the order in which predictions are given.

        The columns are those of the release, and `label_name`.
        """
        import pyarrow as pa

        from contract.predictions.reading import ReleaseRows
        from contract.schema.records import COLUMNS

        table = ReleaseRows.read(self._release, COLUMNS).table
        names = {task.name: task.labels for task in self.manifest.tasks}
        pairs = zip(table["task"].to_pylist(), table["label"].to_pylist(), strict=True)
        label_names = [None if label < 0 else names[task][label] for task, label in pairs]
        return table.append_column("label_name", pa.array(label_names, pa.string()))

    def to_pandas(self) -> "pd.DataFrame":
        """Return all clean rows and cases as one data frame."""
        needed("pandas", "pandas", "to_pandas()")
        frame: pd.DataFrame = self.table.to_pandas()
        return frame

    @property
    def datasets(self) -> "Mapping[str, DatasetDict]":
        """The splits as Hugging Face data sets, by the names of the configs that the Hub has."""
        return _Configs(self._release)

    def verify(self) -> list[str]:
        """Return what differs from the hashes of the manifest: nothing, where all is as frozen."""
        from contract.machine.progress import Silence
        from contract.release.verification import open_and_verify

        return list(open_and_verify(self.path, Silence()))

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        n_cases = sum(split.rows for split in self.manifest.splits if split.is_adversarial)
        n_samples = sum(task.n_samples for task in self.manifest.tasks)
        about = f"{len(self.dimensions)} dimensions, {n_samples:,} samples, {n_cases:,} cases"
        return f"<release {self.name} {self.version}: {', '.join(self.tasks)}; {about}>"

    def _repr_html_(self) -> str:
        cells: dict[tuple[str, str, str], list[int]] = {}
        for split in self.manifest.splits:
            if split.is_adversarial and split.rows:
                key = (split.task, split.dimension, split.setting or "")
                cells.setdefault(key, []).append(split.rows)
        rows = [(*key, f"{sum(counts):,}") for key, counts in cells.items()]
        return html_table(f"{self.name} {self.version}", ("task", "dimension", "setting", "cases"), rows)

    def _only_task(self) -> str:
        if len(self.tasks) > 1:
            raise ValueError(f"name a task: {', '.join(self.tasks)}")
        return self.tasks[0]


class _Configs(Mapping[str, Any]):
    """Data sets by config, each read when it is asked for."""

    def __init__(self, release: Release) -> None:
        from builder.release.documents.hub_configs import hub_configs

        self._release = release
        self._configs = {config.name: config for config in hub_configs(release.manifest)}

    def __getitem__(self, name: str) -> Any:
        import pyarrow as pa

        from contract.machine.registry import unknown_name

        datasets = needed("datasets", "datasets", "the view of data sets")
        if name not in self._configs:
            raise unknown_name("config", name, self._configs)
        return datasets.DatasetDict(
            {
                split.name: datasets.Dataset(
                    pa.concat_tables([self._release.table(file) for file in split.files])
                )
                for split in self._configs[name].splits
            }
        )

    def __iter__(self) -> Any:
        return iter(self._configs)

    def __len__(self) -> int:
        return len(self._configs)

    def __repr__(self) -> str:
        return f"<data sets: {', '.join(self._configs)}>"


AnyRelease = LoadedRelease | Place


def load(release: AnyRelease) -> LoadedRelease:
    """Open a release: a folder, an archive of `hardfrost pack`, or ORG/NAME[@VERSION] on the Hub.

    An archive and a release of the Hub are unpacked into a temporary folder, which is deleted with the
    value; `hardfrost download` keeps them.
    """
    if isinstance(release, LoadedRelease):
        return release
    path = path_of(release)
    if path.is_dir():
        return LoadedRelease(Release.open(path))
    from contract.transport.archives import is_archive

    place = str(release)
    if not path.is_file() and not is_archive(place) and not _is_repo(place):
        # Says that it is no release.
        return LoadedRelease(Release.open(path))
    scratch = Scratch()
    folder = scratch.path / "release"
    _fetch(place, path, folder)
    return LoadedRelease(Release.open(folder), scratch=scratch)


def _is_repo(place: str) -> bool:
    """Tell whether a place looks like ORG/NAME of the Hub."""
    return place.count("/") == 1 and not place.startswith((".", "/", "~"))


def _fetch(place: str, path: Path, folder: Path) -> None:
    from contract.machine.progress import Silence
    from contract.transport.archives import is_archive, unpack
    from contract.transport.downloading import download

    if path.is_file() or is_archive(place):
        unpack(place, folder, [], Silence(), sha256=None, is_offline=False)
    else:
        repo, _, version = place.partition("@")
        download(repo, version or None, folder, [], Silence(), is_offline=False)


def build(
    recipe: Place | Mapping[str, Any],
    out: Place,
    *,
    workers: int = 1,
    trust: bool = False,
    fresh: bool = False,
    progress: bool = False,
) -> LoadedRelease:
    """Build the release of a recipe into a folder and open it; finished units of work are used again.

    A recipe is a YAML file, the name of a ready one, or a mapping with the same keys. `trust` lets it run
    code of its own, `fresh` does finished units again, `progress` shows bars. The rows do not depend on
    `workers`.
    """
    from builder.recipe.trust import check_trust
    from builder.run.options import ExecutionOptions
    from builder.run.pipeline import build as build_release
    from contract.machine.progress import Bars, Silence

    chosen = _recipe_of(recipe, is_trusted=trust)
    if not trust:
        check_trust(chosen)
    options = ExecutionOptions(engine="process" if workers > 1 else "serial", workers=workers, is_fresh=fresh)
    if progress:
        with Bars() as bars:
            build_release(chosen, path_of(out), bars, options)
    else:
        build_release(chosen, path_of(out), Silence(), options)
    return load(path_of(out))


def _recipe_of(recipe: Place | Mapping[str, Any], *, is_trusted: bool) -> Any:
    from builder.recipe.recipe_file import find_recipe, read_recipe, recipe_of

    if isinstance(recipe, Mapping):
        return recipe_of(recipe, Path.cwd(), is_trusted=is_trusted)
    return read_recipe(find_recipe(str(recipe)), is_trusted=is_trusted)
