"""Publishing gives a whole version or none, whatever goes wrong on the way."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from conftest import READER, Clients
from hub_state import Fault

from builder.release.documents.task_cards import CARDS_PATH, read_card
from contract.machine.progress import Silence
from contract.release.checksums import checksums_of
from contract.release.release import DOCUMENTS, Release
from contract.release.split_selector import SplitSelector, left_out_of, write_partial
from contract.release.verification import open_and_verify

REPO = "frost/mr-tiny"
TAG = "v2.0"


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    """Return a copy of the tiny release that a test may change: its documents have no hashes."""
    return Path(shutil.copytree(tiny, tmp_path / "copy", ignore=shutil.ignore_patterns("SHA256SUMS")))


def expected_files(release: Path) -> dict[str, bytes]:
    """Return what a published version must hold of the manifest and the splits."""
    manifest = Release.open(release).manifest
    names = ["manifest.json", *(split.path for split in manifest.splits if split.rows)]
    return {name: (release / name).read_bytes() for name in names}


def published_files(clients: Clients, revision: str = TAG) -> dict[str, bytes]:
    """Return the manifest and the splits at a revision."""
    tree = clients.state.dataset(REPO).tree(revision)
    return {
        name: file.data for name, file in tree.items() if name == "manifest.json" or name.startswith("data/")
    }


def is_whole_or_absent(clients: Clients, release: Path) -> bool:
    """Tell whether the version is there with all its files; fail if it is there with others."""
    repo = clients.state.repos.get(("datasets", REPO))
    if repo is None or TAG not in repo.tags:
        return False
    assert published_files(clients) == expected_files(release)
    return True


def with_version(release: Path, version: str) -> Path:
    """Rewrite the version in a release's manifest."""
    path = release / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(manifest | {"version": version}), encoding="utf-8")
    return release


def test_a_release_goes_up_in_one_commit_and_is_tagged(clients: Clients, tiny: Path) -> None:
    """Regular and large files, in one commit on main, with the version's tag on it."""
    done = clients.hardfrost("publish", tiny, "--repo", REPO)
    assert done.exit_code == 0, done.err
    assert f"{REPO}@{TAG}: published" in done.out
    repo = clients.state.dataset(REPO)
    assert [branch for branch, _ in repo.history] == ["main", "main"]
    assert repo.tags == {TAG: repo.branches["main"]}
    assert is_whole_or_absent(clients, tiny)
    tree = repo.tree(TAG)
    assert tree["data/mr/clean.parquet"].is_large
    assert not tree["README.md"].is_large
    documents = {name: tree[name].data for name in DOCUMENTS}
    assert tree["SHA256SUMS"].data == checksums_of(documents).encode()
    assert not repo.is_private
    for file in tree.values():
        assert str(tiny.parent).encode() not in file.data


def test_a_second_time_says_already_there_and_changes_nothing(clients: Clients, tiny: Path) -> None:
    """Hashes are compared; nothing is written."""
    clients.hardfrost("publish", tiny, "--repo", REPO)
    before = list(clients.state.dataset(REPO).history)
    done = clients.hardfrost("publish", tiny, "--repo", REPO, "--json")
    assert done.exit_code == 0, done.err
    assert json.loads(done.out)["is_new"] is False
    assert clients.state.dataset(REPO).history == before
    assert "already there" in clients.hardfrost("publish", tiny, "--repo", REPO).out


def test_a_version_never_changes(clients: Clients, tiny: Path, copy: Path) -> None:
    """The same version with other content is refused; a new version leaves the old one as it is."""
    clients.hardfrost("publish", tiny, "--repo", REPO)
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    (copy / "manifest.json").write_text(json.dumps(manifest | {"canary": "another"}), encoding="utf-8")
    done = clients.hardfrost("publish", copy, "--repo", REPO)
    assert done.exit_code == 4
    assert "a version never changes" in done.err
    assert is_whole_or_absent(clients, tiny)
    done = clients.hardfrost("publish", with_version(copy, "2.1"), "--repo", REPO)
    assert done.exit_code == 0, done.err
    repo = clients.state.dataset(REPO)
    assert repo.tags["v2.1"] == repo.branches["main"] != repo.tags[TAG]
    assert is_whole_or_absent(clients, tiny)


