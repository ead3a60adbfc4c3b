"""Opens a predictions file in the format that its name promises."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import bad_input
from contract.machine.problems import Problems
from contract.predictions.formats import comma_separated, jsonl, ordered, parquet
from contract.predictions.formats.chunks import Chunk, FileRequest
from contract.release.release import Release

_READERS = {".jsonl": jsonl.read, ".csv": comma_separated.read, ".parquet": parquet.read}


@dataclass(frozen=True, kw_only=True, eq=False)
class OpenedFile:
    """A file about to be read, and whether its format can hold clean predictions."""

    chunks: Iterator[Chunk]
    problems: Problems
    has_clean: bool = True


def opened(request: FileRequest, release: Release) -> OpenedFile:
    """Return the chunks of a file in the format that its name promises."""
    if _suffix_of(request.path) == ordered.SUFFIX:
        if release.manifest.imported_from != "advglue":
            raise bad_input(
                f"{request.path}: labels without ids are only read for AdvGLUE as it was imported;"
                " give a .jsonl, .csv or .parquet file with the ids of the release"
            )
        order = ordered.SourceOrder.read(release)
        problems = Problems(request.path, order.place_of)
        return OpenedFile(chunks=ordered.read(request, order, problems), problems=problems, has_clean=False)
    suffix = format_of(request.path)
    problems = Problems(request.path, ": row {}".format if suffix == ".parquet" else ":{}".format)
    return OpenedFile(chunks=_READERS[suffix](request, problems), problems=problems)


def _suffix_of(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def format_of(path: Path) -> str:
    """Return the format that the file's name promises."""
    suffix = _suffix_of(path)
    if suffix not in _READERS:
        raise bad_input(
            f"{path}: unknown format; the name must end in .jsonl, .csv or .parquet, with or without .gz"
        )
    return suffix
