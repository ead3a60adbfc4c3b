"""Turns results into entries: their order, their status, and both ranges of ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contract.schema.leaderboards import Entry
from contract.schema.results import Result
from leaderboard.board.ranking import Rank, rank_ranges, ranks_without_families

Status = Literal["ranked", "partial", "surrogate", "no-skill"]


@dataclass(frozen=True, kw_only=True)
class FoundResult:
    """A result and the path of its file, relative to the results folder."""

    path: str
    result: Result


def entries_of(found: Sequence[FoundResult]) -> tuple[Entry, ...]:
    """Return the entries by robustness, equal ones by name; without skill, then partial, come last."""
    ordered = sorted(found, key=_sort_key)
    ranked = [item for item in ordered if status_of(item.result) == "ranked"]
    results = [item.result for item in ranked]
    paths = [item.path for item in ranked]
    ranks: dict[str, Rank] = dict(zip(paths, rank_ranges(results), strict=True))
    without: dict[str, Rank | None] = dict(zip(paths, ranks_without_families(results), strict=True))
    return tuple(
        Entry(
            rank=ranks.get(item.path),
            rank_without_families=without.get(item.path),
            status=status_of(item.result),
            path=item.path,
            result=item.result,
        )
        for item in ordered
    )


def status_of(result: Result) -> Status:
    """Return `ranked`, or why the result has no rank: partial, without skill, or of a surrogate."""
    if result.overall is None:
        return "partial"
    if not has_skill(result):
        return "no-skill"
    return "surrogate" if result.model.is_surrogate_family else "ranked"


def has_skill(result: Result) -> bool:
    """Return whether no task shows a model that is not better than guessing on clean texts."""
    return not any(task.clean is not None and task.clean.has_skill is False for task in result.tasks.values())


def _sort_key(item: FoundResult) -> tuple[int, float, str, str, str]:
    model = item.result.model
    overall = item.result.overall
    score = 0.0 if overall is None else overall.score.ewma
    last = {"no-skill": 1, "partial": 2}.get(status_of(item.result), 0)
    return (last, -score, model.name.casefold(), model.name, item.path)
