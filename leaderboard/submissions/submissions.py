"""A submission: a result and the predictions it was scored from, in a folder whose path names the model."""

import gzip
import shutil
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.whole_files import whole_file
from contract.schema.results import ModelInfo, Result
from leaderboard.board.collecting import RESULT_NAME, read_result
from leaderboard.text.untrusted_text import folder_name

PREDICTIONS_STEM = "predictions"
ANONYMOUS, UNVERSIONED = "anonymous", "unversioned"
# Formats that are compressed already.
_COMPRESSED = {".parquet"}


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A folder that holds a result and its predictions."""

    folder: Path
    result: Result
    predictions_path: Path

    @property
    def result_path(self) -> Path:
        """Where the result stands."""
        return self.folder / RESULT_NAME


def place_of(model: ModelInfo) -> str:
    """Return a model's folder among the results; what strangers wrote never reaches a path as it is."""
    organisation = folder_name(model.organisation or ANONYMOUS)
    return f"{organisation}__{folder_name(model.name)}/{folder_name(model.revision or UNVERSIONED)}"


def predictions_in(folder: Path) -> list[Path]:
    """Return the files of a folder that are called predictions, of whatever format."""
    return sorted(path for path in folder.glob(f"{PREDICTIONS_STEM}.*") if path.is_file())


def write_submission(
    result: Result, predictions_path: Path, results_dir: Path, *, may_replace: bool
) -> Submission:
    """Write a result and its predictions, compressed, or refuse to replace another result.

    The result names the hash of the predictions as they are stored here.
    """
    folder = results_dir / place_of(result.model)
    stored_path = folder / _stored_name(predictions_path)
    result_path = folder / RESULT_NAME
    # Only what is whole and may stand there takes the place of what stands there.
    with whole_file(stored_path) as temporary:
        _compress(predictions_path, temporary)
        info = result.predictions.model_copy(update={"sha256": hash_of_file(temporary)})
        stored = result.model_copy(update={"predictions": info})
        if result_path.exists() and not may_replace and read_result(result_path) != stored:
            raise UserError(
                f"{result_path}: another result of the same organisation, model and revision stands there;"
                " give your model another --revision, or add --replace to take its place",
                exit_code=ExitCode.BAD_INPUT,
            )
        stored.write(result_path)
    for path in predictions_in(folder):
        if path != stored_path:
            path.unlink()
    return Submission(folder=folder, result=stored, predictions_path=stored_path)


def read_submission(folder: Path) -> Submission:
    """Return the submission in a folder, or say what is missing or does not belong there."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not path.is_file():
            raise bad_input(f"{path}: is not a plain file; a submission holds nothing else")
        if path.name != RESULT_NAME and path not in predictions_in(folder):
            raise bad_input(
                f"{path}: does not belong to a submission, which is {RESULT_NAME} and its predictions;"
                " remove it"
            )
    found = predictions_in(folder)
    if len(found) != 1:
        raise bad_input(
            f"{folder}: holds {len(found) or 'no'} predictions files, expected one;"
            " make the submission with `hardfrost submit`"
        )
    return Submission(folder=folder, result=read_result(folder / RESULT_NAME), predictions_path=found[0])


def _stored_name(path: Path) -> str:
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    return f"{PREDICTIONS_STEM}{suffix}" + ("" if suffix in _COMPRESSED else ".gz")


def _compress(source: Path, target: Path) -> None:
    """Write the same bytes for the same predictions: no name and no time inside."""
    is_compressed = source.name.lower().endswith(".gz")
    with gzip.open(source, "rb") if is_compressed else source.open("rb") as plain, target.open("wb") as raw:
        if Path(_stored_name(source)).suffix != ".gz":
            shutil.copyfileobj(plain, raw)
            return
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
            shutil.copyfileobj(plain, packed)
