"""A result as a person reads it on a terminal: degrees across, dimensions down, EWMA last."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from contract.machine.terminal import new_console
from contract.schema.figures import (
    NamedFigure,
    degree_metrics,
    figure_of,
    further_figures,
    metrics_of,
)
from contract.schema.metrics import MetricInfo
from contract.schema.names import KEY_WITHOUT_DEGREE
from contract.schema.results import Aggregate, CleanScore, Interval, Result, SettingScore, TaskScore
from evaluator.comparing.comparing import Comparison
from evaluator.metrics.advglue_average import PREFIX

_WIDTH_OF_A_FILE = 200


def print_result(result: Result) -> None:
    """Print the tables of a result to stdout."""
    _console().print(Group(*_parts(result)))


def print_comparison(comparison: Comparison) -> None:
    """Print the tests of a comparison to stdout."""
    _console().print(_differences(comparison), _outcomes(comparison))


def _console() -> Console:
    """Return stdout: as wide as the terminal, or wide enough for any table where there is none."""
    console = new_console()
    return console if console.is_terminal else new_console(width=_WIDTH_OF_A_FILE)


def _parts(result: Result) -> Iterator[Table | Text]:
    infos = [info for info in metrics_of([result]) if info.in_terminal]
    at_degrees = degree_metrics(result, infos)
    name = f"{result.model.name} on {result.benchmark.name} {result.benchmark.version}"
    yield Text(f"{name}, percent; {_listed(at_degrees)} side by side", style="bold")
    for task_name, task in result.tasks.items():
        for setting in _settings(task):
            yield _table(task_name, task, setting, infos, at_degrees)
    yield from _measurements(result)
    yield _overall(result, infos)
    own = result.without_own_family
    if own is not None and own.average is not None and own.worst is not None:
        text = f"without {own.n_dropped:,} cases made against its family ({', '.join(own.sources)})"
        yield Text(f"{text}: average {_percent(own.average)}, worst {_percent(own.worst)}")
    for absent in result.absent:
        yield Text(f"absent: {absent}", style="yellow")
    yield Text(result.signature, style="dim")


def _listed(infos: Sequence[MetricInfo]) -> str:
    """Return the headings of metrics as a sentence lists them."""
    names = [info.heading.lower() for info in infos]
    return " and ".join([", ".join(names[:-1]), *names[-1:]]) if len(names) > 1 else "".join(names)


def _settings(task: TaskScore) -> list[str]:
    return list(dict.fromkeys(setting for settings in task.dimensions.values() for setting in settings))


def _table(
    task_name: str,
    task: TaskScore,
    setting: str,
    infos: Sequence[MetricInfo],
    at_degrees: Sequence[MetricInfo],
) -> Table:
    table = Table(title=f"{task_name}, {setting}: {_clean(task.clean, infos)}", title_justify="left")
    rows = {name: settings[setting] for name, settings in task.dimensions.items() if setting in settings}
    degrees = sorted({degree for score in rows.values() for degree in score.degrees}, key=_degree_order)
    further = {
        name: {figure.label: figure for figure in further_figures(score, infos)}
        for name, score in rows.items()
    }
    labels = list(dict.fromkeys(label for figures in further.values() for label in figures))
    table.add_column("dimension", no_wrap=True)
    for degree in degrees:
        # On a narrow terminal the figures wrap: average above worst.
        table.add_column(degree, justify="right")
    table.add_column("EWMA average", justify="right", style="bold")
    table.add_column("EWMA worst", justify="right", style="bold")
    for label in labels:
        table.add_column(label, justify="right")
    for name, score in rows.items():
        cells = [_degree(score, degree, at_degrees) for degree in degrees]
        more = [_labelled(further[name][label]) if label in further[name] else "-" for label in labels]
        table.add_row(name, *cells, *_ewma(score), *more)
    return table


def _clean(score: CleanScore | None, infos: Sequence[MetricInfo]) -> str:
    if score is None:
        return "without clean predictions"
    more = "".join(f", {named.label} {_labelled(named)}" for named in further_figures(score, infos))
    return f"clean {_percent(score.accuracy)}{_interval(score.ci)} ({score.n_samples} samples){more}"


def _labelled(named: NamedFigure) -> str:
    """Return a figure in its unit with its interval."""
    if named.figure.interval is None:
        return named.info.shown(named.figure.value)
    low, high = map(named.info.shown, named.figure.interval)
    return f"{named.info.shown(named.figure.value)} [{low}, {high}]"


def _degree_order(degree: str) -> float:
    return -1.0 if degree == KEY_WITHOUT_DEGREE else float(degree)


def _degree(score: SettingScore, degree: str, infos: Sequence[MetricInfo]) -> Text:
    """Return the figures at a degree; dim where too few samples carry it to count."""
    if degree not in score.degrees:
        return Text("-", style="dim")
    figures = [(info, figure_of(score.degrees[degree], info)) for info in infos]
    first, *others = ["-" if figure is None else info.shown(figure.value) for info, figure in figures]
    style = "" if degree in score.degrees_used else "dim"
    return Text(" ".join([first, *(f"{text:>5}" for text in others)]), style=style)


def _ewma(score: SettingScore) -> tuple[str, str]:
    if score.average is None or score.worst is None:
        return "not scored", score.not_scored or ""
    return _aggregate(score.average), _aggregate(score.worst)


def _measurements(result: Result) -> Iterator[Table | Text]:
    """Yield the figures of the whole release; AdvGLUE's own, if every row was answered, as a table."""
    values = {name: value for name, value in result.measurements.items() if isinstance(value, float)}
    others = [name for name in values if not name.startswith(f"{PREFIX}/")]
    figures = {name.removeprefix(f"{PREFIX}/"): values[name] for name in values if name not in others}
    if figures:
        yield _advglue(figures)
    for name in others:
        yield Text(f"{name}: {_percent(values[name])}")


def _advglue(figures: dict[str, float]) -> Table:
    low, high, average = (figures.pop(name, None) for name in ("average/low", "average/high", "average"))
    table = Table(title="AdvGLUE's average, over rows, percent", title_justify="left")
    for name in figures:
        table.add_column(name.removesuffix("/accuracy").replace("/f1", " F1"), justify="right")
    table.add_column("average", justify="right", style="bold")
    interval = None if low is None or high is None else (low, high)
    cells = [_percent(value) for value in figures.values()]
    table.add_row(*cells, "-" if average is None else f"{_percent(average)}{_interval(interval)}")
    return table


def _overall(result: Result, infos: Sequence[MetricInfo]) -> Text:
    if result.overall is None:
        reason = "partial, unranked" if result.absent else "no dimension could be scored"
        return Text(f"overall: none ({reason})", style="bold yellow")
    overall = result.overall
    texts = [f"average {_aggregate(overall.average)}", f"worst {_aggregate(overall.worst)}"]
    if overall.clean is not None:
        texts.append(f"clean {_percent(overall.clean)}")
    texts += [f"{named.label} {_labelled(named)}" for named in further_figures(overall, infos)]
    return Text(f"overall: {', '.join(texts)}", style="bold green")


def _aggregate(value: Aggregate) -> str:
    return f"{_percent(value.ewma)}{_interval(value.ci)}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f" [{_percent(interval[0])}, {_percent(interval[1])}]"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _differences(comparison: Comparison) -> Table:
    # Names of files are not markup, whatever brackets they hold.
    first, second = comparison.first.name, comparison.second.name
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
