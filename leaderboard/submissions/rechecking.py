"""Checks submissions anew: a result must be what scoring its predictions gives."""

import math
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from contract.machine.errors import ExitCode, UserError
from contract.schema.documents import Value
from contract.schema.names import version_order
from contract.schema.results import AUDIT_REFUSED, Result, SettingScore
from leaderboard.board.collecting import RESULT_NAME
from leaderboard.submissions.submissions import folder_of_model, read_submission

WORKFLOW_PATH = Path(__file__).parent / "workflows" / "check-submissions.yml"
# Scores are rounded to nine digits; machines that sum in another order may differ in the last.
TOLERANCE = 1e-6
MOST_RESAMPLES = 10_000
MOST_DIFFERENCES_SHOWN = 8
# What a newer version may write otherwise without changing a score.
_VERSION_FIELDS = {"evaluator_version", "signature", "metrics"}
# What decides whether an entry has a rank, and which: a result without it would be better off.
_RANKING_FIELDS = {"has_skill", "kin", "replicates", "without_families"}

Score = Callable[[Path, Result], Result]


def changed_since(results_dir: Path, revision: str) -> list[PurePosixPath]:
    """Return the files under a folder that differ from a revision of its Git repository, removed ones too."""
    command = ["git", "diff", "--name-only", "--no-renames", "--relative", "-z", "--end-of-options"]
    done = subprocess.run(  # noqa: S603
        [*command, f"{revision}...HEAD"],
        cwd=results_dir,
        capture_output=True,
        encoding="utf-8",
        # A file may have any name.
        errors="surrogateescape",
        check=False,
    )
    if done.returncode:
        raise UserError(
            f"{results_dir}: git cannot compare with {revision!r}: {done.stderr.strip()};"
            " fetch that revision, or name the submissions to check",
            exit_code=ExitCode.WRONG_USE,
        )
    return [PurePosixPath(name) for name in done.stdout.split("\0") if name]


def named(results_dir: Path, paths: Iterable[Path]) -> list[PurePosixPath]:
    """Return files of submissions as others list them: by their path from the folder of all results."""
    names = [os.path.relpath(path / RESULT_NAME if path.is_dir() else path, results_dir) for path in paths]
    return [PurePosixPath(Path(name).as_posix()) for name in names]


def all_files(results_dir: Path) -> list[PurePosixPath]:
    """Return every file under a folder, but for hidden ones."""
    found = (path.relative_to(results_dir) for path in results_dir.rglob("*") if not path.is_dir())
    return [PurePosixPath(path.as_posix()) for path in sorted(found)]


