"""People who never install Hardfrost load a release with `datasets`."""

from pathlib import Path

import datasets
import pytest

from contract.release.release import Release
from contract.schema.records import COLUMNS


@pytest.fixture
def renamed(tiny: Path, tmp_path: Path) -> Path:
    """Return the release under a name of its own: `datasets` caches by a folder's base name."""
    link = tmp_path / "tiny-for-datasets"
    link.symlink_to(tiny, target_is_directory=True)
    return link


def test_every_config_and_split_loads_with_the_right_features_and_counts(
    renamed: Path, tmp_path: Path
) -> None:
    """The front matter and the Parquet files agree with the manifest."""
    manifest = Release.open(renamed).manifest
    configs = list(dict.fromkeys(split.config for split in manifest.splits if split.rows))
    assert datasets.get_dataset_config_names(str(renamed)) == [*configs, "mr__all"]
    for config in configs:
        loaded = datasets.load_dataset(str(renamed), config, cache_dir=str(tmp_path / "cache"))
        expected = {split.name: split.rows for split in manifest.splits if split.config == config}
        assert {name: len(rows) for name, rows in loaded.items()} == expected
        for rows in loaded.values():
            assert tuple(rows.column_names) == COLUMNS
            assert rows.features["label"] == datasets.ClassLabel(names=["negative", "positive"])
            file = next(split for split in manifest.splits if split.config == config)
            assert (
                rows.features
                == datasets.Dataset.from_parquet(
                    str(renamed / file.path), cache_dir=str(tmp_path / "files")
                ).features
            )
