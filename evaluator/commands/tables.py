"""A result as a person reads it on a terminal: degrees across, dimensions down, EWMA last."""

from collections.abc import Iterator

from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from contract.schema.results import Aggregate, CleanScore, Interval, Result, SettingScore, TaskScore
from evaluator.comparing.comparing import Comparison
from evaluator.scoring.advglue import PREFIX

_WIDTH_OF_A_FILE = 200


def print_result(result: Result) -> None:
    """Print the tables of a result to stdout."""
    _console().print(Group(*_parts(result)))


def print_comparison(comparison: Comparison) -> None:
    """Print the tests of a comparison to stdout."""
    _console().print(_differences(comparison), _outcomes(comparison))


def _console() -> Console:
    """Return stdout: as wide as the terminal, or wide enough for any table where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH_OF_A_FILE)


def _parts(result: Result) -> Iterator[Table | Text]:
    name = f"{result.model.name} on {result.benchmark.name} {result.benchmark.version}"
    yield Text(f"{name}, percent; average and worst side by side", style="bold")
    for task_name, task in result.tasks.items():
        for setting in _settings(task):
            yield _table(task_name, task, setting)
    yield from _advglue(result)
    yield _overall(result)
    own = result.without_own_family
    if own is not None and own.average is not None and own.worst is not None:
        text = f"without {own.n_dropped:,} cases made against its family ({', '.join(own.sources)})"
        yield Text(f"{text}: average {_percent(own.average)}, worst {_percent(own.worst)}")
    for absent in result.absent:
        yield Text(f"absent: {absent}", style="yellow")
    yield Text(result.signature, style="dim")


def _settings(task: TaskScore) -> list[str]:
    return list(dict.fromkeys(setting for settings in task.dimensions.values() for setting in settings))


def _table(task_name: str, task: TaskScore, setting: str) -> Table:
    table = Table(title=f"{task_name}, {setting}: {_clean(task.clean)}", title_justify="left")
    rows = {name: settings[setting] for name, settings in task.dimensions.items() if setting in settings}
    degrees = sorted({degree for score in rows.values() for degree in score.degrees}, key=_degree_order)
    table.add_column("dimension", no_wrap=True)
    for degree in degrees:
        # On a narrow terminal the two wrap: average above worst.
        table.add_column(degree, justify="right")
    table.add_column("EWMA average", justify="right", style="bold")
    table.add_column("EWMA worst", justify="right", style="bold")
    for name, score in rows.items():
        table.add_row(name, *(_degree(score, degree) for degree in degrees), *_ewma(score))
    return table


def _clean(score: CleanScore | None) -> str:
    if score is None:
        return "without clean predictions"
    return f"clean {_percent(score.accuracy)}{_interval(score.ci)} ({score.n_samples} samples)"


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


def _advglue(result: Result) -> Iterator[Table]:
    """Yield AdvGLUE's own figures, if the release is AdvGLUE's and every row was answered."""
    figures = {
        name.removeprefix(f"{PREFIX}/"): value
        for name, value in result.measurements.items()
        if name.startswith(f"{PREFIX}/") and isinstance(value, float)
    }
    if not figures:
        return
    low, high, average = (figures.pop(name, None) for name in ("average/low", "average/high", "average"))
    table = Table(title="AdvGLUE's average, over rows, percent", title_justify="left")
    for name in figures:
        table.add_column(name.removesuffix("/accuracy").replace("/f1", " F1"), justify="right")
    table.add_column("average", justify="right", style="bold")
    interval = None if low is None or high is None else (low, high)
    cells = [_percent(value) for value in figures.values()]
    table.add_row(*cells, "-" if average is None else f"{_percent(average)}{_interval(interval)}")
    yield table


def _overall(result: Result) -> Text:
    if result.overall is None:
        reason = "partial, unranked" if result.absent else "no dimension could be scored"
        return Text(f"overall: none ({reason})", style="bold yellow")
    overall = result.overall
    return Text(
        f"overall: average {_aggregate(overall.average)}, worst {_aggregate(overall.worst)}"
        + ("" if overall.clean is None else f", clean {_percent(overall.clean)}"),
        style="bold green",
    )


def _aggregate(value: Aggregate) -> str:
    return f"{_percent(value.ewma)}{_interval(value.ci)}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f" [{_percent(interval[0])}, {_percent(interval[1])}]"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _differences(comparison: Comparison) -> Table:
    # Names of files are not markup, whatever brackets they hold.
    first, second = escape(comparison.first.name), escape(comparison.second.name)
    draws = f"paired bootstrap, {comparison.settings.resamples:,} draws"
    table = Table(title=f"{first} minus {second}, percent; {draws}", title_justify="left")
    table.add_column("score", no_wrap=True)
    for name in ("", first, second, "difference", "interval", "p", "p (Holm)"):
        table.add_column(name, justify="right")
    for row in comparison.differences:
        interval = f"[{100 * row.ci[0]:+.1f}, {100 * row.ci[1]:+.1f}]"
        holm = "" if row.p_holm is None else f"{row.p_holm:.3f}"
        figures = (_percent(row.first), _percent(row.second), f"{100 * row.difference:+.1f}", interval)
        table.add_row(row.what, row.figure, *figures, f"{row.p:.3f}", holm)
    return table


def _outcomes(comparison: Comparison) -> Table:
    table = Table(title="McNemar's exact test, one outcome a sample", title_justify="left")
    table.add_column("outcome", no_wrap=True)
    for name in ("", "both", "only first", "only second", "neither", "p"):
        table.add_column(name, justify="right")
    for row in comparison.outcomes:
        counts = (row.n_both, row.n_only_first, row.n_only_second, row.n_neither)
        table.add_row(row.what, row.outcome, *map(str, counts), f"{row.p:.3f}")
    return table
