"""What is downloaded is what was frozen, or nothing; people without Hardfrost read it too."""

import json
from pathlib import Path

import pytest
from conftest import READER, WRITER, Clients
from hub_state import Fault

from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import open_and_verify
from contract.schema.results import ModelInfo
from evaluator.scoring.score import score

REPO = "frost/mr-tiny"


@pytest.fixture
def published(clients: Clients, tiny: Path) -> Clients:
    """Return clients of a Hub that has the tiny release."""
    done = clients.hardfrost("publish", tiny, "--repo", REPO)
    assert done.exit_code == 0, done.err
    clients.state.requests.clear()
    return clients


def test_publish_download_verify_and_score_is_as_if_it_had_never_left(
    published: Clients, tiny: Path, tmp_path: Path
) -> None:
    """The manifest is the same byte for byte, and so is every score."""
    out = tmp_path / "fetched"
    done = published.hardfrost("download", f"{REPO}@2.0", "-o", out, token=None)
    assert done.exit_code == 0, done.err
    assert (out / "manifest.json").read_bytes() == (tiny / "manifest.json").read_bytes()
    assert open_and_verify(out, Silence()) == []
    assert (out / "README.md").is_file()
    published.hardfrost("template", out, "-o", "answers.jsonl", "--no-texts")
    answers = published.home / "answers.jsonl"
    rows = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    filled = [json.dumps(row | {"prediction": "positive"}) + "\n" for row in rows]
    answers.write_text("".join(filled), encoding="utf-8")
    model = ModelInfo(name="always")
    assert score(out, answers, model) == score(tiny, answers, model)


def test_datasets_and_plain_paths_read_a_version_without_hardfrost(published: Clients, tiny: Path) -> None:
    """`load_dataset` by config and tag, and Parquet over hf://."""
    code = f"""
import datasets, json, pyarrow.parquet as pq
from huggingface_hub import HfFileSystem
loaded = datasets.load_dataset("{REPO}", "mr__typo-malicious__rule", revision="v2.0")
streamed = datasets.load_dataset("{REPO}", "mr__clean", revision="v2.0", split="test", streaming=True)
path = "datasets/{REPO}@v2.0/data/mr/typo-malicious/rule/degree_10.parquet"
rows = pq.read_table(HfFileSystem().open("hf://" + path))
print(json.dumps([{{name: len(part) for name, part in loaded.items()}}, rows.num_rows,
    loaded["degree_10"]["id"] == rows["id"].to_pylist(), len(list(streamed))]))
"""
    done = published.python(code, token=None)
    assert done.exit_code == 0, done.err
    counts = {split.name: split.rows for split in Release.open(tiny).splits(dimension="typo-malicious")}
    clean = Release.open(tiny).splits(dimension="clean")[0].rows
    assert json.loads(done.out.splitlines()[-1]) == [counts, counts["degree_10"], True, clean]


def test_only_what_was_asked_for_is_fetched(published: Clients, tmp_path: Path) -> None:
    """And the clean rows of its task; the note of what is missing lets it verify."""
    out = tmp_path / "part"
    done = published.hardfrost("download", REPO, "-o", out, "--only", "mr,typo-general,rule")
    assert done.exit_code == 0, done.err
    fetched = {path.relative_to(out).as_posix() for path in (out / "data").rglob("*.parquet")}
    assert fetched == {
        "data/mr/clean.parquet",
        "data/mr/typo-general/rule/degree_10.parquet",
        "data/mr/typo-general/rule/degree_30.parquet",
    }
    resolved = [request for request in published.state.requests if "/resolve/" in request]
    assert not any("typo-malicious" in request or "train" in request for request in resolved)
    done = published.hardfrost("verify", out)
    assert done.exit_code == 0, done.out
    assert "3 splits were left out" in done.out
    (out / "data/mr/clean.parquet").write_bytes(b"spoilt")
    assert published.hardfrost("verify", out).exit_code == 4


