"""Shows progress on stderr: bars with the time left on a terminal, plain lines elsewhere."""

import sys
from collections import Counter
from collections.abc import Mapping
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from contract.machine.forecast import Forecast, duration
from contract.machine.terminal import echo, new_console

if TYPE_CHECKING:
    from rich.progress import TaskID

# Without a terminal a long stage says where it is this often.
SECONDS_BETWEEN_LINES = 30.0
# Names of counted figures: questions asked, and those answered from the cache.
QUESTIONS, KNOWN = "questions", "known"
WHOLE = 1000


class Progress(Protocol):
    """Receives what a long piece of work is doing."""

    def expect(self, weights: Mapping[str, float]) -> None:
        """Announce the stages and about how long each takes, in any unit; forgets earlier stages."""

    def stage(self, name: str, total: int, n_done: int = 0, effort: float | None = None) -> None:
        """Start a stage of so many steps, some of them done before; effort: how long the rest takes."""

    def step(self, n: int = 1, effort: float | None = None) -> None:
        """Finish some steps of the stage, and this much of its effort where steps differ."""

    def count(self, figures: Mapping[str, int]) -> None:
        """Add to what the stage has made: cases, questions, and answers that were known."""

    def say(self, line: str) -> None:
        """Print a line."""


class Silence:
    """Progress that shows nothing."""

    def expect(self, weights: Mapping[str, float]) -> None:
        """Ignore the announced stages."""

    def stage(self, name: str, total: int, n_done: int = 0, effort: float | None = None) -> None:
        """Ignore the start of a stage."""

    def step(self, n: int = 1, effort: float | None = None) -> None:
        """Ignore finished steps."""

    def count(self, figures: Mapping[str, int]) -> None:
        """Ignore the figures."""

    def say(self, line: str) -> None:
        """Ignore the line."""


class Bars:
    """A bar for each stage and one for the whole; without a terminal, lines now and then."""

    def __init__(self) -> None:
        # rich takes longer to import than a small command takes to run.
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._console = new_console(stderr=True)
        self._is_terminal = sys.stderr.isatty()
        self._bars = RichProgress(
            # 79 columns together with "about 90 min left".
            TextColumn("{task.description:<20}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[state]:>11}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[figures]}"),
            console=self._console,
            disable=not self._is_terminal,
        )
        self._whole: TaskID | None = None
        self._task: TaskID | None = None
        self._name = ""
        self._total = self._n_before = self._n_done = 0
        self._figures: Counter[str] = Counter()
        self._forecast = Forecast()
        self._start = self._stage_start = self._last_line = monotonic()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def expect(self, weights: Mapping[str, float]) -> None:
        """Start the bar of the whole, or begin to count anew."""
        self._forecast = Forecast(weights)
        self._start = monotonic()
        if self._whole is None:
            self._whole = self._bars.add_task("all", total=WHOLE, state="", figures="")

    def stage(self, name: str, total: int, n_done: int = 0, effort: float | None = None) -> None:
        """Start a bar."""
        self._name, self._total, self._n_before, self._n_done = name, total, n_done, 0
        self._figures.clear()
        self._stage_start = self._last_line = monotonic()
        self._forecast.start(name, total, n_done, effort)
        self._task = self._bars.add_task(name, total=max(1, total), state="", figures="")
        self._show()

    def step(self, n: int = 1, effort: float | None = None) -> None:
        """Move the bars."""
        if self._task is None or n == 0:
            return
        self._n_done += n
        self._forecast.step(self._name, n, effort)
        self._show()

    def count(self, figures: Mapping[str, int]) -> None:
        """Add to the figures beside the bar; they are shown with the next step."""
        self._figures.update(figures)

    def say(self, line: str) -> None:
        """Print a line above the bars."""
        if self._is_terminal:
            self._bars.print(line, highlight=False, markup=False)
        else:
            echo(line, err=True)

    def _show(self) -> None:
        n_done = self._n_before + self._n_done
        is_done = n_done >= self._total
        now = monotonic()
        seconds = now - self._stage_start
        left = self._forecast.seconds_left(now - self._start)
        if self._is_terminal and self._task is not None:
            shown = max(1, self._total) if is_done else n_done
            figures = self._rates(seconds)
            if self._whole is not None:
                share = self._forecast.done
                rest = _left(left if share < 1 else None)
                self._bars.update(self._whole, completed=share * WHOLE, state=f"{share:.0%}", figures=rest)
            elif self._n_done and not is_done:
                figures = _left(seconds / self._n_done * (self._total - n_done))
            self._bars.update(self._task, completed=shown, state=f"{n_done}/{self._total}", figures=figures)
        elif is_done or now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            parts = [f"{self._name}: {n_done} of {self._total}"]
            parts += [f"{self._n_before} done before"] * (self._n_before > 0)
            parts += [f"{duration(seconds)}"] * (seconds >= 1)
            parts += filter(None, [self._rates(seconds)])
            if left is not None and not is_done:
                parts.append(f"{_left(left)} in all")
            self.say(", ".join(parts))

    def _rates(self, seconds: float) -> str:
        """Return the stage's figures, each with its rate, and the share of answers from the cache."""
        figures = [
            f"{n:,} {name} ({n / max(seconds, 1e-3):,.0f}/s)"
            for name, n in self._figures.items()
            if name != KNOWN and n
        ]
        if self._figures[QUESTIONS] and KNOWN in self._figures:
            figures.append(f"{self._figures[KNOWN] / self._figures[QUESTIONS]:.0%} of answers {KNOWN}")
        return ", ".join(figures)


def _left(seconds: float | None) -> str:
    return "" if seconds is None else f"about {duration(seconds)} left"
