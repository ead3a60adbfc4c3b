"""Collects the results in a folder into one leaderboard, or says why they do not belong together."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from contract.machine.errors import UserError, bad_input, bad_inputs
from contract.release.release import Release
from contract.schema.leaderboards import Entry, Leaderboard, LeaderboardDimension
from contract.schema.manifest import Manifest
from contract.schema.results import BenchmarkInfo, Result, ScoreSettings
from leaderboard.board.ranking import Rank, rank_ranges
from leaderboard.board.result_keys import parts_of_release, parts_of_result
from leaderboard.text.untrusted_text import visible

RESULT_NAME = "result.json"
MOST_BYTES = 20_000_000
MOST_NAMED = 3

Item = TypeVar("Item")
Purpose = Literal["leaderboard", "report"]
Status = Literal["ranked", "partial", "surrogate", "no-skill"]


@dataclass(frozen=True, kw_only=True)
class FoundResult:
    """A result and the file it stands in, relative to the results folder."""

    path: str
    result: Result


@dataclass(frozen=True, kw_only=True)
class FoundResults:
    """The results of a folder, and the JSON files in it that are something else."""

    results: tuple[FoundResult, ...]
    ignored: tuple[str, ...]


def collect(results_dir: Path, *, release_dir: Path | None = None) -> Leaderboard:
    """Return the leaderboard of all results under a folder; with a release, of that release only."""
    return collect_found(find_results(results_dir), release_dir=release_dir)


def find_results(results_dir: Path) -> FoundResults:
    """Return every result under a folder in the order of paths; all unreadable ones are named together."""
    if not results_dir.is_dir():
        raise bad_input(f"{results_dir}: there is no such folder; give the one that holds the results")
    results: list[FoundResult] = []
    ignored: list[str] = []
    problems: list[str] = []
    for path in _json_paths(results_dir):
        relative = path.relative_to(results_dir).as_posix()
        try:
            result = _read_if_result(path)
        except UserError as error:
            problems.append(error.message)
            continue
        if result is None:
            ignored.append(relative)
        else:
            results.append(FoundResult(path=relative, result=result))
    if problems:
        raise bad_inputs(problems)
    if not results:
        raise bad_input(
            f"{results_dir}: holds no result; expected"
            f" {{organisation}}__{{model}}/{{revision}}/{RESULT_NAME} as `hardfrost score` writes it"
        )
    return FoundResults(results=tuple(results), ignored=tuple(ignored))


def collect_found(
    found: FoundResults, *, release_dir: Path | None = None, purpose: Purpose = "leaderboard"
) -> Leaderboard:
    """Return the leaderboard of the results that were found; refusals say what they were wanted for."""
    release = None if release_dir is None else Release.open(release_dir)
    benchmark = _expected_benchmark(found.results, release)
    settings = _most_common(item.result.settings for item in found.results)
    problems = [
        *_problems_of_benchmark(found.results, benchmark, purpose),
        *_problems_of_settings(found.results, settings),
        *_problems_of_identity(found.results),
    ]
    # A leaderboard takes files of strangers; a report is read by whoever brought its results.
    if release is not None and purpose == "leaderboard":
        problems += _problems_of_parts(found.results, release.manifest)
    if problems:
        raise bad_inputs(problems)
    results = [item.result for item in found.results]
    return Leaderboard(
        benchmark=benchmark,
        settings=settings,
        dimensions=_dimensions_of(results, None if release is None else release.manifest),
        entries=_entries_of(found.results),
    )


def _json_paths(folder: Path) -> list[Path]:
    """Return the JSON files of a tree; hidden files and folders are not looked into."""
    paths = [
        path
        for path in folder.rglob("*.json")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    return sorted(paths, key=lambda path: path.relative_to(folder).as_posix())


def read_result(path: Path) -> Result:
    """Return the result in a file of bearable size."""
    n_bytes = path.stat().st_size if path.is_file() else 0
    if n_bytes > MOST_BYTES:
        raise bad_input(f"{path}: {n_bytes:,} bytes is too large for a result, at most {MOST_BYTES:,}")
    try:
        return Result.read(path)
    except RecursionError:
        raise bad_input(f"{path}: nested too deeply for a result; was the file made by hand?") from None


def _read_if_result(path: Path) -> Result | None:
    """Return the result in a file, or nothing when the file is JSON of another kind."""
    if path.name != RESULT_NAME and path.stat().st_size <= MOST_BYTES:
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            raw = None
            # What cannot be read as JSON may be a cut result: the reading below says what is wrong.
        else:
            schema = raw.get("schema") if isinstance(raw, dict) else None
            if not (isinstance(schema, str) and schema.startswith("hardfrost/result/")):
                return None
    return read_result(path)


def _expected_benchmark(found: Sequence[FoundResult], release: Release | None) -> BenchmarkInfo:
    """Return the release's identity, or the one that most results name."""
    if release is None:
        return _most_common(item.result.benchmark for item in found)
    return BenchmarkInfo(
        name=release.manifest.name,
        version=release.manifest.version,
        manifest_sha256=release.manifest_sha256,
    )


