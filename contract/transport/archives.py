"""A release as one archive file: packed to the same bytes every time, unpacked as untrusted."""

import contextlib
import gzip
import re
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.problems import shown
from contract.machine.progress import Progress
from contract.machine.whole_files import whole_file, write_text
from contract.release.checksums import document_differences
from contract.release.release import BESIDE_SPLITS, DOCUMENTS, MANIFEST, Release, writing_release
from contract.release.split_selector import SplitSelector, chosen_splits, left_out_of, write_partial
from contract.release.verification import verify
from contract.schema.manifest import Manifest
from contract.transport.addresses import BYTES_AT_A_TIME, fetch, is_url, shown_place
from contract.transport.packed_results import (
    MOST_BYTES_OF_A_RESULT,
    MOST_RESULTS,
    check_results,
    is_result_member,
    results_to_pack,
)
from contract.transport.tar_files import reading_tar

SUFFIX = ".tar.gz"
MOST_BYTES_OF_A_DOCUMENT = 64_000_000
MOST_BYTES_OF_A_NOTE = 10_000

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True, kw_only=True)
class Packed:
    """An archive that was written."""

    path: Path
    sha256: str
    n_files: int


def pack(release: Release, path: Path, progress: Progress, *, results_dir: Path | None = None) -> Packed:
    """Write a release that verifies into an archive, its hash beside it; same release, same bytes.

    With results of models on it, where a folder of them is given.
    """
    differences = verify(release, progress)
    if differences:
        lines = [*differences, f"{release.path}: not packed; build or download the release again"]
        raise UserError("\n".join(lines), exit_code=ExitCode.MISMATCH)
    if left_out_of(release.path):
        raise bad_input(f"{release.path}: only a part of a release; download all of it to pack it")
    names = [name for name in BESIDE_SPLITS if (release.path / name).is_file()]
    names += [split.path for split in release.manifest.splits if split.rows]
    files = {name: release.path / name for name in names}
    if results_dir is not None:
        files |= results_to_pack(results_dir, release)
    progress.stage("pack", len(files))
    with (
        whole_file(path) as temporary,
        temporary.open("wb") as file,
        # Neither a time nor a name inside: they would differ from one packing to the next.
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, file_path in files.items():
            member = tarfile.TarInfo(name)
            member.size = file_path.stat().st_size
            member.mode = 0o644
            with file_path.open("rb") as source:
                archive.addfile(member, source)
            progress.step()
    sha256 = hash_of_file(path)
    write_text(hash_path(path), f"{sha256}  {path.name}\n")
    return Packed(path=path, sha256=sha256, n_files=len(files))


def hash_path(path: Path) -> Path:
    """Return where an archive's hash stands, in the form that sha256sum reads."""
    return path.with_name(f"{path.name}.sha256")


def is_archive(place: str) -> bool:
    """Tell whether a place is an archive, by URL or by path, and not a repository's name."""
    return is_url(place) or place.endswith((SUFFIX, ".tgz", ".tar"))


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
    if sha256 is not None:
        _check_sha256(sha256, "--sha256")
    title = shown_place(place)
    with _local(place, progress, is_offline=is_offline) as path:
        expected = sha256 if sha256 is not None or is_url(place) else _noted_hash(path)
        found = hash_of_file(path)
        if expected is not None and found != expected.lower():
            raise UserError(
                f"{title}: its sha256 is {found}, expected {expected}; fetch it again, and do not use it",
                exit_code=ExitCode.MISMATCH,
            )
        return _unpack(path, title, out, selectors, progress)


def _unpack(
    path: Path, place: str, out: Path, selectors: Sequence[SplitSelector], progress: Progress
) -> Manifest:
    with writing_release(out) as writer:
        with reading_tar(path, place) as archive:
            _extract(archive, place, {MANIFEST: MOST_BYTES_OF_A_DOCUMENT}, writer.folder)
        if not (writer.folder / MANIFEST).is_file():
            raise bad_input(f"{place}: not an archive of a release, it has no {MANIFEST}")
        manifest = manifest_of(writer.folder, place)
        splits = {split.path: split for split in manifest.splits if split.rows}
        sizes = dict.fromkeys(BESIDE_SPLITS, MOST_BYTES_OF_A_DOCUMENT)
        sizes |= {split.path: split.bytes for split in chosen_splits(manifest, selectors)}
        progress.stage("unpack", 1)
        with reading_tar(path, place) as archive:
            results = _results_beside(archive, place, {*BESIDE_SPLITS, *splits})
            sizes |= dict.fromkeys(results, MOST_BYTES_OF_A_RESULT)
            _extract(archive, place, sizes, writer.folder)
        for split in chosen_splits(manifest, selectors):
            target = writer.folder / split.path
            if not target.is_file() or hash_of_file(target) != split.sha256:
                raise UserError(
                    f"{place}: {split.path} is not the file that the manifest froze; nothing was written",
                    exit_code=ExitCode.MISMATCH,
                )
        check_documents(writer.folder, place)
        with _naming(writer.folder, place):
            check_results([writer.folder / name for name in results], Release.open(writer.folder))
        write_partial(writer.folder, manifest, selectors)
        progress.step()
    return manifest


def manifest_of(folder: Path, place: str) -> Manifest:
    """Return the manifest of a release that was just fetched; an error names where it came from."""
    with _naming(folder, place):
        return Release.open(folder).manifest


def check_documents(folder: Path, place: str) -> None:
    """Refuse documents that are not those which a release just fetched was published with."""
    with _naming(folder, place):
        differences = document_differences(folder, DOCUMENTS)
    if differences:
        lines = [f"{place}: {difference}" for difference in differences]
        lines.append(f"{place}: nothing was written; report it to the publisher")
        raise UserError("\n".join(lines), exit_code=ExitCode.MISMATCH)


@contextlib.contextmanager
def _naming(folder: Path, place: str) -> Iterator[None]:
    """Make errors name where a folder's files came from, not the folder."""
    try:
        yield
    except UserError as error:
        message = error.message.replace(f"{folder}/", f"{place}: ")
        raise UserError(message, exit_code=error.exit_code) from None


def _results_beside(archive: tarfile.TarFile, place: str, known: set[str]) -> list[str]:
    """Return the members that are results, beside those of a release.

    Others are refused: other names, links, devices, paths that lead elsewhere.
    """
    results: set[str] = set()
    for member in archive:
        if member.isdir():
            continue
        is_result = is_result_member(member.name)
        if not _is_plain(member) or not (is_result or member.name in known):
            raise bad_input(
                f"{place}: holds {member.name!r}, which belongs to no release; nothing was written"
            )
        if is_result:
            results.add(member.name)
    if len(results) > MOST_RESULTS:
        raise bad_input(f"{place}: holds more than {MOST_RESULTS:,} results; nothing was written")
    return sorted(results)


def _extract(archive: tarfile.TarFile, place: str, sizes: dict[str, int], folder: Path) -> None:
    """Write the wanted members to the paths of the release, never to paths of the archive."""
    for member in archive:
        most = sizes.get(member.name)
        source = archive.extractfile(member) if most is not None and _is_plain(member) else None
        if source is None or most is None:
            continue
        if member.size > most:
            raise bad_input(f"{place}: {member.name} is larger than the manifest says; nothing was written")
        target = folder / member.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with source, target.open("wb") as file:
            while chunk := source.read(BYTES_AT_A_TIME):
                file.write(chunk)


def _is_plain(member: tarfile.TarInfo) -> bool:
    return member.isfile() and not member.issparse()


def _noted_hash(path: Path) -> str | None:
    """Return the hash that lies beside a local archive."""
    noted = hash_path(path)
    if not noted.is_file():
        return None
    with noted.open("rb") as file:
        words = file.read(MOST_BYTES_OF_A_NOTE).decode("ascii", errors="replace").split()
    return _check_sha256(words[0] if words else "", str(noted))


def _check_sha256(text: str, where: str) -> str:
    if not _SHA256.fullmatch(text):
        raise bad_input(
            f"{where}: {shown(text)} is not a sha256, which is 64 of the digits 0 to 9 and a to f;"
            " take it from whoever published the archive"
        )
    return text


@contextlib.contextmanager
def _local(place: str, progress: Progress, *, is_offline: bool) -> Iterator[Path]:
    """Yield a file of this machine: the archive itself, or what its URL gives."""
    if not is_url(place):
        if not Path(place).is_file():
            raise bad_input(f"{place}: there is no such file")
        yield Path(place)
        return
    if is_offline:
        raise UserError(
            f"{shown_place(place)}: is on the network; leave out --offline", exit_code=ExitCode.WRONG_USE
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive"
        with path.open("wb") as file:
            fetch(place, file, progress)
        yield path
