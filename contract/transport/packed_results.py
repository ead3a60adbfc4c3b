"""Results inside an archive of a release: which members they are, and that they are about this release."""

import re
from collections.abc import Sequence
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input, bad_inputs
from contract.machine.problems import shown
from contract.release.release import Release
from contract.schema.results import Result

RESULTS = "results"
RESULT_NAME = "result.json"
MOST_RESULTS = 1_000
MOST_BYTES_OF_A_RESULT = 20_000_000

_PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}"
_MEMBER = re.compile(rf"{RESULTS}/{_PART}/{_PART}/{RESULT_NAME}")


def is_result_member(name: str) -> bool:
    """Tell whether a member of an archive is called as results are, by organisation, model and revision."""
    return _MEMBER.fullmatch(name) is not None


def results_to_pack(folder: Path, release: Release) -> dict[str, Path]:
    """Return the results of a folder by their names in an archive; all must be of the release."""
    if not folder.is_dir():
        raise bad_input(f"{folder}: there is no such folder; give the folder that holds the results")
    paths = sorted(folder.rglob(RESULT_NAME), key=lambda path: path.relative_to(folder).as_posix())
    found = {f"{RESULTS}/{path.relative_to(folder).as_posix()}": path for path in paths}
    if not found:
        raise bad_input(f"{folder}: holds no {{organisation}}__{{model}}/{{revision}}/{RESULT_NAME}")
    misplaced = [path for name, path in found.items() if not is_result_member(name)]
    if misplaced:
        expected = f"expected {folder}/{{organisation}}__{{model}}/{{revision}}/{RESULT_NAME}"
        raise bad_inputs([f"{path}: {expected}, in letters, digits, dots and dashes" for path in misplaced])
    check_results(list(found.values()), release)
    return found


def check_results(paths: Sequence[Path], release: Release) -> None:
    """Refuse results that cannot be read or that are of another release."""
    for path in paths:
        if path.stat().st_size > MOST_BYTES_OF_A_RESULT:
            raise bad_input(f"{path}: too large for a result, at most {MOST_BYTES_OF_A_RESULT:,} bytes")
        benchmark = Result.read(path).benchmark
        if benchmark is None or benchmark.manifest_sha256 != release.manifest_sha256:
            name = "no benchmark" if benchmark is None else f"{benchmark.name} {benchmark.version}"
            raise UserError(
                f"{path}: a result of {shown(name)}, not of {release.manifest.name}"
                f" {release.manifest.version} as it is here; score the model on this release",
                exit_code=ExitCode.MISMATCH,
            )
