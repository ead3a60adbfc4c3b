"""A small release to score on; lets tests import `synthetic`, since folders of tests are no packages."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def release_path(tmp_path: Path) -> Path:
    """Return a release of one task with 6 samples, two dimensions, two degrees and two cases each."""
    from synthetic import write_small_release

    return write_small_release(tmp_path / "release")