def test_documents_are_corrected_without_a_new_version(clients: Clients, tiny: Path, tmp_path: Path) -> None:
    """On main, where people read them; the tag stays where it was, with the same data."""
    clients.hardfrost("publish", tiny, "--repo", REPO)
    repo = clients.state.dataset(REPO)
    before, tagged = published_files(clients), repo.tags[TAG]
    card = read_card(CARDS_PATH / "mr.yaml").model_dump(mode="json")
    (tmp_path / "mr.yaml").write_text(yaml.safe_dump(card | {"creators": "Somebody else"}), encoding="utf-8")
    arguments = ["publish", tiny, "--repo", REPO, "--cards", tmp_path]
    assert "--correct-documents" in clients.hardfrost(*arguments).err
    assert b"Somebody else" not in repo.tree("main")["README.md"].data
    done = clients.hardfrost(*arguments, "--correct-documents")
    assert done.exit_code == 0, done.err
    assert "documents corrected" in done.out
    assert b"Somebody else" in repo.tree("main")["README.md"].data
    assert b"Somebody else" not in repo.tree(TAG)["README.md"].data
    assert (repo.tags, published_files(clients, "main")) == ({TAG: tagged}, before)
    n_commits = len(repo.history)
    assert clients.hardfrost(*arguments, "--correct-documents").exit_code == 0
    assert len(repo.history) == n_commits
    out = tmp_path / "out"
    assert clients.hardfrost("download", REPO, "-o", out).exit_code == 0
    assert open_and_verify(out, Silence()) == []


def test_an_older_version_published_later_leaves_main_at_the_latest(
    clients: Clients, tiny: Path, copy: Path
) -> None:
    """Who loads without naming a version gets the highest one."""
    clients.hardfrost("publish", with_version(copy, "1.10"), "--repo", REPO)
    main = clients.state.dataset(REPO).branches["main"]
    done = clients.hardfrost("publish", with_version(copy, "1.9"), "--repo", REPO)
    assert done.exit_code == 0, done.err
    repo = clients.state.dataset(REPO)
    assert repo.branches == {"main": main}
    assert json.loads(repo.tree("v1.9")["manifest.json"].data)["version"] == "1.9"


def test_splits_that_a_new_version_lacks_are_gone_from_it_and_stay_in_the_old(
    clients: Clients, tiny: Path, copy: Path
) -> None:
    """Main holds the new version, not a mixture; a file of somebody's own is left alone."""
    clients.hardfrost("publish", tiny, "--repo", REPO)
    repo = clients.state.dataset(REPO)
    own = repo.tree("main")[".gitattributes"]
    repo.commit("main", {**repo.tree("main"), "notes.txt": own}, "by hand")
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    gone = manifest["splits"].pop()["path"]
    (copy / gone).unlink()
    path.write_text(json.dumps(manifest), encoding="utf-8")
    done = clients.hardfrost("publish", with_version(copy, "2"), "--repo", REPO)
    assert done.exit_code == 0, done.err
    assert gone not in repo.tree("v2")
    assert "notes.txt" in repo.tree("v2")
    assert gone in repo.tree(TAG)


def test_a_dry_run_lists_what_would_go_and_asks_nobody(clients: Clients, tiny: Path) -> None:
    """No request is made."""
    done = clients.hardfrost("publish", tiny, "--repo", REPO, "--dry-run", "--json", token=None)
    assert done.exit_code == 0, done.err
    listed = json.loads(done.out)
    assert listed["to"] == f"{REPO}@{TAG}"
    assert set(expected_files(tiny)) <= {file["path"] for file in listed["files"]}
    assert clients.state.requests == []


def test_a_release_that_does_not_verify_is_not_published(clients: Clients, copy: Path) -> None:
    """Exit 4 before anything is asked."""
    (copy / "data/mr/clean.parquet").write_bytes(b"spoilt")
    done = clients.hardfrost("publish", copy, "--repo", REPO)
    assert done.exit_code == 4
    assert "not published" in done.err
    assert clients.state.requests == []


def test_a_part_of_a_release_is_not_published(clients: Clients, copy: Path) -> None:
    """It would be another benchmark under the same name."""
    manifest = Release.open(copy).manifest
    write_partial(copy, manifest, [SplitSelector.parse("mr,typo-general")])
    for name in left_out_of(copy):
        (copy / name).unlink()
    done = clients.hardfrost("publish", copy, "--repo", REPO)
    assert (done.exit_code, "only a part" in done.err) == (3, True), done.err
    assert clients.state.requests == []


def test_a_document_that_names_a_folder_of_this_machine_is_not_published(
    clients: Clients, copy: Path
) -> None:
    """A path in the recipe would tell strangers who built it."""
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["libraries"]["encoder"] = f"{copy.resolve().parent}/models/mine"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    done = clients.hardfrost("publish", copy, "--repo", REPO)
    assert done.exit_code == 3
    assert "names the folder" in done.err


def test_private_and_gated_repositories(clients: Clients, tiny: Path) -> None:
    """Asked for before any file is there; a public one is not taken for private."""
    done = clients.hardfrost("publish", tiny, "--repo", REPO, "--private", "--gated", "manual")
    assert done.exit_code == 0, done.err
    repo = clients.state.dataset(REPO)
    assert (repo.is_private, repo.gated) == (True, "manual")
    requests = clients.state.requests
    assert requests.index(f"PUT /api/datasets/{REPO}/settings") < min(
        place for place, request in enumerate(requests) if "/commit/" in request
    )
    repo.is_private = False
    done = clients.hardfrost("publish", tiny, "--repo", REPO, "--private")
    assert done.exit_code == 3
    assert "is public already" in done.err


