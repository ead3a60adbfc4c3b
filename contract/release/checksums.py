"""SHA256SUMS: the hashes of a release's manifest and documents, as `sha256sum --check` reads them.

Not in the manifest: documents are worded anew when a release is published, and the hash of the manifest,
by which results name a benchmark, must not change then.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from contract.machine.errors import bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.problems import shown

CHECKSUMS = "SHA256SUMS"
MOST_BYTES = 10_000

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def checksums_of(documents: Mapping[str, bytes]) -> str:
    """Return the text of the file for some documents, in the order of their names."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(documents.items())]
    return "".join(lines)


def has_checksums(folder: Path) -> bool:
    """Tell whether the documents of a release have hashes; those of earlier versions have none."""
    return (folder / CHECKSUMS).is_file()


def document_differences(folder: Path, names: Sequence[str]) -> list[str]:
    """Return which documents are not those that the release was frozen with, one line each."""
    if not has_checksums(folder):
        return []
    expected = _read(folder / CHECKSUMS, names)
    differences = []
    for name in names:
        path = folder / name
        found = hash_of_file(path) if path.is_file() else None
        if found is None and name in expected:
            differences.append(f"{name}: missing, {CHECKSUMS} lists it")
        elif found is not None and name not in expected:
            differences.append(f"{name}: {CHECKSUMS} does not list this document")
        elif found != expected.get(name):
            differences.append(f"{name}: its sha256 is {found}, {CHECKSUMS} says {expected[name]}")
    return differences


def _read(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the hash of each document that the file lists."""
    with path.open("rb") as file:
        text = file.read(MOST_BYTES).decode("utf-8", errors="replace")
    expected: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        found = _LINE.fullmatch(line)
        if found is None or found[2] not in names or found[2] in expected:
            raise bad_input(
                f"{path}:{number}: {shown(line)} is not a sha256 and the name of a document, each once;"
                " build or download the release again"
            )
        expected[found[2]] = found[1]
    return expected
