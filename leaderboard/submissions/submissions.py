"""Submissions: a result and its predictions in a folder that is named after the model."""

import gzip
import shutil
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.private_copy import private_copy
from contract.machine.whole_files import whole_file
from contract.schema.results import ModelInfo, Result
from leaderboard.board.collecting import RESULT_NAME, read_result
from leaderboard.text.untrusted_text import folder_name

PREDICTIONS_STEM = "predictions"
ANONYMOUS, UNVERSIONED = "anonymous", "unversioned"
# Formats that need no gzip: they are compressed already.
_COMPRESSED = {".parquet"}


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A folder that holds a result and its predictions."""

    folder: Path
    result: Result
    predictions_path: Path

    @property
    def result_path(self) -> Path:
        """The path of the result."""
        return self.folder / RESULT_NAME


def folder_of_model(model: ModelInfo) -> str:
    """Return the path of a model's folder under the results, with the submitter's names made safe."""
    organisation = folder_name(model.organisation or ANONYMOUS)
    return f"{organisation}__{folder_name(model.name)}/{folder_name(model.revision or UNVERSIONED)}"


def predictions_in(folder: Path) -> list[Path]:
    """Return the predictions files in a folder, of any format."""
    return sorted(path for path in folder.glob(f"{PREDICTIONS_STEM}.*") if path.is_file())


def write_submission(
    result: Result, predictions_path: Path, results_dir: Path, *, may_replace: bool
) -> Submission:
    """Write a result and its compressed predictions; replace a different result only if `may_replace`.

    The stored result has the hash of the compressed predictions.
    """
    _ = result.needed_benchmark
    folder = results_dir / folder_of_model(result.model)
    stored_path = folder / _stored_name(predictions_path)
    result_path = folder / RESULT_NAME
    # The files there are replaced only after all checks, and never by half-written ones.
    with whole_file(stored_path) as temporary:
        _compress(predictions_path, temporary, result.predictions.sha256)
        info = result.predictions.model_copy(update={"sha256": hash_of_file(temporary)})
        stored = result.model_copy(update={"predictions": info})
        if result_path.exists() and not may_replace and read_result(result_path) != stored:
            raise UserError(
                f"{result_path}: a different result of the same organisation, model and revision is there;"
                " give your model another --revision, or add --replace to replace that result",
                exit_code=ExitCode.BAD_INPUT,
            )
        stored.write(result_path)
    for path in predictions_in(folder):
        if path != stored_path:
            path.unlink()
    return Submission(folder=folder, result=stored, predictions_path=stored_path)


def read_submission(folder: Path) -> Submission:
    """Return the submission in a folder; a missing file or any other file is an error."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not path.is_file():
            raise bad_input(f"{path}: is not a plain file; a submission may hold only plain files")
        if path.name != RESULT_NAME and path not in predictions_in(folder):
            raise bad_input(
                f"{path}: does not belong to a submission, which is {RESULT_NAME} and its predictions;"
                " remove it"
            )
    paths = predictions_in(folder)
    if len(paths) != 1:
        raise bad_input(
            f"{folder}: holds {len(paths) or 'no'} predictions files, expected one;"
            " make the submission with `hardfrost submit`"
        )
    return Submission(folder=folder, result=read_result(folder / RESULT_NAME), predictions_path=paths[0])


def _stored_name(path: Path) -> str:
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    return f"{PREDICTIONS_STEM}{suffix}" + ("" if suffix in _COMPRESSED else ".gz")


def _compress(given: Path, target: Path, sha256: str) -> None:
    """Write predictions compressed: the same predictions give the same bytes, without file name and time."""
    is_packed = given.name.lower().endswith(".gz")
    is_to_be_packed = Path(_stored_name(given)).suffix == ".gz"
    with private_copy(given, given.stat().st_size) as copy:
        if copy.sha256 != sha256:
            raise bad_input(f"{given}: was changed while it was scored; leave it alone, and submit it again")
        with (
            gzip.open(copy.path, "rb") if is_packed else copy.path.open("rb") as plain,
            target.open("wb") as raw,
        ):
            if not is_to_be_packed:
                shutil.copyfileobj(plain, raw)
                return
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                shutil.copyfileobj(plain, packed)