@pytest.mark.parametrize(
    ("token", "message"), [(None, "publishing needs a token"), ("hf_unknownToken", "token is not accepted")]
)
def test_without_a_good_token_nothing_is_published(
    clients: Clients, tiny: Path, token: str | None, message: str
) -> None:
    """The error says where tokens come from and never repeats one."""
    done = clients.hardfrost("publish", tiny, "--repo", REPO, token=token)
    assert done.exit_code == 5
    assert message in done.err
    assert "unknownToken" not in done.err
    assert "Traceback" not in done.err
    assert not clients.state.repos


def test_a_token_typed_in_the_wrong_place_is_not_repeated(clients: Clients, tiny: Path) -> None:
    """Not even in the error about it."""
    done = clients.hardfrost("publish", tiny, "--repo", f"https://me:{READER}@hub/frost/mr")
    assert done.exit_code == 3
    assert "write it as ORG/NAME" in done.err


PASSING = [
    Fault(method="POST", path="/commit/", kind=500, times=2),
    Fault(method="POST", path="/commit/", kind=429, times=1, retry_after=1),
    Fault(method="POST", path="/commit/", kind="cut-upload", times=1),
    Fault(method="POST", path="/commit/", kind="lose-reply", times=1),
    Fault(method="PUT", path="/lfs/", kind="cut-upload", times=1, after=2),
    Fault(method="PUT", path="/lfs/", kind=500, times=1),
    Fault(method="POST", path="/tag/", kind=500, times=1),
    Fault(method="POST", path="/tag/", kind="lose-reply", times=1),
    Fault(method="POST", path="/api/repos/create", kind=503, times=1),
    Fault(method="GET", path="/refs", kind=502, times=1),
]


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: f"{fault.path.strip('/')}-{fault.kind}")
def test_a_passing_fault_is_waited_out(clients: Clients, tiny: Path, fault: Fault) -> None:
    """The version is whole at the end, by one commit and one tag."""
    clients.state.faults.append(Fault(**vars(fault)))
    done = clients.hardfrost("publish", tiny, "--repo", REPO)
    assert done.exit_code == 0, done.err
    assert is_whole_or_absent(clients, tiny)
    assert len(clients.state.dataset(REPO).history) == 2


LASTING = [
    Fault(method="POST", path="/commit/", kind=500, times=99),
    Fault(method="POST", path="/commit/", kind="stale-parent", times=1),
    Fault(method="POST", path="/lfs/objects/batch", kind=403, times=99, after=2),
    Fault(method="POST", path="/tag/", kind=500, times=99),
    Fault(method="GET", path="/tree/", kind=500, times=99),
]


@pytest.mark.parametrize("fault", LASTING, ids=lambda fault: f"{fault.path.strip('/')}-{fault.kind}")
def test_a_lasting_fault_leaves_no_version_and_the_next_try_goes_on(
    clients: Clients, tiny: Path, fault: Fault
) -> None:
    """The error says what to do; nothing is uploaded twice."""
    clients.state.faults.append(Fault(**vars(fault)))
    done = clients.hardfrost("publish", tiny, "--repo", REPO)
    assert done.exit_code == 5
    assert "Traceback" not in done.err
    assert "again" in done.err or "token" in done.err
    assert not is_whole_or_absent(clients, tiny)
    clients.state.faults.clear()
    before = len([request for request in clients.state.requests if request.startswith("PUT /lfs/")])
    done = clients.hardfrost("publish", tiny, "--repo", REPO)
    assert done.exit_code == 0, done.err
    assert is_whole_or_absent(clients, tiny)
    puts = [request for request in clients.state.requests if request.startswith("PUT /lfs/")]
    assert len(puts) == len(set(puts)) >= before
    assert len(clients.state.dataset(REPO).history) == 2


def test_somebody_elses_commit_in_between_is_not_overwritten(clients: Clients, tiny: Path) -> None:
    """A stale parent ends the try, and the other commit stays in history."""
    clients.hardfrost("publish", tiny, "--repo", REPO)
    clients.state.faults.append(Fault(method="POST", path="/commit/", kind="stale-parent"))
    repo = clients.state.dataset(REPO)
    repo.tags.clear()
    repo.commit("main", {**repo.tree("main"), "manifest.json": repo.tree("main")["README.md"]}, "by another")
    done = clients.hardfrost("publish", tiny, "--repo", REPO)
    assert done.exit_code == 5
    assert "the repository was changed meanwhile" in done.err
    assert repo.tags == {}
