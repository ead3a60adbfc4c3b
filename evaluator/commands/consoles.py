"""Where tables are printed, and how figures are written in them."""

from rich.console import Console

from contract.machine.terminal import new_console
from contract.schema.results import Aggregate, Interval

_WIDTH_OF_A_RESULT = 80


def result_console() -> Console:
    """Return stdout: as wide as the terminal, or as wide as the tables of a result where there is none."""
    console = new_console()
    return console if console.is_terminal else new_console(width=_WIDTH_OF_A_RESULT)


def percent(value: float) -> str:
    """Return a share in percent."""
    return f"{100 * value:.1f}"


def interval_text(interval: Interval | None) -> str:
    """Return an interval in percent after a figure; nothing without one."""
    return "" if interval is None else f" [{percent(interval[0])}, {percent(interval[1])}]"


def aggregate_text(value: Aggregate) -> str:
    """Return a final score with its interval."""
    return f"{percent(value.ewma)}{interval_text(value.ci)}"
