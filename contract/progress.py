"""Progress for people: a bar a stage on a terminal, plain lines elsewhere, always on stderr."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from rich.progress import TaskID


class Progress(Protocol):
    """Is told what a long piece of work is doing."""

    def stage(self, name: str, total: int) -> None:
        """Start a stage of so many steps."""

    def step(self, n: int = 1) -> None:
        """Finish some steps of the stage."""


class Silence:
    """Progress for those who do not look."""

    def stage(self, name: str, total: int) -> None:
        """Say nothing."""

    def step(self, n: int = 1) -> None:
        """Say nothing."""


class Bars:
    """A bar for each stage with the time left; without a terminal, a line when each stage is done."""

    def __init__(self) -> None:
        # rich costs more than the rest of a small command; it is imported by those who show something.
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        self._console = Console(stderr=True)
        self._is_terminal = sys.stderr.isatty()
        self._bars = RichProgress(
            TextColumn("{task.description:<22}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=self._console,
            disable=not self._is_terminal,
        )
        self._task: TaskID | None = None
        self._name = ""
        self._total = self._done = 0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def stage(self, name: str, total: int) -> None:
        """Start a bar."""
        self._name, self._total, self._done = name, total, 0
        self._task = self._bars.add_task(name, total=total)
        self._say_when_done()

    def step(self, n: int = 1) -> None:
        """Move the bar."""
        if self._task is None or n == 0:
            return
        self._done += n
        self._bars.advance(self._task, n)
        self._say_when_done()

    def _say_when_done(self) -> None:
        if not self._is_terminal and self._done >= self._total:
            print(f"{self._name}: {self._done} of {self._total}", file=sys.stderr)  # noqa: T201