def _most_common(values: Iterable[Item]) -> Item:
    """Return the value that occurs most often, the first of them when several do."""
    return Counter(values).most_common(1)[0][0]


def _problems_of_benchmark(
    found: Sequence[FoundResult], expected: BenchmarkInfo, purpose: Purpose
) -> list[str]:
    """Return a line for each result of another benchmark, version or manifest."""
    return [
        f"{item.path}: scored on {_describe(item.result.benchmark)}, but this {purpose} is of"
        f" {_describe(expected)}; score its predictions again on that release, or leave the file out"
        for item in found
        if item.result.benchmark != expected
    ]


def _describe(benchmark: BenchmarkInfo) -> str:
    return f"{benchmark.name} {benchmark.version} (manifest {benchmark.manifest_sha256[:12]})"


def _problems_of_settings(found: Sequence[FoundResult], expected: ScoreSettings) -> list[str]:
    """Return a line for each result whose score was computed in another way."""
    problems = []
    for item in found:
        theirs = item.result.settings
        if theirs != expected:
            differences = ", ".join(
                f"{name} {getattr(theirs, name)} instead of {getattr(expected, name)}"
                for name in ScoreSettings.model_fields
                if getattr(theirs, name) != getattr(expected, name)
            )
            problems.append(
                f"{item.path}: scored with other settings ({differences});"
                " score its predictions again with the same settings as the others"
            )
    return problems


def _problems_of_parts(found: Sequence[FoundResult], manifest: Manifest) -> list[str]:
    """Return a line for each result with scores for parts that the release does not have."""
    known = parts_of_release(manifest)
    problems = []
    for item in found:
        strange = [part for part in parts_of_result(item.result) if part not in known]
        if strange:
            named = ", ".join(repr(visible("/".join(part), 120)) for part in strange[:MOST_NAMED])
            more = f" and {len(strange) - MOST_NAMED} more" if len(strange) > MOST_NAMED else ""
            problems.append(
                f"{item.path}: has scores for {named}{more}, which {manifest.name} {manifest.version} has"
                " not; expected only its tasks, dimensions, settings and degrees; score its predictions"
                " again with `hardfrost score`, or leave the file out"
            )
    return problems


def _problems_of_identity(found: Sequence[FoundResult]) -> list[str]:
    """Return a line for each model revision that has a second result."""
    first_paths: dict[tuple[str | None, ...], str] = {}
    problems = []
    for item in found:
        model = item.result.model
        identity = (model.organisation, model.name, model.revision)
        first = first_paths.setdefault(identity, item.path)
        if first != item.path:
            problems.append(
                f"{item.path}: the same organisation, model and revision as {first};"
                " remove one, or give them different revisions"
            )
    return problems


def _dimensions_of(results: Sequence[Result], manifest: Manifest | None) -> tuple[LeaderboardDimension, ...]:
    """Return the columns in the manifest's order, or in that of the results, where tags are unknown."""
    if manifest is not None:
        infos = sorted(manifest.dimensions, key=lambda info: info.order)
        return tuple(LeaderboardDimension(name=info.name, tag=info.tag) for info in infos)
    names = [
        name
        for result in results
        for names in [result.overall.dimensions if result.overall else {}]
        + [task.dimensions for task in result.tasks.values()]
        for name in names
    ]
    return tuple(LeaderboardDimension(name=name) for name in dict.fromkeys(names))


def _entries_of(found: Sequence[FoundResult]) -> tuple[Entry, ...]:
    """Return the entries by overall score, equal scores by name, partial ones at the end."""
    ordered = sorted(found, key=_sort_key)
    ranked = [item for item in ordered if _status_of(item.result) == "ranked"]
    ranges = rank_ranges([item.result for item in ranked])
    ranks: dict[str, Rank] = {item.path: rank for item, rank in zip(ranked, ranges, strict=True)}
    return tuple(
        Entry(
            rank=ranks.get(item.path),
            status=_status_of(item.result),
            path=item.path,
            result=item.result,
        )
        for item in ordered
    )


def _status_of(result: Result) -> Status:
    """Return whether the result competes: it is whole, no relative of a surrogate, and not without skill."""
    if result.overall is None:
        return "partial"
    if result.model.is_surrogate_family:
        return "surrogate"
    return "ranked" if _has_skill(result) else "no-skill"


def _has_skill(result: Result) -> bool:
    """Whether a model beats the best constant answer on clean texts, in some task.

    Whoever always says the same is never fooled, and would lead wherever attacks succeed more than half.
    """
    clean = [task.clean for task in result.tasks.values() if task.clean is not None]
    known = [score for score in clean if score.best_constant is not None]
    return not known or any(score.accuracy > (score.best_constant or 0) for score in known)


def _sort_key(item: FoundResult) -> tuple[bool, float, str, str, str]:
    model = item.result.model
    overall = item.result.overall
    score = 0.0 if overall is None else overall.average.ewma
    return (overall is None, -score, model.name.casefold(), model.name, item.path)
