"""A result as a person reads it on a terminal: the headline, a table a setting, then what to know of it."""

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from contract.schema.estimates import ESTIMATES, RANKED_BY, estimate_of
from contract.schema.figures import (
    NamedFigure,
    degree_metrics,
    figure_of,
    further_figures,
    metrics_of,
)
from contract.schema.metrics import MetricInfo
from contract.schema.names import KEY_WITHOUT_DEGREE
from contract.schema.results import BenchmarkInfo, CleanScore, Result, SettingScore, TaskScore
from evaluator.commands.consoles import aggregate_text, interval_text, percent, result_console
from evaluator.commands.remarks import remarks
from evaluator.metrics.advglue_average import PREFIX

_HALVES = {"rule": "random", "attacked": "attacked", "imported": "imported"}


def print_result(result: Result) -> None:
    """Print the tables of a result to stdout."""
    console = result_console()
    console.print(Group(*_parts(result)))
    # A signature is cited in one piece.
    console.print(Text(result.signature, style="dim"), soft_wrap=True)


def _parts(result: Result) -> Iterator[Table | Text]:
    infos = [info for info in metrics_of([result]) if info.in_terminal]
    at_degrees = degree_metrics(result, infos)
    yield from _headline(result, infos)
    for task_name, task in result.tasks.items():
        for setting in _settings(task):
            yield Text(f"\n{task_name}, {setting}: {_clean(task.clean, infos)}", style="italic")
            yield _table(task, setting, infos, at_degrees)
            yield from _not_scored(task, setting)
    yield Text(f"Percent; in a column, from above: {_listed(at_degrees)}.", style="dim")
    yield from _measurements(result)
    for remark in remarks(result):
        yield Text(remark)
    for absent in result.absent:
        yield Text(f"absent: {absent}", style="yellow")


def _headline(result: Result, infos: Sequence[MetricInfo]) -> Iterator[Text]:
    """Yield the one number, the sentence that says what it is, and what stands beside it."""
    scored = result.scored_release
    where = f"{scored.name} {scored.version}" if isinstance(scored, BenchmarkInfo) else scored.data
    name = f"{result.model.name} on {where}"
    overall = result.overall
    if overall is None:
        reason = "partial, unranked" if result.absent else "no dimension could be scored"
        yield Text(f"{name}: no overall score ({reason})", style="bold yellow")
        return
    yield Text(f"{name}: robustness {aggregate_text(overall.score)}", style="bold green")
    cases = " and ".join(_HALVES[half] for half in overall.covers)
    halves = ", in equal parts" if len(overall.covers) > 1 else ""
    yield Text(
        "The percentage of samples that are right when clean and on every case up to a degree, on"
        f" {cases} cases{halves}: recalls joined over labels, low degrees weighing most; the mean over core"
        " dimensions and tasks."
    )
    texts = [f"average over cases {aggregate_text(overall.average)}"]
    if overall.clean is not None:
        texts.append(f"clean {percent(overall.clean)}{interval_text(overall.clean_ci)}")
    if overall.clean_accuracy is not None:
        texts.append(f"clean accuracy {percent(overall.clean_accuracy)}")
    texts += [f"{named.label} {_labelled(named)}" for named in further_figures(overall, infos)]
    yield Text("; ".join(texts))
    weighted = overall.validity_weighted
    for key in sorted(weighted, key=lambda key: not key.endswith(f"/{RANKED_BY}")):
        weights, _, estimate = key.rpartition("/")
        interval = interval_text(overall.validity_weighted_ci.get(key))
        yield Text(f"{estimate}, weighted by {weights}: {percent(weighted[key])}{interval}")


def _listed(infos: Sequence[MetricInfo]) -> str:
    """Return the headings of metrics as a sentence lists them."""
    names = [info.heading.lower() for info in infos]
    return " and ".join([", ".join(names[:-1]), *names[-1:]]) if len(names) > 1 else "".join(names)


def _settings(task: TaskScore) -> list[str]:
    return list(dict.fromkeys(setting for settings in task.dimensions.values() for setting in settings))


