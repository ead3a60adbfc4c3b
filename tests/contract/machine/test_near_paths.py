"""A mistyped path is answered with the nearest one that exists."""

from pathlib import Path

import pytest

from contract.machine.errors import UserError
from contract.machine.near_paths import near_path
from contract.release.release import Release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a few files."""
    (tmp_path / "releases" / "tiny").mkdir(parents=True)
    (tmp_path / "predictions.jsonl").touch()
    (tmp_path / ".hidden.jsonl").touch()
    return tmp_path


def test_the_first_wrong_part_is_mended(folder: Path) -> None:
    """What follows it stays, where it is there."""
    assert near_path(folder / "predictons.jsonl") == f" did you mean {str(folder / 'predictions.jsonl')!r}?"
    assert near_path(folder / "release" / "tiny") == f" did you mean {str(folder / 'releases' / 'tiny')!r}?"
    assert near_path(folder / "release" / "huge") == f" did you mean {str(folder / 'releases')!r}?"


def test_nothing_near_is_nothing_said(folder: Path) -> None:
    """Neither hidden files, nor files inside files."""
    assert not near_path(folder / "something else entirely")
    assert not near_path(folder / "hidden.json")
    assert not near_path(folder / "predictions.jsonl" / "x")
    assert not near_path(folder / "predictions.jsonl")


def test_a_mistyped_release_is_suggested(folder: Path) -> None:
    """As every command that reads one says it."""
    with pytest.raises(UserError, match=r"not a release.*did you mean .*tiny"):
        Release.open(folder / "releases" / "tny")
