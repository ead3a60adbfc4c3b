"""What commands print with `--json`: values that describe what a command wrote or checked."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from contract.schema.leaderboards import Leaderboard
from contract.schema.results import BenchmarkInfo, ModelInfo, Result
from leaderboard.submissions.pull_requests import pull_request_text
from leaderboard.submissions.submissions import Submission, folder_of_model


def report_on_submission(submission: Submission) -> dict[str, Any]:
    """Return what was scored, where it was written, and the text of the pull request."""
    result = submission.result
    title, _, body = pull_request_text(submission).partition("\n\n")
    return {
        "benchmark": _named(result.needed_benchmark),
        "place": folder_of_model(result.model),
        "result": str(submission.result_path),
        "predictions": str(submission.predictions_path),
        "rows": result.predictions.rows,
        "sha256": result.predictions.sha256,
        "absent": list(result.absent),
        "signature": result.signature,
        "overall": _headline(result),
        "pull_request": {"title": title, "body": body},
    }


def report_on_rechecks(benchmark: str, problems: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return for each submission whether scoring again gives the same result, and what differs."""
    return {
        "benchmark": benchmark,
        "checked": len(problems),
        "refused": sum(map(bool, problems.values())),
        "submissions": [
            {"place": folder, "is_as_scored": not of_folder, "problems": list(of_folder)}
            for folder, of_folder in problems.items()
        ],
    }


def report_on_leaderboard(
    leaderboard: Leaderboard, output: Path, *, figures: Path | None, ignored: Sequence[str]
) -> dict[str, Any]:
    """Return the entries with their ranks, the files written and the files left out."""
    return {
        "output": str(output),
        "figures": None if figures is None else str(figures),
        "benchmark": _named(leaderboard.benchmark),
        "ranked": sum(entry.status == "ranked" for entry in leaderboard.entries),
        "ignored": list(ignored),
        "entries": [
            {
                **_model(entry.result.model),
                "path": entry.path,
                "status": entry.status,
                "rank": None if entry.rank is None else list(entry.rank),
                "rank_without_families": None
                if entry.rank_without_families is None
                else list(entry.rank_without_families),
                "kin": [kin.surrogate for kin in entry.result.kin if kin.is_kin],
                "overall": _headline(entry.result),
            }
            for entry in leaderboard.entries
        ],
    }


def report_on_site(leaderboards: Sequence[Leaderboard], page: Path) -> dict[str, Any]:
    """Return the path and the size of a site, and the versions that it shows."""
    sizes = [path.stat().st_size for path in page.parent.rglob("*") if path.is_file()]
    return {
        "output": str(page.parent),
        "page": str(page),
        "files": len(sizes),
        "bytes": sum(sizes),
        "versions": [
            {"benchmark": _named(board.benchmark), "entries": len(board.entries)} for board in leaderboards
        ],
    }


def report_on_report_page(results: Iterable[tuple[Path, Result]], output: Path) -> dict[str, Any]:
    """Return the path and the size of a report, and the results that it is about."""
    shown = list(results)
    return {
        "output": str(output),
        "bytes": output.stat().st_size,
        "benchmark": None if shown[0][1].benchmark is None else _named(shown[0][1].benchmark),
        "models": [
            {**_model(result.model), "path": str(path), "overall": _headline(result)}
            for path, result in shown
        ],
    }


def _named(benchmark: BenchmarkInfo) -> str:
    return f"{benchmark.name}@{benchmark.version}"


def _model(model: ModelInfo) -> dict[str, Any]:
    return {"model": model.name, "organisation": model.organisation, "revision": model.revision}


def _headline(result: Result) -> dict[str, Any] | None:
    """Return the overall scores, or None for a partial result; ranks go by robustness."""
    overall = result.overall
    if overall is None:
        return None
    return {
        "covers": list(overall.covers),
        "clean": overall.clean,
        "robustness": overall.score.ewma,
        "average": overall.average.ewma,
        "worst": overall.worst.ewma,
        # What a surrogate scores is no result: the cases were made with it.
        "is_result": not result.model.is_surrogate_family,
    }