def test_a_document_that_was_changed_on_the_hub_is_refused(published: Clients, tmp_path: Path) -> None:
    """With its name; nothing is written."""
    repo = published.state.dataset(REPO)
    tree = repo.tree("main")
    repo.commit("main", {**tree, "README.md": tree["eval.yaml"]}, "by another")
    done = published.hardfrost("download", f"{REPO}@main", "-o", tmp_path / "out")
    assert done.exit_code == 4
    assert f"{REPO}@main: README.md: its sha256 is" in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        ([f"{REPO}@7"], 3, "no version '7'; it has: v2.0"),
        (["frost/nothing"], 5, "check the name"),
        (["nothing"], 3, "a release on the Hub is written ORG/NAME"),
        ([REPO, "--only", "mr,typo-generl"], 3, "did you mean 'typo-general'?"),
        ([REPO, "--only", ","], 3, "parts may be empty, not all"),
        ([REPO, "--sha256", "0" * 64], 3, "for archives"),
        ([REPO, "--offline"], 3, "not in the cache"),
    ],
)
def test_what_cannot_be_fetched_is_said(
    published: Clients, tmp_path: Path, arguments: list[str], exit_code: int, message: str
) -> None:
    """With what there is instead; nothing is written."""
    done = published.hardfrost("download", *arguments, "-o", tmp_path / "out")
    assert (done.exit_code, message in done.err) == (exit_code, True), done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "out").exists()


def test_offline_uses_what_an_earlier_download_left(published: Clients, tmp_path: Path) -> None:
    """No request is made, and the result is the same."""
    assert published.hardfrost("download", REPO, "-o", tmp_path / "one").exit_code == 0
    published.state.requests.clear()
    for place, out in ((f"{REPO}@v2.0", "two"), (REPO, "three")):
        done = published.hardfrost("download", place, "-o", tmp_path / out, "--offline")
        assert done.exit_code == 0, done.err
        assert open_and_verify(tmp_path / out, Silence()) == []
    assert published.state.requests == []


@pytest.mark.parametrize(
    "fault",
    [
        Fault(method="GET", path="/resolve/", kind="cut-download", times=2, after=3),
        Fault(method="GET", path="/resolve/", kind=500, times=1, after=2),
        Fault(method="HEAD", path="/resolve/", kind=429, times=1, retry_after=1),
        Fault(method="GET", path="/refs", kind=503, times=1),
        Fault(method="GET", path="typo-general/rule/degree_10", kind="tamper", times=1),
    ],
    ids=lambda fault: f"{fault.method}-{fault.kind}",
)
def test_a_passing_fault_of_a_download_is_waited_out(
    published: Clients, tmp_path: Path, fault: Fault
) -> None:
    """Cut, refused for a while or spoilt once: the release is whole at the end."""
    published.state.faults.append(Fault(**vars(fault)))
    done = published.hardfrost("download", REPO, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.err
    assert open_and_verify(tmp_path / "out", Silence()) == []


@pytest.mark.parametrize(
    ("fault", "exit_code", "message"),
    [
        (Fault(method="GET", path="degree_10", kind="tamper", times=99), 4, "not the file that the manifest"),
        (Fault(method="GET", path="/refs", kind=500, times=99), 5, "try again"),
        (Fault(method="GET", path="degree_10", kind=404, times=99), 5, "degree_10.parquet cannot be fetched"),
    ],
    ids=["tampered", "refs", "missing"],
)
def test_a_lasting_fault_of_a_download_leaves_nothing(
    published: Clients, tmp_path: Path, fault: Fault, exit_code: int, message: str
) -> None:
    """No half of a release; the next try succeeds."""
    published.state.faults.append(Fault(**vars(fault)))
    done = published.hardfrost("download", REPO, "-o", tmp_path / "out")
    assert (done.exit_code, message in done.err) == (exit_code, True), done.err
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
    published.state.faults.clear()
    assert published.hardfrost("download", REPO, "-o", tmp_path / "out").exit_code == 0


def test_private_and_gated_data_sets_need_a_token_that_was_granted(
    published: Clients, tmp_path: Path
) -> None:
    """The error says how to get in."""
    repo = published.state.dataset(REPO)
    repo.is_private = True
    done = published.hardfrost("download", REPO, "-o", tmp_path / "out", token=None)
    assert (done.exit_code, "hf auth login" in done.err) == (5, True), done.err
    repo.is_private, repo.gated = False, "manual"
    published.state.granted.add(WRITER)
    done = published.hardfrost("download", REPO, "-o", tmp_path / "out", token=READER)
    assert (done.exit_code, "access must be asked for" in done.err) == (5, True), done.err
    assert published.hardfrost("download", REPO, "-o", tmp_path / "out", token=WRITER).exit_code == 0
