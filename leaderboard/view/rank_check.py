"""What `python -m benchmarks.ranks` has found: whether the headline orders models as direct attacks do."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from leaderboard.text.formatting import NO_FIGURE

# Written by `python -m benchmarks.ranks --keep`.
KEPT_PATH = Path(__file__).parent / "rank_check.json"


@dataclass(frozen=True, kw_only=True)
class RankCheck:
    """The table of the figures, and the tasks and models that they are from."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    scope: str


Task = Mapping[str, Any]
# What is asked, and how the answer for a task is shown.
QUESTIONS: Mapping[str, Callable[[Task], str]] = {
    "robustness, the headline, with the accuracy that models keep under direct attacks": lambda own: (
        _interval(own["live"])
    ),
    "average, which stands beside it, with the same": lambda own: _interval(own["live_of_average"]),
    "clean accuracy with the same": lambda own: _tau(own["live_of_clean"]),
    "the best figure of version 1 with the same": lambda own: _tau(own["live_of_version_1"]),
    "robustness with TextAttack's DeepWordBug and PWWS": lambda own: _interval(own["independent"]),
    "direct attacks with TextAttack's, which bounds what any figure can have with both": lambda own: _tau(
        own.get("live_with_independent")
    ),
    "direct attacks on one half of the samples with those on the other half": lambda own: _tau(
        own.get("halves_of_live")
    ),
    "robustness with direct attacks, models within 3 points of clean accuracy": lambda own: _interval(
        own["near"]
    ),
    "ranks with any one surrogate's attempts left out, at least": lambda own: _tau(
        own["lowest_without_surrogate"]
    ),
    "(no τ) defended models above their twins": lambda own: _pairs(own["n_pairs_above"], own["n_pairs"]),
}


def rank_check() -> RankCheck:
    """Return the kept figures: a column for each task, a row for each question."""
    tasks = _tasks()
    return RankCheck(
        columns=("Kendall τ of", *(own["task"] for own in tasks)),
        rows=tuple((name, *(figure(own) for own in tasks)) for name, figure in QUESTIONS.items()),
        scope="; ".join(
            f"{own['task']}: {own['n_models']} models that no surrogate of the build is, {own['n_samples']}"
            f" samples, {own['n_cases']:,} frozen cases"
            for own in tasks
        ),
    )


def rank_check_sentence() -> str:
    """Return the τ of the headline and of clean accuracy with what models keep under direct attacks."""
    figures = "; ".join(
        f"{_interval(own['live'])} on {own['task']} ({own['n_models']} models; clean accuracy"
        f" {_tau(own['live_of_clean'])})"
        for own in _tasks()
    )
    return f"Its Kendall τ with what models keep under direct attacks: {figures}."


@lru_cache(maxsize=1)
def _tasks() -> Sequence[Task]:
    tasks: list[Task] = json.loads(KEPT_PATH.read_text(encoding="utf-8"))["tasks"]
    return tasks


# A figure is null where no run has measured it since the headline changed.


def _tau(value: float | None) -> str:
    return NO_FIGURE if value is None else f"{value:.2f}"


def _interval(figures: tuple[float, float | None, float | None] | None) -> str:
    if figures is None:
        return NO_FIGURE
    value, low, high = figures
    return _tau(value) if low is None or high is None else f"{_tau(value)} ({_tau(low)} to {_tau(high)})"


def _pairs(n_above: int | None, n_pairs: int) -> str:
    return NO_FIGURE if n_above is None else f"{n_above} of {n_pairs}"
