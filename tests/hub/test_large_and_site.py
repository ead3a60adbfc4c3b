"""Releases of many files are staged before they are a version; sites go to a static Space."""

import shutil
from pathlib import Path

import pytest
from conftest import Clients, Done
from hub_state import Fault

from contract.release.release import Release, writing_release
from contract.schema.manifest import SplitInfo
from contract.schema.names import split_path
from contract.schema.records import records_of

REPO = "frost/many"
TAG = "v2.0"
N_SPLITS = 13
# With fewer files a commit than users have, fewer files are many.
PUBLISH = """
import sys
from builder.release.publishing import publish
from hardfrost import main
publish.MOST_FILES_A_COMMIT = 10
sys.argv = ["hardfrost", "publish", {path!r}, "--repo", {repo!r}]
main()
"""


@pytest.fixture(scope="module")
def many(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of more files than one commit should have."""
    small = Release.open(tiny)
    (clean,) = small.splits(dimension="clean")
    row = next(records_of(small.table(small.splits(dimension="typo-general")[0])))
    path = tmp_path_factory.mktemp("many") / "release"
    labels = small.manifest.tasks[0].labels
    with writing_release(path) as writer:
        splits = [writer.write_split(clean, records_of(small.table(clean)), labels)]
        for number in range(N_SPLITS):
            dimension = f"made-{number}"
            split = SplitInfo(
                task="mr",
                dimension=dimension,
                setting="rule",
                degree=0.1,
                path=split_path("mr", dimension, "rule", 0.1),
                rows=0,
                samples=0,
            )
            from dataclasses import replace

            made = replace(row, id=f"{row.sample_id}.{dimension}", dimension=dimension)
            splits.append(writer.write_split(split, [made], labels))
        info = small.manifest.dimensions[0]
        dimensions = tuple(info.model_copy(update={"name": f"made-{number}"}) for number in range(N_SPLITS))
        update = {"splits": tuple(splits), "dimensions": dimensions}
        writer.write_manifest(small.manifest.model_copy(update=update))
    return path


def published(clients: Clients, path: Path) -> Done:
    """Publish a release in small commits."""
    return clients.python(PUBLISH.format(path=str(path), repo=REPO))


def data_of(clients: Clients, revision: str) -> set[str]:
    """Return the names of the splits at a revision."""
    return {name for name in clients.state.dataset(REPO).tree(revision) if name.startswith("data/")}


def test_many_files_are_staged_then_tagged_then_main(clients: Clients, many: Path) -> None:
    """In parts on a branch of its own; the branch is gone at the end, and main moves by one commit."""
    done = published(clients, many)
    assert done.exit_code == 0, done.err
    repo = clients.state.dataset(REPO)
    assert len(data_of(clients, TAG)) == N_SPLITS + 1
    assert repo.tree("main") == repo.tree(TAG)
    assert list(repo.branches) == ["main"]
    branches = [branch for branch, _ in repo.history]
    assert branches == ["main", "publish-v2.0", "publish-v2.0", "main"]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(method="POST", path="/commit/publish", kind=500, times=99, after=1),
        Fault(method="POST", path="/commit/main", kind=500, times=99),
        Fault(method="DELETE", path="/branch/", kind=500, times=99),
    ],
    ids=["second part", "main", "clearing up"],
)
def test_a_stage_that_was_interrupted_is_finished_by_the_next_try(
    clients: Clients, many: Path, fault: Fault
) -> None:
    """The tag appears only on a whole version; what arrived is not sent again."""
    clients.state.faults.append(Fault(**vars(fault)))
    done = published(clients, many)
    assert done.exit_code == 5
    repo = clients.state.dataset(REPO)
    if TAG in repo.tags:
        assert len(data_of(clients, TAG)) == N_SPLITS + 1
    clients.state.faults.clear()
    done = published(clients, many)
    assert done.exit_code == 0, done.err
    assert repo.tree("main") == repo.tree(TAG)
    assert len(data_of(clients, TAG)) == N_SPLITS + 1
    assert list(repo.branches) == ["main"]
    puts = [request for request in clients.state.requests if request.startswith("PUT /lfs/")]
    assert len(puts) == len(set(puts))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder that looks like a leaderboard's site."""
    path = tmp_path / "site"
    (path / "models").mkdir(parents=True)
    (path / ".hardfrost-site").write_text("", encoding="utf-8")
    (path / "index.html").write_text("<title>Leaderboard</title>", encoding="utf-8")
    (path / "models/one.html").write_text("<p>one</p>", encoding="utf-8")
    (path / "chart.png").write_bytes(b"\x89PNG and more")
    return path


def test_a_site_becomes_a_static_space_and_follows_the_folder(clients: Clients, site: Path) -> None:
    """One commit each time; pages that are gone go, and a second time changes nothing."""
    done = clients.hardfrost("publish", "--site", site, "--space", "frost/board")
    assert done.exit_code == 0, done.err
    space = clients.state.repos["spaces", "frost/board"]
    assert space.sdk == "static"
    tree = space.tree("main")
    assert set(tree) == {".gitattributes", "README.md", "index.html", "models/one.html", "chart.png"}
    assert b"sdk: static" in tree["README.md"].data
    assert (
        "already as it is here" in clients.hardfrost("publish", "--site", site, "--space", "frost/board").out
    )
    shutil.rmtree(site / "models")
    (site / "index.html").write_text("<title>New</title>", encoding="utf-8")
    assert clients.hardfrost("publish", "--site", site, "--space", "frost/board").exit_code == 0
    assert "models/one.html" not in space.tree("main")
    assert space.tree("main")["index.html"].data == b"<title>New</title>"
    assert len(space.history) == 3


def test_only_a_site_goes_to_a_space(clients: Clients, tmp_path: Path) -> None:
    """Not any folder that was named by mistake."""
    done = clients.hardfrost("publish", "--site", tmp_path, "--space", "frost/board")
    assert done.exit_code == 3
    assert "not a site" in done.err
    assert clients.hardfrost("publish", "--site", tmp_path).exit_code == 2
