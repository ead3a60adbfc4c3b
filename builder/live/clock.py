"""The time of an audit: how much is left for attacks, and when they must end."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from builder.live.model import OutOfTimeError


@dataclass(kw_only=True)
class Clock:
    """Counts down from the start of the command; without a budget it never ends."""

    budget_seconds: float | None
    started: float = field(default_factory=time.monotonic)
    # Rows made so far, and how long the model takes for one: all of them are predicted at the end.
    n_rows: int = 0
    seconds_a_row: Callable[[], float] = lambda: 0.0
    # By dimension and setting, how long a sample took last.
    pace: dict[tuple[str, str], float] = field(default_factory=dict)

    def left(self) -> float:
        """Return the seconds left for attacks."""
        if self.budget_seconds is None:
            return float("inf")
        return self.budget_seconds - (time.monotonic() - self.started) - self.n_rows * self.seconds_a_row()

    def check(self) -> None:
        """Raise an error when the time is over."""
        if self.left() <= 0:
            raise OutOfTimeError

    def check_for(self, dimension: str, setting: str, n_samples: int) -> None:
        """Raise an error when a unit would not end in time, as far as earlier ones tell."""
        if self.left() <= self.pace.get((dimension, setting), 0.0) * n_samples:
            raise OutOfTimeError

    def note(self, dimension: str, setting: str, *, n_samples: int, seconds: float) -> None:
        """Remember how long a unit took."""
        self.pace[dimension, setting] = seconds / n_samples
