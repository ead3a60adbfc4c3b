"""Estimates how far a piece of work is and how long the rest takes, from the weight of each stage."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(slots=True)
class _Stage:
    todo: float
    done: float = 0.0


class Forecast:
    """Counts the work of this run only: work done before took no time and says nothing about the rest."""

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        # About how long each stage takes when nothing was done before, in any unit.
        self._weights = dict(weights or {})
        self._shares = dict(self._weights)
        self._stages: dict[str, _Stage] = {}

    def start(self, name: str, total: int, n_done: int, effort: float | None = None) -> None:
        """Start a stage of which some was done before; what is left may say how long it takes."""
        self._stages[name] = _Stage(todo=total - n_done if effort is None else effort)
        if name in self._weights:
            rest = self._weights[name] * (total - n_done) / max(1, total)
            self._shares[name] = rest if effort is None else effort

    def step(self, name: str, n: int, effort: float | None = None) -> None:
        """Finish some of a stage; where its steps differ, this much of its effort."""
        self._stages[name].done += n if effort is None else effort

    @property
    def done(self) -> float:
        """The share of the whole that is done, from 0 to 1."""
        whole = sum(self._shares.values())
        done = sum(
            share * self._share_done(name) for name, share in self._shares.items() if name in self._stages
        )
        return done / whole if whole else 0.0

    def seconds_left(self, seconds: float) -> float | None:
        """Return how long the rest will take if it goes on as in the seconds since the start."""
        done = self.done
        return seconds / done * (1 - done) if done else None

    def _share_done(self, name: str) -> float:
        stage = self._stages[name]
        return min(1.0, stage.done / stage.todo) if stage.todo else 1.0


def duration(seconds: float) -> str:
    """Return a time in words, such as 40 s, 12 min or 2.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
