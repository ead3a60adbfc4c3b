"""Labels are withheld, scored by their owner and told later, each step as promised."""

from pathlib import Path

import pytest
from conftest import Clients

from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import open_and_verify

REPO = "frost/hidden"


@pytest.fixture
def private(clients: Clients, tiny: Path, tmp_path: Path) -> Path:
    """Return the owner's folder of a version that is on the Hub without its labels."""
    folder = tmp_path / "owner"
    arguments = ["publish", tiny, "--repo", REPO, "--withhold-labels", folder, "--accept-public-source"]
    done = clients.hardfrost(*arguments)
    assert done.exit_code == 0, done.err
    again = clients.hardfrost(*arguments)
    assert "already there" in again.out, again.err
    return folder


def test_labels_are_on_the_hub_only_after_they_were_told(
    clients: Clients, private: Path, tmp_path: Path
) -> None:
    """Under a tag of their own; the version itself never changes."""
    repo = clients.state.dataset(REPO)
    salt = (private / "salt.txt").read_bytes().strip()
    assert all(salt not in file.data for tree in repo.commits.values() for file in tree.values())
    assert "labels.jsonl" not in repo.tree("v2.0")
    version = repo.tags["v2.0"]
    done = clients.hardfrost("reveal", private, "--repo", REPO)
    assert done.exit_code == 0, done.err
    assert "as promised" in done.out
    assert repo.tags["v2.0"] == version
    assert repo.tree("v2.0-labels")["labels.jsonl"].data == (private / "labels.jsonl").read_bytes()
    assert repo.branches["main"] == repo.tags["v2.0-labels"]
    assert "there already" in clients.hardfrost("reveal", private, "--repo", REPO).out
    out = tmp_path / "told"
    done = clients.hardfrost("download", f"{REPO}@v2.0-labels", "-o", out, token=None)
    assert done.exit_code == 0, done.err
    assert open_and_verify(out, Silence()) == []
    (out / "labels.jsonl").write_text("{}", encoding="utf-8")
    assert open_and_verify(out, Silence()) == ["labels.jsonl: not the labels that the manifest promised"]


def test_other_labels_than_promised_are_not_published(clients: Clients, private: Path) -> None:
    """Exit 4, and the Hub is as it was."""
    path = private / "labels.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("negative", "positive", 1), encoding="utf-8")
    before = dict(clients.state.dataset(REPO).tags)
    done = clients.hardfrost("reveal", private, "--repo", REPO)
    assert (done.exit_code, "nothing was published" in done.err) == (4, True), done.err
    assert clients.state.dataset(REPO).tags == before


def test_a_release_of_public_sources_is_not_withheld_by_mistake(
    clients: Clients, tiny: Path, tmp_path: Path
) -> None:
    """Refused before anything is asked."""
    done = clients.hardfrost("publish", tiny, "--repo", REPO, "--withhold-labels", tmp_path / "owner")
    assert (done.exit_code, "--accept-public-source" in done.err) == (3, True), done.err
    assert clients.state.requests == []
    assert Release.open(tiny).manifest.labels == "public"
