"""The documents of a release have hashes: whatever is changed, added or lost is named."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import hardfrost
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.checksums import CHECKSUMS, checksums_of
from contract.release.release import DOCUMENTS, Release
from contract.release.verification import open_and_verify
from contract.transport.archives import pack


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    """Return a copy of the tiny release that a test may spoil."""
    return Path(shutil.copytree(tiny, tmp_path / "release"))


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run a command in this process; return its exit code and what it printed, errors too."""
    done = CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])
    if isinstance(done.exception, UserError):
        return done.exception.exit_code, done.output + done.exception.message
    return done.exit_code, done.output


def test_all_documents_of_a_release_are_listed(tiny: Path) -> None:
    """In the form that sha256sum reads."""
    lines = (tiny / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    assert [line.split("  ")[1] for line in lines] == sorted(DOCUMENTS)
    command = shutil.which("sha256sum")
    if command is not None:
        done = subprocess.run([command, "--check", "--strict", CHECKSUMS], cwd=tiny, check=False)
        assert done.returncode == 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_was_changed_is_named(copy: Path, name: str) -> None:
    """By verify and by pack, which writes nothing."""
    (copy / name).write_bytes((copy / name).read_bytes() + b"\n")
    exit_code, printed = run("verify", copy)
    assert (exit_code, f"{name}: its sha256 is" in printed) == (4, True), printed
    assert run("pack", copy, "-o", copy.parent / "packed.tar.gz")[0] == 4
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_documents_that_are_lost_or_added_are_named(copy: Path) -> None:
    """A release has the documents that it was frozen with."""
    (copy / "DATASHEET.md").unlink()
    lines = (copy / CHECKSUMS).read_text(encoding="utf-8").splitlines(keepends=True)
    without_card = [line for line in lines if "README.md" not in line]
    (copy / CHECKSUMS).write_text("".join(without_card), encoding="utf-8")
    assert open_and_verify(copy, Silence()) == [
        "README.md: SHA256SUMS does not list this document",
        "DATASHEET.md: missing, SHA256SUMS lists it",
    ]


def test_a_release_without_hashes_of_documents_is_read_and_said_not_to_be_covered(copy: Path) -> None:
    """As those of earlier versions are."""
    (copy / CHECKSUMS).unlink()
    (copy / "README.md").write_text("another", encoding="utf-8")
    archive = pack(Release.open(copy), copy.parent / "old.tar.gz", Silence()).path
    for arguments in (["verify", copy], ["download", archive, "-o", copy.parent / "out"]):
        exit_code, printed = run(*arguments)
        assert exit_code == 0
        assert "the documents are not covered" in printed
    printed = run("verify", copy, "--json")[1]
    assert json.loads(printed[printed.index("{") :])["are_documents_hashed"] is False


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"no hash at all\n",
        b"\xff\xfe\x00",
        b"0" * 64 + b"  ../outside\n",
        (b"0" * 64 + b"  README.md\n") * 2,
        b"0" * 9_999_999,
    ],
)
def test_a_list_of_hashes_that_is_none_is_refused(copy: Path, text: bytes) -> None:
    """With its line; an empty one lists no document."""
    (copy / CHECKSUMS).write_bytes(text)
    exit_code, printed = run("verify", copy)
    assert exit_code == (3 if text else 4), printed
    assert (f"{CHECKSUMS}:" if text else f"README.md: {CHECKSUMS} does not list") in printed


def test_an_archive_with_another_card_is_refused(tiny: Path, tmp_path: Path) -> None:
    """Without a hash of the archive; nothing is written."""
    with tarfile.open(pack(Release.open(tiny), tmp_path / "good.tar.gz", Silence()).path) as archive:
        archive.extractall(tmp_path / "files", filter="data")
    (tmp_path / "files/README.md").write_text("# Another card\n", encoding="utf-8")
    with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
        for path in sorted((tmp_path / "files").rglob("*")):
            archive.add(path, path.relative_to(tmp_path / "files"), recursive=False)
    exit_code, printed = run("download", tmp_path / "evil.tar.gz", "-o", tmp_path / "out")
    assert exit_code == 4
    assert "evil.tar.gz: README.md: its sha256 is" in printed
    assert not (tmp_path / "out").exists()


def test_hashes_do_not_depend_on_the_order_of_documents() -> None:
    """Same documents, same bytes."""
    documents = {"b": b"1", "a": b"2"}
    assert checksums_of(documents) == checksums_of(dict(reversed(documents.items())))
