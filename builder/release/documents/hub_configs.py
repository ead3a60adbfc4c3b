"""The configs of a release on the Hub: which files `load_dataset` reads under which name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contract.schema.manifest import Manifest, SplitInfo
from contract.schema.names import SPLIT_WITHOUT_DEGREES, TRAIN, config_name

# The config of a task that holds every clean row and case.
ALL = "all"


@dataclass(frozen=True, kw_only=True)
class HubSplit:
    """A split of a config, with the files that have its rows."""

    name: str
    files: tuple[SplitInfo, ...]

    @property
    def n_rows(self) -> int:
        """How many rows its files have."""
        return sum(file.rows for file in self.files)

    @property
    def n_bytes(self) -> int:
        """How large its files are."""
        return sum(file.bytes for file in self.files)


@dataclass(frozen=True, kw_only=True)
class HubConfig:
    """A config with its splits."""

    name: str
    task: str
    splits: tuple[HubSplit, ...]


def hub_configs(manifest: Manifest) -> list[HubConfig]:
    """Return the configs: each cell with both files of a degree, its tier alone, and each task's whole."""
    configs = []
    for task in manifest.tasks:
        files = [split for split in manifest.splits if split.task == task.name and split.rows]
        configs += [
            HubConfig(name=name, task=task.name, splits=tuple(_by_split(of_config)))
            for name, of_config in _by_config(files).items()
        ]
        answered = tuple(file for file in files if file.dimension != TRAIN)
        if any(file.is_adversarial for file in answered):
            whole = HubSplit(name=SPLIT_WITHOUT_DEGREES, files=answered)
            configs.append(HubConfig(name=config_name(task.name, ALL, None), task=task.name, splits=(whole,)))
    return configs


def _by_config(files: Sequence[SplitInfo]) -> dict[str, list[SplitInfo]]:
    configs: dict[str, list[SplitInfo]] = {}
    for file in files:
        configs.setdefault(file.config, []).append(file)
        if file.tier is not None:
            own = config_name(file.task, file.dimension, file.setting, file.tier)
            configs.setdefault(own, []).append(file)
    return configs


def _by_split(files: Sequence[SplitInfo]) -> Iterator[HubSplit]:
    for name in dict.fromkeys(file.name for file in files):
        yield HubSplit(name=name, files=tuple(file for file in files if file.name == name))
