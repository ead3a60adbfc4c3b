"""The audit on a terminal of 80 columns: the label and dimension that suffer most, then the figures."""

from collections.abc import Iterator

from contract.machine.terminal import printable
from contract.schema.hardest_hit import HardestHit, hardest_hits
from contract.schema.names import degree_key
from contract.schema.results import Result, SettingScore

WIDTH = 80
SETTINGS = {"rule": "random changes", "live": "attacks on this model"}
NAME_WIDTH = 20


def summary_lines(result: Result) -> Iterator[str]:
    """Yield the summary, no line longer than 80 columns as far as the labels allow it."""
    for hit in hardest_hits(result).values():
        yield from _finding(hit)
    yield ""
    (task,) = result.tasks.values()
    if task.clean is not None:
        yield (
            f"clean: accuracy {_percent(task.clean.accuracy)}, score {_percent(task.clean.score)},"
            f" {task.clean.n_samples} samples"
        )
    overall = result.overall
    if overall is not None:
        yield f"robustness {_percent(overall.score.ewma)}, average {_percent(overall.average.ewma)}"
    settings = list(dict.fromkeys(name for of_one in task.dimensions.values() for name in of_one))
    for setting in settings:
        yield ""
        yield from _table(
            setting,
            {name: of_one[setting] for name, of_one in task.dimensions.items() if setting in of_one},
        )
    yield from _detector(result)


def _finding(hit: HardestHit) -> Iterator[str]:
    what = SETTINGS.get(hit.setting, hit.setting)
    yield printable(f"{hit.label[:24]!r} suffers most, in {hit.dimension} ({hit.setting}: {what}):")
    degrees = ", ".join(hit.degrees[:4]) + (", ..." if len(hit.degrees) > 4 else "")
    fall = f"from {_percent(hit.before)} to {_percent(hit.after)}"
    yield f"  its recall falls {fall} (mean of degrees {degrees});"
    yield (
        f"  at {hit.degree} {_percent(hit.average)} on average, {_percent(hit.worst)} at worst;"
        f" {hit.n_with_case} of {hit.n_samples} samples have a case"
    )


def _table(setting: str, scores: dict[str, SettingScore]) -> Iterator[str]:
    """Yield worst / average by dimension and degree, the weakest dimension first."""
    degrees = sorted({key for score in scores.values() for key in score.degrees}, key=_number)[:5]
    head = "".join(f"{key:>13}" for key in degrees)
    yield f"{setting + ', worst/average, %':<26}"[:26] + head
    for name, score in sorted(scores.items(), key=lambda item: _ewma(item[1])):
        cells = [_cell(score, key) for key in degrees]
        yield f"  {name[:NAME_WIDTH]:<24}" + "".join(f"{cell:>13}" for cell in cells)


def _cell(score: SettingScore, key: str) -> str:
    at_degree = score.degrees.get(key)
    if at_degree is None or at_degree.average is None or at_degree.worst is None:
        return "-"
    mark = "" if key in score.degrees_used else "*"
    return f"{100 * at_degree.worst:.1f}/{100 * at_degree.average:.1f}{mark}"


def _detector(result: Result) -> Iterator[str]:
    """Yield what each threshold is worth, and under which attack it finds least."""
    if result.detector is None:
        return
    yield ""
    yield printable(
        f"as a detector of {result.detector.positive[:24]!r}"
        f" ({result.detector.n_positive} positive, {result.detector.n_benign} benign samples):"
    )
    for threshold in result.detector.thresholds:
        yield (
            f"  {100 * threshold.target:g} % false positives: recall {_percent(threshold.recall)} when clean"
        )
        if threshold.cells:
            least = min(threshold.cells, key=lambda cell: (cell.worst_recall, cell.recall))
            flips = "-" if least.flip_rate is None else _percent(least.flip_rate)
            where = f"{least.dimension}/{least.setting}@{degree_key(least.degree)}"
            yield f"    {where}: recall {_percent(least.recall)}, flip rate {flips}"
        typos = [c for c in threshold.cells if (c.dimension, c.setting) == ("typo-general", "rule")]
        if typos:
            last = typos[-1]
            yield (
                f"    ordinary typos@{degree_key(last.degree)}: false positives"
                f" {_percent(threshold.false_positive_rate)} -> {_percent(last.false_positive_rate)}"
            )


def _ewma(score: SettingScore) -> float:
    return 2.0 if score.score is None else score.score.ewma


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _number(key: str) -> float:
    try:
        return float(key)
    except ValueError:
        return 0.0
