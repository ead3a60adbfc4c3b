"""Writes a report: one self-contained page about one model, or about several models side by side."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from contract.machine.errors import ExitCode, UserError, bad_inputs
from contract.machine.hashes import hash_of_file
from contract.machine.whole_files import write_text
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.leaderboards import Leaderboard
from leaderboard.board.collecting import RESULT_NAME, FoundResults, collect_found, read_result
from leaderboard.board.entries import FoundResult
from leaderboard.pages.rendering import ASSETS_PATH, template_engine
from leaderboard.submissions.submissions import predictions_in
from leaderboard.view import advice
from leaderboard.view.audits import audit_view
from leaderboard.view.comparison_pages import comparison_of
from leaderboard.view.overlays import MOST_MODELS
from leaderboard.view.report_pages import model_report
from leaderboard.view.tables import table_of
from leaderboard.view.worst_hit import COLUMNS_READ, HitCase, read_answers, worst_hit

STYLES = ("site.css", "report.css")


@dataclass(frozen=True, kw_only=True)
class Cases:
    """The worst-hit cases by dimension, or the reason why the report shows none."""

    by_dimension: Mapping[str, tuple[HitCase, ...]]
    missing: str = ""


def write_report(
    result_paths: Sequence[Path],
    output: Path,
    *,
    release_dir: Path | None = None,
    predictions_paths: Sequence[Path] = (),
) -> Path:
    """Write the report of one result, or the comparison of several results.

    Without `predictions_paths`, the predictions that submissions keep beside their result are used.
    """
    _check_use(result_paths, release_dir, predictions_paths)
    leaderboard = _leaderboard_of(result_paths, release_dir)
    release = None if release_dir is None else Release.open(release_dir)
    cases = _cases_of(leaderboard, release, predictions_paths or _predictions_beside(result_paths))
    write_text(output, _render(leaderboard, release, cases))
    return output


def _predictions_beside(result_paths: Sequence[Path]) -> list[Path]:
    """Return the predictions files beside the results that have the hash named in the result."""
    return [
        file
        for path in result_paths
        if path.name == RESULT_NAME
        for file in predictions_in(path.parent)
        if hash_of_file(file) == read_result(path).predictions.sha256
    ]


def _check_use(
    result_paths: Sequence[Path], release_dir: Path | None, predictions_paths: Sequence[Path]
) -> None:
    """Raise an error if the arguments do not fit together."""
    if predictions_paths and release_dir is None:
        raise UserError(
            "--predictions needs --release: the texts and labels of the cases are in the release",
            exit_code=ExitCode.WRONG_USE,
        )
    if len(result_paths) > MOST_MODELS:
        raise UserError(
            f"{len(result_paths)} results are too many for one report, at most {MOST_MODELS} can be told"
            " apart in a chart; for more, use `hardfrost leaderboard` and `hardfrost site`",
            exit_code=ExitCode.WRONG_USE,
        )
    repeated = {path for path in result_paths if list(result_paths).count(path) > 1}
    if repeated:
        raise UserError(
            f"{', '.join(map(str, sorted(repeated)))}: given twice; name every result once",
            exit_code=ExitCode.WRONG_USE,
        )


def _leaderboard_of(paths: Sequence[Path], release_dir: Path | None) -> Leaderboard:
    """Return the results in the order given; results that cannot be compared are an error."""
    found = []
    problems = []
    for path in paths:
        try:
            found.append(FoundResult(path=str(path), result=read_result(path)))
        except UserError as error:
            problems.append(error.message)
    if problems:
        raise bad_inputs(problems)
    collected = collect_found(
        FoundResults(results=tuple(found), ignored=()), release_dir=release_dir, purpose="report"
    )
    entries = {entry.path: entry for entry in collected.entries}
    # Reports are passed on: they show the names of files, not the folders on the author's machine.
    named = [entries[str(path)].model_copy(update={"path": path.name}) for path in paths]
    return collected.model_copy(update={"entries": tuple(named)})


def _cases_of(leaderboard: Leaderboard, release: Release | None, paths: Sequence[Path]) -> Cases:
    """Return the cases that the models get wrong, if texts, labels and predictions are given."""
    if release is None or not paths:
        missing = "Give --release and --predictions as well to see the cases that were answered wrong."
        return Cases(by_dimension={}, missing=missing)
    rows = ReleaseRows.read(release, COLUMNS_READ)
    models = read_answers(rows, [entry.result for entry in leaderboard.entries], paths)
    if release.manifest.labels == "withheld":
        missing = "The labels of this release are withheld, so the report cannot show which cases are wrong."
        return Cases(by_dimension={}, missing=missing)
    return Cases(by_dimension=worst_hit(rows, models))


def _render(leaderboard: Leaderboard, release: Release | None, cases: Cases) -> str:
    """Return the whole page."""
    style = "".join((ASSETS_PATH / name).read_text(encoding="utf-8") for name in STYLES)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    manifest = None if release is None else release.manifest
    table = table_of(leaderboard)
    shared: dict[str, Any] = {
        "leaderboard": leaderboard,
        "table": table,
        "manifest": manifest,
        "words": advice,
        "cases_missing": cases.missing,
        "style": Markup(style),  # noqa: S704
        # Allows the one style sheet, by its hash, and nothing else: no script, nothing loaded.
        "policy": f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:;"
        " base-uri 'none'; form-action 'none'",
    }
    environment = template_engine()
    if len(leaderboard.entries) == 1:
        report = model_report(leaderboard, table, manifest=manifest, hits=cases.by_dimension)
        audit = audit_view(leaderboard.entries[0].result)
        return environment.get_template("report.html").render(report=report, audit=audit, **shared)
    comparison = comparison_of(leaderboard, table, manifest=manifest, hits=cases.by_dimension)
    return environment.get_template("comparison.html").render(comparison=comparison, **shared)