def _table(
    task: TaskScore,
    setting: str,
    infos: Sequence[MetricInfo],
    at_degrees: Sequence[MetricInfo],
) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    rows = {name: settings[setting] for name, settings in task.dimensions.items() if setting in settings}
    degrees = sorted({degree for score in rows.values() for degree in score.degrees}, key=_degree_order)
    further = {name: _stacked(further_figures(score, infos)) for name, score in rows.items()}
    labels = list(dict.fromkeys(label for figures in further.values() for label in figures))
    table.add_column("dimension", no_wrap=True)
    for degree in degrees:
        table.add_column(degree, justify="right")
    table.add_column("EWMA", justify="right", style="bold")
    for label in labels:
        table.add_column(label, justify="right")
    for name, score in rows.items():
        cells = [_degree(score, degree, at_degrees) for degree in degrees]
        table.add_row(name, *cells, _ewma(score), *(further[name].get(label, "-") for label in labels))
    return table


def _stacked(figures: Sequence[NamedFigure]) -> dict[str, str]:
    """Return the figures of each column, of weights or of a metric: the estimate that ranks on top."""
    columns: dict[str, list[NamedFigure]] = {}
    for named in figures:
        weights = named.which.rpartition("/")[0]
        # The first word names the weights well enough in a narrow column.
        label = weights.partition("-")[0] or named.info.heading
        columns.setdefault(label, []).append(named)
    for column in columns.values():
        column.sort(key=lambda named: named.which.rpartition("/")[2] != RANKED_BY)
    return {
        label: "\n".join(named.info.shown(named.figure.value) for named in column)
        for label, column in columns.items()
    }


def _clean(score: CleanScore | None, infos: Sequence[MetricInfo]) -> str:
    if score is None:
        return "without clean predictions"
    more = "".join(f", {named.label} {_labelled(named)}" for named in further_figures(score, infos))
    return f"clean {percent(score.score)}{interval_text(score.score_ci)}, {score.n_samples} samples{more}"


def _labelled(named: NamedFigure) -> str:
    """Return a figure in its unit with its interval."""
    if named.figure.interval is None:
        return named.info.shown(named.figure.value)
    low, high = map(named.info.shown, named.figure.interval)
    return f"{named.info.shown(named.figure.value)} [{low}, {high}]"


def _degree_order(degree: str) -> float:
    return -1.0 if degree == KEY_WITHOUT_DEGREE else float(degree)


def _degree(score: SettingScore, degree: str, infos: Sequence[MetricInfo]) -> Text:
    """Return the figures at a degree below each other; dim where the degree does not count."""
    if degree not in score.degrees:
        return Text("-", style="dim")
    figures = [(info, figure_of(score.degrees[degree], info)) for info in infos]
    texts = ["-" if figure is None else info.shown(figure.value) for info, figure in figures]
    return Text("\n".join(texts), style="" if degree in score.degrees_used else "dim")


def _ewma(score: SettingScore) -> str:
    both = [estimate_of(score, estimate) for estimate in ESTIMATES]
    return "\n".join(percent(aggregate.ewma) for aggregate in both if aggregate is not None) or "-"


def _not_scored(task: TaskScore, setting: str) -> Iterator[Text]:
    """Yield why dimensions have no final score, those of one reason together."""
    reasons: dict[str, list[str]] = {}
    for name, settings in task.dimensions.items():
        if setting in settings and settings[setting].not_scored is not None:
            reasons.setdefault(settings[setting].not_scored or "", []).append(name)
    for reason, names in reasons.items():
        yield Text(f"not scored: {', '.join(names)} ({reason})", style="yellow")


def _measurements(result: Result) -> Iterator[Table | Text]:
    """Yield the figures of the whole release; AdvGLUE's own, if every row was answered, as a table."""
    values = {name: value for name, value in result.measurements.items() if isinstance(value, float)}
    others = [name for name in values if not name.startswith(f"{PREFIX}/")]
    figures = {name.removeprefix(f"{PREFIX}/"): values[name] for name in values if name not in others}
    if figures:
        yield _advglue(figures)
    for name in others:
        yield Text(f"{name}: {percent(values[name])}")


def _advglue(figures: dict[str, float]) -> Table:
    low, high, average = (figures.pop(name, None) for name in ("average/low", "average/high", "average"))
    table = Table(title="AdvGLUE's average, over rows, percent", title_justify="left")
    for name in figures:
        table.add_column(name.removesuffix("/accuracy").replace("/f1", " F1"), justify="right")
    table.add_column("average", justify="right", style="bold")
    interval = None if low is None or high is None else (low, high)
    cells = [percent(value) for value in figures.values()]
    table.add_row(*cells, "-" if average is None else f"{percent(average)}{interval_text(interval)}")
    return table
