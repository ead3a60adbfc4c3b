"""An archive of a release is packed the same way every time and unpacked without trust."""

import http.server
import io
import shutil
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hardfrost
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.split_selector import SplitSelector
from contract.release.verification import open_and_verify
from contract.schema.late_drops import DROPS
from contract.schema.timings import LOG
from contract.transport.archives import pack, unpack


@pytest.fixture
def archive(tiny: Path, tmp_path: Path) -> Path:
    """Return the tiny release as an archive."""
    return pack(Release.open(tiny), tmp_path / "tiny.tar.gz", Silence()).path


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def unpacked(archive: Path | str, out: Path, sha256: str | None = None) -> None:
    """Unpack all of an archive."""
    unpack(str(archive), out, [], Silence(), sha256=sha256, is_offline=False)


def test_a_release_survives_its_archive(tiny: Path, archive: Path, tmp_path: Path) -> None:
    """File by file, and the archive of what came out is the same archive."""
    out = tmp_path / "out"
    unpacked(archive, out)
    assert open_and_verify(out, Silence()) == []
    before = {path.relative_to(tiny): path.read_bytes() for path in tiny.rglob("*") if path.is_file()}
    # Timings and dropped candidates stay where the release was built.
    del before[Path(LOG)], before[Path(DROPS)]
    after = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert after == before
    again = pack(Release.open(out), tmp_path / "again.tar.gz", Silence())
    assert again.path.read_bytes() == archive.read_bytes()


def test_the_commands_pack_and_download_a_file(tiny: Path, tmp_path: Path) -> None:
    """The printed line is what sha256sum reads."""
    path = tmp_path / "mine.tar.gz"
    packed = run("pack", tiny, "-o", path)
    assert packed.exit_code == 0, packed.output
    sha256 = packed.stdout.split()[0]
    assert (tmp_path / "mine.tar.gz.sha256").read_text(encoding="utf-8") == f"{sha256}  mine.tar.gz\n"
    done = run("download", path, "-o", tmp_path / "out", "--sha256", sha256, "--only", "mr,typo-general")
    assert done.exit_code == 0, done.output
    assert open_and_verify(tmp_path / "out", Silence()) == []
    assert not list((tmp_path / "out").rglob("typo-malicious/**/*.parquet"))


def test_only_some_splits_are_unpacked_when_asked(archive: Path, tmp_path: Path) -> None:
    """The rest is noted as left out, and such a part is not packed again."""
    out = tmp_path / "out"
    selectors = [SplitSelector.parse("mr,typo-malicious")]
    unpack(str(archive), out, selectors, Silence(), sha256=None, is_offline=True)
    assert open_and_verify(out, Silence()) == []
    with pytest.raises(UserError, match="only a part of a release"):
        pack(Release.open(out), tmp_path / "part.tar.gz", Silence())


def test_another_hash_is_refused(archive: Path, tmp_path: Path) -> None:
    """Whether it was given or lies beside the archive."""
    with pytest.raises(UserError, match="do not use it"):
        unpacked(archive, tmp_path / "out", sha256="0" * 64)
    data = archive.read_bytes()
    archive.write_bytes(data[:-1])
    with pytest.raises(UserError, match="expected"):
        unpacked(archive, tmp_path / "out")
    archive.with_name(f"{archive.name}.sha256").unlink()
    archive.write_bytes(data[: len(data) // 2])
    with pytest.raises(UserError, match="cut short"):
        unpacked(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def rewritten(archive: Path, members: dict[tarfile.TarInfo, bytes]) -> Path:
    """Return the archive with members added."""
    target = archive.with_name("evil.tar.gz")
    with tarfile.open(archive) as source, tarfile.open(target, "w:gz") as made:
        for member in source:
            made.addfile(member, source.extractfile(member))
        for member, data in members.items():
            member.size = len(data)
            made.addfile(member, io.BytesIO(data))
    return target


def _link(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


@pytest.mark.parametrize(
    "member",
    [
        tarfile.TarInfo("../escaped.txt"),
        tarfile.TarInfo("/tmp/escaped.txt"),  # noqa: S108
        tarfile.TarInfo("data/../../escaped.txt"),
        tarfile.TarInfo("data/mr/extra.parquet"),
        tarfile.TarInfo(".bashrc"),
        _link("README.md", "/etc/passwd", tarfile.SYMTYPE),
        _link("data", "/tmp", tarfile.SYMTYPE),  # noqa: S108
        _link("README.md", "manifest.json", tarfile.LNKTYPE),
        _link("README.md", "", tarfile.FIFOTYPE),
    ],
    ids=lambda member: f"{member.name}-{member.type.decode()}",
)
def test_members_that_no_release_has_are_refused(
    archive: Path, tmp_path: Path, member: tarfile.TarInfo
) -> None:
    """Paths that lead elsewhere, links and devices; nothing is written."""
    evil = rewritten(archive, {member: b""})
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError, match="belongs to no release"):
        unpacked(evil, tmp_path / "out")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_member_larger_than_the_manifest_says_is_refused(archive: Path, tmp_path: Path) -> None:
    """A bomb is not unpacked to find out that it is one."""
    evil = rewritten(archive, {tarfile.TarInfo("data/mr/clean.parquet"): bytes(10_000_000)})
    with pytest.raises(UserError, match="larger than the manifest says"):
        unpacked(evil, tmp_path / "out")


def test_a_changed_split_is_refused(tiny: Path, archive: Path, tmp_path: Path) -> None:
    """Even if the archive is consistent in itself."""
    data = bytearray((tiny / "data/mr/clean.parquet").read_bytes())
    data[100] ^= 1
    evil = rewritten(archive, {tarfile.TarInfo("data/mr/clean.parquet"): bytes(data)})
    with pytest.raises(UserError, match="not the file that the manifest froze"):
        unpacked(evil, tmp_path / "out")


@pytest.mark.parametrize("data", [b"", b"not an archive", b"\x1f\x8b\x08\x00broken"])
def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path, data: bytes) -> None:
    """One line."""
    path = tmp_path / "x.tar.gz"
    path.write_bytes(data)
    with pytest.raises(UserError, match="not an archive of a release"):
        unpacked(path, tmp_path / "out")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Return the address of a web server that serves the test's folder."""
    handler = partial(QuietHandler, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files; those called `cut` only by half."""

    def log_message(self, *_args: object) -> None:
        """Say nothing."""

    def copyfile(self, source: io.BufferedReader, outputfile: io.BufferedWriter) -> None:  # type: ignore[override]
        """Send the file, or half of it."""
        data = source.read()
        outputfile.write(data[: len(data) // 2] if "cut" in self.path else data)


def test_an_archive_is_fetched_from_a_url(archive: Path, address: str, tmp_path: Path) -> None:
    """Whole, or not at all."""
    unpacked(f"{address}/{archive.name}", tmp_path / "out")
    assert open_and_verify(tmp_path / "out", Silence()) == []
    shutil.copy(archive, tmp_path / "cut.tar.gz")
    with pytest.raises(UserError, match=r"cut short|cannot be fetched"):
        unpacked(f"{address}/cut.tar.gz", tmp_path / "other")
    with pytest.raises(UserError, match="cannot be fetched"):
        unpacked(f"{address}/missing.tar.gz", tmp_path / "other")
    with pytest.raises(UserError, match="leave out --offline"):
        unpack(f"{address}/x.tar.gz", tmp_path / "other", [], Silence(), sha256=None, is_offline=True)
