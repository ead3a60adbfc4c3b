"""The files of the shipped parser."""

from pathlib import Path

from contract.machine.hashes import hash_of, hash_of_file

WEIGHTS_PATH = Path(__file__).parent / "weights"
# Units are keyed by the hash of the code, which through this constant covers the weights.
WEIGHTS_SHA256 = "aab3611a70a18a17360a90b51051c3568707f016b66fb724635fafa789c749c6"


def hash_of_weights(folder: Path) -> str:
    """Return the hash of all files of a pipeline but its card."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "README.md")
    return hash_of({path.relative_to(folder).as_posix(): hash_of_file(path) for path in paths})