def submissions_of(files: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """Return the folders of the submissions that the files belong to."""
    return list(dict.fromkeys(path.parent for path in _visible_files(files) if _is_in_submission(path)))


def misplaced(results_dir: Path, files: Iterable[PurePosixPath]) -> dict[PurePosixPath, list[str]]:
    """Return what is wrong with results that stand anywhere but in a submission, by file.

    Leaderboards take results from any JSON file under the folder, so none may hide where nobody checks it.
    """
    remedy = (
        "results stand at {organisation}__{model}/{revision}/result.json, as `hardfrost submit` writes them"
    )
    return {
        path: [f"{results_dir / path}: no submission; {remedy}"]
        for path in _visible_files(files)
        if not _is_in_submission(path) and (path.suffix == ".json" or ".." in path.parts)
    }


def _visible_files(files: Iterable[PurePosixPath]) -> Iterator[PurePosixPath]:
    """Yield the files that leaderboards look into: no hidden ones."""
    for path in files:
        if not any(part.startswith(".") and part != ".." for part in path.parts):
            yield path


def _is_in_submission(path: PurePosixPath) -> bool:
    return len(path.parts) == 3 and ".." not in path.parts


def recheck(results_dir: Path, place: PurePosixPath, score: Score) -> list[str]:
    """Return what is wrong with a submission: nothing if it may be merged."""
    try:
        return list(_problems_of(results_dir, place, score))
    except UserError as error:
        return error.message.splitlines()
    except OSError as error:
        return [f"{results_dir / place}: cannot be read ({error.strerror}); put plain, readable files there"]


def _problems_of(results_dir: Path, place: PurePosixPath, score: Score) -> Iterable[str]:
    folder = results_dir / place
    if not folder.is_dir():
        return ["the submission is removed; only those who keep the leaderboard take entries away"]
    if folder.resolve() != results_dir.resolve() / place:
        return ["the folder is a link to another"]
    submission = read_submission(folder)
    claimed = submission.result
    if claimed.audit is not None:
        return [AUDIT_REFUSED]
    if folder_of_model(claimed.model) != str(place):
        return [f"its names give the folder {folder_of_model(claimed.model)}"]
    if claimed.settings.resamples > MOST_RESAMPLES:
        return [f"{claimed.settings.resamples:,} resamples, at most {MOST_RESAMPLES:,} are checked"]
    return differences_of(claimed, score(submission.predictions_path, claimed))


def differences_of(claimed: Result, fresh: Result) -> list[str]:
    """Return where a claimed result differs from a fresh one, the first few in full.

    A result of the same version and metrics must have all that scoring gives. Of an older one only what it
    has is compared, so that a figure added later refuses no older submission.
    """
    is_same_version = claimed.evaluator_version == fresh.evaluator_version
    comparison = _Comparison(is_whole=is_same_version and _names(claimed) == _names(fresh))
    fields = comparison.fields_of(claimed) - _VERSION_FIELDS
    differences = list(comparison.in_fields(claimed, fresh, sorted(fields), ()))
    if is_same_version:
        differences += _other_descriptions(claimed, fresh)
    elif not () < version_order(claimed.evaluator_version) < version_order(fresh.evaluator_version):
        differences.append(
            f"evaluator_version: claims {_shown(claimed.evaluator_version)}, which is no older version than"
            f" {fresh.evaluator_version}; check it with the version that scored it"
        )
    shown = differences[:MOST_DIFFERENCES_SHOWN]
    if len(differences) > len(shown):
        shown.append(f"… and {len(differences) - len(shown)} more figures that differ")
    return shown


def _names(result: Result) -> set[str]:
    return {info.name for info in result.metrics}


def _other_descriptions(claimed: Result, fresh: Result) -> Iterator[str]:
    """Yield the metrics that a result of the same version calls otherwise than scoring does."""
    known = {info.name: info for info in fresh.metrics}
    for info in claimed.metrics:
        if info != known.get(info.name, info):
            yield f"metrics: describes {info.name} otherwise than scoring does"


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """Compares values of a claimed result with those of a fresh one."""

    # Whether what is left out differs, too.
    is_whole: bool

    def fields_of(self, claimed: Value) -> set[str]:
        """Return all fields, or those that a file gave a value and those that decide a rank."""
        known = set(type(claimed).model_fields)
        return known if self.is_whole else claimed.model_fields_set | (_RANKING_FIELDS & known)

    def in_fields(
        self, claimed: Value, fresh: Value, names: Iterable[str], place: Sequence[str]
    ) -> Iterator[str]:
        """Yield the differences in some fields of a value."""
        for name in names:
            yield from self.between(getattr(claimed, name), getattr(fresh, name), (*place, name))

    def between(self, claimed: Any, fresh: Any, place: Sequence[str]) -> Iterator[str]:
        """Yield the differences between two values that stand at the same place."""
        if isinstance(claimed, Value) and isinstance(fresh, Value):
            yield from self.in_fields(claimed, fresh, sorted(self.fields_of(claimed)), place)
        elif isinstance(claimed, dict) and isinstance(fresh, dict):
            for key in self._keys(claimed, fresh):
                yield from self.between(claimed.get(key), fresh.get(key), (*place, key))
        elif isinstance(claimed, tuple) and isinstance(fresh, tuple) and len(claimed) == len(fresh):
            for index, (one, other) in enumerate(zip(claimed, fresh, strict=True)):
                yield from self.between(one, other, (*place, str(index)))
        elif not _is_equal(claimed, fresh):
            yield f"{'.'.join(place)}: claims {_shown(claimed)}, scoring gives {_shown(fresh)}"

    def _keys(self, claimed: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
        """Return the figures that are claimed; of tasks, dimensions and degrees also those left out."""
        is_divided = any(isinstance(value, (Value, dict)) for value in (*claimed.values(), *fresh.values()))
        if self.is_whole:
            return sorted(claimed.keys() | fresh.keys())
        # Older versions said nothing of a dimension and setting that has no case.
        left_out = [key for key in fresh if key not in claimed and not _has_no_case(fresh[key])]
        return sorted([*claimed, *left_out] if is_divided else claimed)


def _has_no_case(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_has_no_case(score) for score in value.values())
    return isinstance(value, SettingScore) and not value.degrees


def _is_equal(claimed: Any, fresh: Any) -> bool:
    if isinstance(claimed, float) and isinstance(fresh, float):
        return math.isclose(claimed, fresh, rel_tol=0, abs_tol=TOLERANCE)
    return bool(claimed == fresh)


def _shown(value: Any) -> str:
    return repr(value)[:80]
