"""Damaged and hostile archives, notes and servers end in an error in words, with nothing written."""

import bz2
import gzip
import http.server
import lzma
import random
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import hardfrost
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.transport.addresses import shown_place, without_secrets
from contract.transport.archives import hash_path, pack, unpack

SECRET = "s3cr3t"  # noqa: S105
N_DAMAGED = 40


@pytest.fixture(scope="module")
def data(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of an archive of the tiny release."""
    return pack(Release.open(tiny), tmp_path_factory.mktemp("a") / "tiny.tar.gz", Silence()).path.read_bytes()


def unpacked(place: str | Path, out: Path, sha256: str | None = None) -> None:
    """Unpack all of an archive."""
    unpack(str(place), out, [], Silence(), sha256=sha256, is_offline=False)


def refused(content: bytes, folder: Path) -> UserError:
    """Return the error of an archive, after which only the archive itself is there."""
    path = folder / "evil.tar.gz"
    path.write_bytes(content)
    with pytest.raises(UserError) as caught:
        unpacked(path, folder / "out")
    assert [file.name for file in folder.iterdir()] == [path.name]
    assert path.name in caught.value.message
    return caught.value


@pytest.mark.parametrize("packing", [lambda raw: raw, gzip.compress, bz2.compress, lzma.compress])
def test_damaged_bytes_are_an_error_or_do_no_harm(
    packing: Callable[[bytes], bytes], data: bytes, tmp_path: Path
) -> None:
    """Flipped, cut, or both, in an archive that is packed in any way."""
    packed = packing(gzip.decompress(data))
    draw = random.Random(1)
    path = tmp_path / "evil.tar.gz"
    for number in range(N_DAMAGED):
        content = bytearray(packed)
        for _ in range(draw.choice([1, 1, 3])):
            end = min(len(content), draw.choice([20, 2_000, len(content)]))
            content[draw.randrange(end)] = draw.randrange(256)
        path.write_bytes(bytes(content[: draw.choice([len(content), draw.randrange(len(content))])]))
        out = tmp_path / str(number)
        try:
            unpacked(path, out)
        except UserError:
            assert not out.exists()


def header(name: str, kind: bytes, size: int, **pax: str) -> bytes:
    """Return the block of a member that claims a size."""
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    member.pax_headers = dict(pax)
    return member.tobuf(tarfile.PAX_FORMAT if pax else tarfile.GNU_FORMAT)


def pax(records: bytes) -> bytes:
    """Return a PAX header of these records and the member after it."""
    block = records + bytes(-len(records) % 512)
    return header("x", tarfile.XHDTYPE, len(records)) + block + header("manifest.json", tarfile.REGTYPE, 0)


@pytest.mark.parametrize(
    "content",
    [
        pax(b"25 GNU.sparse.size=abcdef\n" + b"25 GNU.sparse.major=1\n"),
        pax(b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n28 GNU.sparse.realsize=99999\n") + b"x\n" * 256,
        pax(b"30 GNU.sparse.map=0,1,2,x,y,z\n25 GNU.sparse.size=1\n"),
        pax(b"12 size=abcd\n"),
        pax(b"9" * 5_000),
        pax(b"20 path=\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\n"),
        header("x", tarfile.XHDTYPE, 2_000_000_000) + bytes(20_000_000),
        header("x", tarfile.GNUTYPE_LONGNAME, 1_000_000_000_000) + bytes(20_000_000),
        header("x", tarfile.REGTYPE, 2**62) + bytes(1024),
        header("data/mr/clean.parquet", tarfile.GNUTYPE_SPARSE, 512) + bytes(1024),
        b"".join(header("x", tarfile.GNUTYPE_LONGNAME, 1) + b"x" + bytes(511) for _ in range(3_000)),
    ],
    ids=lambda content: str(len(content)),
)
def test_hostile_headers_are_an_error(content: bytes, tmp_path: Path) -> None:
    """Packed or not; none is believed about its size."""
    refused(content, tmp_path)
    refused(gzip.compress(content), tmp_path)


def test_a_bomb_is_not_inflated(tmp_path: Path) -> None:
    """A member that claims more than any release holds ends the reading."""
    content = header("x", tarfile.REGTYPE, 600_000_000) + bytes(30_000_000)
    assert "inflates to more than" in refused(gzip.compress(content), tmp_path).message


@pytest.mark.parametrize(
    "note", [b"", b"  \n", b"\xff\xfe\x00", b"abc  x.tar.gz", b"g" * 64, b"0" * 65, b"x" * 99_999]
)
def test_a_note_that_holds_no_hash_is_refused(note: bytes, data: bytes, tmp_path: Path) -> None:
    """A hash that cannot be read is not the same as none."""
    path = tmp_path / "x.tar.gz"
    path.write_bytes(data)
    hash_path(path).write_bytes(note)
    with pytest.raises(UserError, match=r"x\.tar\.gz\.sha256: .* is not a sha256"):
        unpacked(path, tmp_path / "out")


@pytest.mark.parametrize("sha256", ["", " ", "abc", "0" * 63, "٠" * 64, f"{'0' * 64}\n"])
def test_a_hash_that_is_none_is_refused(sha256: str, data: bytes, tmp_path: Path) -> None:
    """Above all the empty one, which a script gives when its variable is not set."""
    path = tmp_path / "x.tar.gz"
    path.write_bytes(data)
    done = CliRunner().invoke(
        hardfrost.cli, ["download", str(path), "-o", str(tmp_path / "out"), "--sha256", sha256]
    )
    assert isinstance(done.exception, UserError)
    assert "is not a sha256" in done.exception.message
    assert not (tmp_path / "out").exists()


class HostileHandler(http.server.BaseHTTPRequestHandler):
    """Answers as the path says."""

    data = b""

    def log_message(self, *_args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Send what the path asks for."""
        mode = self.path.partition("?")[0].strip("/").removesuffix(".tar.gz")
        if mode == "reason":
            self.wfile.write(b"HTTP/1.0 500 \x1b[2Jgone \x9b1m\r\n\r\n")
            return
        if mode == "redirect":
            self.wfile.write(f"HTTP/1.0 302 Found\r\nLocation: gopher://x/?token={SECRET}\r\n\r\n".encode())
            return
        if mode == "loop":
            self.wfile.write(f"HTTP/1.0 302 Found\r\nLocation: {self.path}\r\n\r\n".encode())
            return
        if mode == "missing":
            self.send_error(404)
            return
        length = {"length": "abc", "minus": "-5", "long": "9" * 5_000, "more": "99999999"}.get(mode)
        self.send_response(200)
        if length is not None:
            self.send_header("Content-Length", length)
        self.end_headers()
        self.wfile.write(self.data[: len(self.data) // 2])


MODES = ["reason", "redirect", "loop", "missing", "length", "minus", "long", "more", "cut"]


@pytest.fixture
def address(data: bytes) -> Iterator[str]:
    """Return the address of a hostile server."""
    HostileHandler.data = data
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), HostileHandler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("mode", MODES)
def test_no_answer_of_a_server_shows_the_token(mode: str, address: str, tmp_path: Path) -> None:
    """Whatever it answers, and with whatever hash."""
    with pytest.raises(UserError, match=mode) as caught:
        unpacked(f"{address}/{mode}.tar.gz?token={SECRET}#{SECRET}", tmp_path / "out", sha256=None)
    assert SECRET not in caught.value.message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1?token={}",
        "http://[::1/x.tar.gz?token={}",
        "http://a..b/?token={}",
        "http://127.0.0.1:abc/?token={}",
        "http://127.0.0.1:99999/?token={}",
        "http://user:{}@127.0.0.1:1/x",
        "http://127.0.0.1:1/x y?token={}",
        "HTTP://127.0.0.1:1/é?token={}",
        "http:///?token={}",
        "https://127.0.0.1:1/x.tar.gz?sig={}",
        "http://?{}",
    ],
)
def test_no_address_is_a_traceback_or_shows_its_secrets(url: str, tmp_path: Path) -> None:
    """Wrong ones above all."""
    with pytest.raises(UserError) as caught:
        unpacked(url.format(SECRET), tmp_path / "out")
    assert SECRET not in caught.value.message
    assert caught.value.exit_code == ExitCode.NETWORK
    with pytest.raises(UserError) as offline:
        unpack(url.format(SECRET), tmp_path / "out", [], Silence(), sha256=None, is_offline=True)
    assert SECRET not in offline.value.message


def test_secrets_are_cut_out_of_texts() -> None:
    """Paths with question marks are paths."""
    assert shown_place("https://me:pw@host/a.tar.gz?x=1#y") == "https://host/a.tar.gz"
    assert shown_place("dir/what?.tar.gz") == "dir/what?.tar.gz"
    text = "moved to 'https://host/x?sig=1' and http://u:p@h/y#z end"
    assert without_secrets(text) == "moved to 'https://host/x' and http://h/y end"


def test_a_release_in_a_plain_tar_is_unpacked(data: bytes, tmp_path: Path) -> None:
    """As it was before."""
    path = tmp_path / "x.tar"
    path.write_bytes(gzip.decompress(data))
    unpacked(path, tmp_path / "out")
    assert Release.open(tmp_path / "out").manifest.name == "mr-tiny"
