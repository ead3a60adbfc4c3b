"""A release as one archive file: packed to the same bytes every time, unpacked as untrusted."""

import contextlib
import gzip
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.progress import Progress
from contract.machine.whole_files import whole_file, write_text
from contract.release.release import BESIDE_SPLITS, MANIFEST, Release, writing_release
from contract.release.split_selector import SplitSelector, chosen_splits, left_out_of, write_partial
from contract.release.verification import verify
from contract.schema.manifest import Manifest

SUFFIX = ".tar.gz"
TIMEOUT_SECONDS = 60
MOST_BYTES_OF_A_DOCUMENT = 64_000_000
BYTES_AT_A_TIME = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Packed:
    """An archive that was written."""

    path: Path
    sha256: str
    n_files: int


def pack(release: Release, path: Path, progress: Progress) -> Packed:
    """Write a release that verifies into an archive, its hash beside it; same release, same bytes."""
    differences = verify(release, progress)
    if differences:
        lines = [*differences, f"{release.path}: not packed; build or download the release again"]
        raise UserError("\n".join(lines), exit_code=ExitCode.MISMATCH)
    if left_out_of(release.path):
        raise bad_input(f"{release.path}: only a part of a release; download all of it to pack it")
    names = [name for name in BESIDE_SPLITS if (release.path / name).is_file()]
    names += [split.path for split in release.manifest.splits if split.rows]
    progress.stage("pack", len(names))
    with (
        whole_file(path) as temporary,
        temporary.open("wb") as file,
        # Neither a time nor a name inside: they would differ from one packing to the next.
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = (release.path / name).stat().st_size
            member.mode = 0o644
            with (release.path / name).open("rb") as source:
                archive.addfile(member, source)
            progress.step()
    sha256 = hash_of_file(path)
    write_text(hash_path(path), f"{sha256}  {path.name}\n")
    return Packed(path=path, sha256=sha256, n_files=len(names))


def hash_path(path: Path) -> Path:
    """Return where an archive's hash stands, in the form that sha256sum reads."""
    return path.with_name(f"{path.name}.sha256")


def is_archive(place: str) -> bool:
    """Tell whether a place is an archive, by URL or by path, and not a repository's name."""
    return urlsplit(place).scheme in {"http", "https"} or place.endswith((SUFFIX, ".tgz", ".tar"))


def unpack(
    place: str,
    out: Path,
    selectors: Sequence[SplitSelector],
    progress: Progress,
    *,
    sha256: str | None,
    is_offline: bool,
) -> Manifest:
    """Write the release that an archive holds into a folder, every file checked, or nothing at all."""
    with _local(place, progress, is_offline=is_offline) as path:
        expected = sha256 or _noted_hash(Path(place))
        found = hash_of_file(path)
        if expected is not None and found != expected.lower():
            raise UserError(
                f"{place}: its sha256 is {found}, expected {expected}; fetch it again, and do not use it",
                exit_code=ExitCode.MISMATCH,
            )
        try:
            return _unpack(path, place, out, selectors, progress)
        except (tarfile.TarError, EOFError, OSError) as error:
            if isinstance(error, OSError) and error.filename is not None:
                raise
            raise bad_input(f"{place}: not an archive of a release, or cut short ({error})") from None


def _unpack(
    path: Path, place: str, out: Path, selectors: Sequence[SplitSelector], progress: Progress
) -> Manifest:
    with writing_release(out) as writer:
        with tarfile.open(path, "r:*") as archive:
            _extract(archive, place, {MANIFEST: MOST_BYTES_OF_A_DOCUMENT}, writer.folder)
        if not (writer.folder / MANIFEST).is_file():
            raise bad_input(f"{place}: not an archive of a release, it has no {MANIFEST}")
        manifest = Release.open(writer.folder).manifest
        splits = {split.path: split for split in manifest.splits if split.rows}
        sizes = dict.fromkeys(BESIDE_SPLITS, MOST_BYTES_OF_A_DOCUMENT)
        sizes |= {split.path: split.bytes for split in chosen_splits(manifest, selectors)}
        progress.stage("unpack", 1)
        with tarfile.open(path, "r:*") as archive:
            _refuse_unknown_members(archive, place, {*BESIDE_SPLITS, *splits})
            _extract(archive, place, sizes, writer.folder)
        for split in chosen_splits(manifest, selectors):
            target = writer.folder / split.path
            if not target.is_file() or hash_of_file(target) != split.sha256:
                raise UserError(
                    f"{place}: {split.path} is not the file that the manifest froze; nothing was written",
                    exit_code=ExitCode.MISMATCH,
                )
        write_partial(writer.folder, manifest, selectors)
        progress.step()
    return manifest


def _refuse_unknown_members(archive: tarfile.TarFile, place: str, known: set[str]) -> None:
    """Refuse members that no release has: other names, links, devices, paths that lead elsewhere."""
    for member in archive:
        if member.isdir():
            continue
        if not member.isfile() or member.name not in known:
            raise bad_input(
                f"{place}: holds {member.name!r}, which belongs to no release; nothing was written"
            )


def _extract(archive: tarfile.TarFile, place: str, sizes: dict[str, int], folder: Path) -> None:
    """Write the wanted members to the paths of the release, never to paths of the archive."""
    for member in archive:
        most = sizes.get(member.name)
        source = archive.extractfile(member) if most is not None and member.isfile() else None
        if source is None or most is None:
            continue
        if member.size > most:
            raise bad_input(f"{place}: {member.name} is larger than the manifest says; nothing was written")
        target = folder / member.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with source, target.open("wb") as file:
            while chunk := source.read(BYTES_AT_A_TIME):
                file.write(chunk)


def _noted_hash(path: Path) -> str | None:
    """Return the hash that lies beside a local archive."""
    noted = hash_path(path)
    return noted.read_text(encoding="utf-8").split()[0] if noted.is_file() else None


@contextlib.contextmanager
def _local(place: str, progress: Progress, *, is_offline: bool) -> Iterator[Path]:
    """Yield a file of this machine: the archive itself, or what its URL gives."""
    if urlsplit(place).scheme not in {"http", "https"}:
        if not Path(place).is_file():
            raise bad_input(f"{place}: there is no such file")
        yield Path(place)
        return
    if is_offline:
        raise UserError(f"{place}: is on the network; leave out --offline", exit_code=ExitCode.WRONG_USE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive"
        with path.open("wb") as file:
            _fetch(place, file, progress)
        yield path


def _fetch(url: str, file: IO[bytes], progress: Progress) -> None:
    """Write what a URL gives, all of it."""
    shown = urlsplit(url)._replace(query="", fragment="").geturl()
    try:
        # Only http and https get here.
        with urlopen(Request(url, headers={"User-Agent": "hardfrost"}), timeout=TIMEOUT_SECONDS) as reply:  # noqa: S310
            n_bytes = int(reply.headers.get("Content-Length") or 0)
            progress.stage("download (MB)", max(1, n_bytes // BYTES_AT_A_TIME))
            n_read = 0
            while chunk := reply.read(BYTES_AT_A_TIME):
                file.write(chunk)
                n_read += len(chunk)
                progress.step(len(chunk) // BYTES_AT_A_TIME)
    except (HTTPError, URLError, HTTPException, OSError) as error:
        raise UserError(
            f"{shown}: cannot be fetched: {error}; check the address and the network",
            exit_code=ExitCode.NETWORK,
        ) from None
    if n_bytes and n_read != n_bytes:
        raise UserError(
            f"{shown}: cut short after {n_read:,} of {n_bytes:,} bytes; try again", exit_code=ExitCode.NETWORK
        )
