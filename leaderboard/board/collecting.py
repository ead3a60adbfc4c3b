"""Collects the results in a folder into one leaderboard; refuses results that cannot be compared."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from contract.machine.errors import UserError, bad_input, bad_inputs
from contract.machine.json_text import parsed_json
from contract.release.release import Release
from contract.schema.audits import AuditedRelease
from contract.schema.leaderboards import Leaderboard, LeaderboardDimension
from contract.schema.manifest import Manifest
from contract.schema.results import AUDIT_REFUSED, BenchmarkInfo, Result, ScoreSettings
from leaderboard.board.entries import FoundResult, entries_of
from leaderboard.board.result_keys import keys_of_release, keys_of_result
from leaderboard.text.untrusted_text import visible

RESULT_NAME = "result.json"
MOST_BYTES = 20_000_000
MOST_NAMED = 3
# As reports call the version of an audit.
AUDIT = "audit"

Item = TypeVar("Item")
Purpose = Literal["leaderboard", "report"]


@dataclass(frozen=True, kw_only=True)
class FoundResults:
    """The results in a folder, and the paths of its JSON files that are not results."""

    results: tuple[FoundResult, ...]
    ignored: tuple[str, ...]


def collect(results_dir: Path, *, release_dir: Path | None = None) -> Leaderboard:
    """Return the leaderboard of all results under a folder; with a release, all must be of that release."""
    return collect_found(find_results(results_dir), release_dir=release_dir)


def find_results(results_dir: Path) -> FoundResults:
    """Return every result under a folder, sorted by path; raise one error that lists all unreadable files."""
    if not results_dir.is_dir():
        raise bad_input(f"{results_dir}: there is no such folder; give the folder that holds the results")
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
    """Return the leaderboard of these results; `purpose` is used in error messages and for checks."""
    release = None if release_dir is None else Release.open(release_dir)
    audits = [item for item in found.results if item.result.audit is not None]
    if audits and purpose == "leaderboard":
        raise bad_inputs([f"{item.path}: {AUDIT_REFUSED}" for item in audits])
    benchmark = _expected_benchmark(found.results, release)
    settings = _most_common(item.result.settings for item in found.results)
    problems = [
        *_problems_of_benchmark(found.results, benchmark, purpose),
        *_problems_of_settings(found.results, settings),
        *_problems_of_identity(found.results),
    ]
    # A leaderboard holds files from unknown submitters; a report is made from the reader's own results.
    if release is not None and purpose == "leaderboard":
        problems += _problems_of_keys(found.results, release.manifest)
    if problems:
        raise bad_inputs(problems)
    results = [item.result for item in found.results]
    return Leaderboard(
        benchmark=benchmark,
        settings=settings,
        dimensions=_dimensions_of(results, None if release is None else release.manifest),
        entries=entries_of(found.results),
    )


def _json_paths(folder: Path) -> list[Path]:
    """Return the JSON files under a folder, without hidden files and hidden folders."""
    paths = [
        path
        for path in folder.rglob("*.json")
        if path.is_file() and not any(name.startswith(".") for name in path.relative_to(folder).parts)
    ]
    return sorted(paths, key=lambda path: path.relative_to(folder).as_posix())


def read_result(path: Path) -> Result:
    """Return the result in a file; a file that is too large or nested too deeply is an error."""
    n_bytes = path.stat().st_size if path.is_file() else 0
    if n_bytes > MOST_BYTES:
        raise bad_input(f"{path}: {n_bytes:,} bytes is too large for a result, at most {MOST_BYTES:,}")
    return Result.read(path)


def _read_if_result(path: Path) -> Result | None:
    """Return the result in a file, or None if the file is JSON of another kind."""
    if path.name != RESULT_NAME and path.stat().st_size <= MOST_BYTES:
        try:
            raw = parsed_json(path.read_text(encoding="utf-8"))
        except ValueError:
            raw = None
            # The file may be a damaged result: read_result below raises an error that says what is wrong.
        else:
            schema = raw.get("schema") if isinstance(raw, dict) else None
            if not (isinstance(schema, str) and schema.startswith("hardfrost/result/")):
                return None
    return read_result(path)


def _expected_benchmark(found: Sequence[FoundResult], release: Release | None) -> BenchmarkInfo:
    """Return the release as results name it, or the benchmark that most results name."""
    if release is None:
        return _most_common(_benchmark_of(item.result.scored_release) for item in found)
    if release.manifest.audit is not None:
        audited = AuditedRelease(
            **release.manifest.audit.model_dump(), manifest_sha256=release.manifest_sha256
        )
        return _benchmark_of(audited)
    return BenchmarkInfo(
        name=release.manifest.name,
        version=release.manifest.version,
        manifest_sha256=release.manifest_sha256,
    )


def _most_common(values: Iterable[Item]) -> Item:
    """Return the value that occurs most often; of several, the first."""
    return Counter(values).most_common(1)[0][0]


def _problems_of_benchmark(
    found: Sequence[FoundResult], expected: BenchmarkInfo, purpose: Purpose
) -> list[str]:
    """Return a message for each result of another benchmark, version or manifest."""
    scored = {item.path: _benchmark_of(item.result.scored_release) for item in found}
    return [
        f"{path}: scored on {_describe(benchmark)}, but this {purpose} is of"
        f" {_describe(expected)}; score its predictions again on that release, or leave the file out"
        for path, benchmark in scored.items()
        if benchmark != expected
    ]


def _benchmark_of(scored: BenchmarkInfo | AuditedRelease) -> BenchmarkInfo:
    """Return what reports call the release of a result; that of an audit is called after its data."""
    if isinstance(scored, BenchmarkInfo):
        return scored
    return BenchmarkInfo(name=scored.data, version=AUDIT, manifest_sha256=scored.manifest_sha256)


def _describe(benchmark: BenchmarkInfo) -> str:
    return f"{benchmark.name} {benchmark.version} (manifest {benchmark.manifest_sha256[:12]})"


def _problems_of_settings(found: Sequence[FoundResult], expected: ScoreSettings) -> list[str]:
    """Return a message for each result that was scored with other settings."""
    problems = []
    for item in found:
        settings = item.result.settings
        if settings != expected:
            differences = ", ".join(
                f"{name} {getattr(settings, name)} instead of {getattr(expected, name)}"
                for name in ScoreSettings.model_fields
                if getattr(settings, name) != getattr(expected, name)
            )
            problems.append(
                f"{item.path}: scored with other settings ({differences});"
                " score its predictions again with the same settings as the others"
            )
    return problems


def _problems_of_keys(found: Sequence[FoundResult], manifest: Manifest) -> list[str]:
    """Return a message for each result with scores that the release has no cases for."""
    expected = keys_of_release(manifest)
    problems = []
    for item in found:
        unknown = [key for key in keys_of_result(item.result) if key not in expected]
        if unknown:
            named = ", ".join(repr(visible("/".join(key), 120)) for key in unknown[:MOST_NAMED])
            more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
            problems.append(
                f"{item.path}: has scores for {named}{more}, but {manifest.name} {manifest.version} has no"
                " such cases; expected only its tasks, dimensions, settings and degrees; score its"
                " predictions again with `hardfrost score`, or leave the file out"
            )
    return problems


def _problems_of_identity(found: Sequence[FoundResult]) -> list[str]:
    """Return a message for each second result of the same model revision."""
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
    """Return the dimensions in the manifest's order; without a manifest, as in the results, without tags."""
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
