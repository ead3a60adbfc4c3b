"""Tables of where a build's time went."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from contract.machine.forecast import duration
from contract.machine.terminal import echo_data, new_console
from contract.release.attack_summary import empty_table
from contract.release.summary import WIDTH_IN_FILES
from contract.schema.timings import LOG, Timing, read_timings

MOST_PIECES = 5


def show_timings(release: Path, *, as_json: bool) -> None:
    """Print where the time went: by stage, dimension and setting, by model, and the longest pieces."""
    timings = read_timings(release / LOG)
    if as_json:
        echo_data(json.dumps([asdict(timing) for timing in timings], ensure_ascii=False))
        return
    console = new_console(width=None if sys.stdout.isatty() else WIDTH_IN_FILES)
    total = sum(timing.seconds for timing in timings)
    console.print(f"{duration(total)} of work in {len(timings):,} pieces, on however many workers")
    console.print(_grouped("Stages", ["stage"], timings, lambda timing: (timing.stage,)))
    cases = [timing for timing in timings if timing.dimension]
    names = ["stage", "dimension", "setting"]
    console.print(
        _grouped("Dimensions", names, cases, lambda each: (each.stage, each.dimension, each.setting))
    )
    console.print(_models(timings))
    longest = empty_table("Longest", ["stage", "piece"], ["seconds"])
    for timing in sorted(timings, key=lambda timing: -timing.seconds)[:MOST_PIECES]:
        longest.add_row(timing.stage, timing.title, f"{timing.seconds:.1f}")
    console.print(longest)


def _grouped(
    title: str, names: list[str], timings: Iterable[Timing], group_of: Callable[[Timing], tuple[str, ...]]
) -> Table:
    groups: dict[tuple[str, ...], list[Timing]] = {}
    for timing in timings:
        groups.setdefault(group_of(timing), []).append(timing)
    columns = [
        "pieces",
        "seconds",
        "processor",
        "rows",
        "rows/s",
        "questions",
        "known",
        "computed/s",
        "in models",
    ]
    table = empty_table(title, names, columns)
    for group, members in groups.items():
        seconds = sum(each.seconds for each in members)
        n_rows = sum(each.n_rows for each in members)
        n_questions, n_known = (
            sum(getattr(each, name) for each in members) for name in ("n_questions", "n_known")
        )
        asked = sum(each.model_seconds for each in members)
        in_models = sum(each.seconds_in_models for each in members)
        table.add_row(
            *group,
            str(len(members)),
            f"{seconds:.1f}",
            f"{sum(each.cpu_seconds for each in members):.1f}",
            f"{n_rows:,}",
            f"{n_rows / seconds:,.0f}" if seconds and n_rows else "",
            f"{n_questions:,}" if n_questions else "",
            f"{n_known / n_questions:.0%}" if n_questions else "",
            f"{(n_questions - n_known) / asked:,.0f}" if asked else "",
            f"{in_models / seconds:.0%}" if seconds and in_models else "",
        )
    return table


def _models(timings: Sequence[Timing]) -> Table:
    """Return the seconds inside each model, by stage: surrogates are trained, then asked."""
    by_model: dict[str, dict[str, float]] = {}
    for timing in timings:
        for name, seconds in timing.seconds_by_model.items():
            of_model = by_model.setdefault(name, {})
            of_model[timing.stage] = of_model.get(timing.stage, 0.0) + seconds
    stages = list(dict.fromkeys(timing.stage for timing in timings if timing.seconds_by_model))
    table = empty_table("Models", ["model"], [*stages, "seconds"])
    for name, of_model in sorted(by_model.items(), key=lambda item: -sum(item[1].values())):
        cells = [f"{of_model[stage]:.1f}" if stage in of_model else "" for stage in stages]
        table.add_row(name, *cells, f"{sum(of_model.values()):.1f}")
    return table
