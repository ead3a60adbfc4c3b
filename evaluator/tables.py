"""A result as a person reads it on a terminal: degrees across, dimensions down, EWMA last."""

from collections.abc import Iterator

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from contract.results import Aggregate, Interval, Result, SettingScore, TaskScore

_WIDTH_OF_A_FILE = 200


def print_result(result: Result, console: Console | None = None) -> None:
    """Print the tables of a result to stdout."""
    console = console or Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH_OF_A_FILE, file=console.file)
    console.print(Group(*_parts(result)))


def _parts(result: Result) -> Iterator[Table | Text]:
    name = f"{result.model.name} on {result.benchmark.name} {result.benchmark.version}"
    yield Text(f"{name}, percent; average and worst side by side", style="bold")
    for task_name, task in result.tasks.items():
        for setting in _settings(task):
            yield _table(task_name, task, setting)
    yield _overall(result)
    for absent in result.absent:
        yield Text(f"absent: {absent}", style="yellow")
    yield Text(result.signature, style="dim")


def _settings(task: TaskScore) -> list[str]:
    return list(dict.fromkeys(setting for settings in task.dimensions.values() for setting in settings))


def _table(task_name: str, task: TaskScore, setting: str) -> Table:
    clean = f"clean {_percent(task.clean.accuracy)}{_interval(task.clean.ci)}"
    table = Table(
        title=f"{task_name}, {setting}: {clean} ({task.clean.n_samples} samples)", title_justify="left"
    )
    rows = {name: settings[setting] for name, settings in task.dimensions.items() if setting in settings}
    degrees = sorted({degree for score in rows.values() for degree in score.degrees}, key=_degree_order)
    table.add_column("dimension", no_wrap=True)
    for degree in degrees:
        table.add_column(degree, justify="right", no_wrap=True)
    table.add_column("EWMA average", justify="right", style="bold", no_wrap=True)
    table.add_column("EWMA worst", justify="right", style="bold", no_wrap=True)
    for name, score in rows.items():
        table.add_row(name, *(_degree(score, degree) for degree in degrees), *_ewma(score))
    return table


def _degree_order(degree: str) -> float:
    return -1.0 if degree == "any" else float(degree)


def _degree(score: SettingScore, degree: str) -> Text:
    """Return average and worst at a degree; dim where too few samples carry it to count."""
    if degree not in score.degrees:
        return Text("-", style="dim")
    at = score.degrees[degree]
    style = "" if degree in score.degrees_used else "dim"
    return Text(f"{_percent(at.average)} {_percent(at.worst):>5}", style=style)


def _ewma(score: SettingScore) -> tuple[str, str]:
    if score.average is None or score.worst is None:
        return "not scored", score.not_scored or ""
    return _aggregate(score.average), _aggregate(score.worst)


def _overall(result: Result) -> Text:
    if result.overall is None:
        reason = "partial, unranked" if result.absent else "no dimension could be scored"
        return Text(f"overall: none ({reason})", style="bold yellow")
    overall = result.overall
    return Text(
        f"overall: average {_aggregate(overall.average)}, worst {_aggregate(overall.worst)},"
        f" clean {_percent(overall.clean)}",
        style="bold green",
    )


def _aggregate(value: Aggregate) -> str:
    return f"{_percent(value.ewma)}{_interval(value.ci)}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f" [{_percent(interval[0])}, {_percent(interval[1])}]"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"
