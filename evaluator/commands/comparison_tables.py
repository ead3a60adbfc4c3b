"""A comparison as a person reads it on a terminal: differences of scores, then tests on samples."""

from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from contract.schema.estimates import RANKED_BY
from evaluator.commands.consoles import percent, result_console
from evaluator.comparing.comparing import OVERALL, Comparison


def print_comparison(comparison: Comparison) -> None:
    """Print the tests of a comparison to stdout."""
    result_console().print(Group(*_parts(comparison)))


def _parts(comparison: Comparison) -> Iterator[Table | Text]:
    """Yield the names of the files, then a narrow table for each figure and each outcome."""
    # Names of files are not markup, whatever brackets they hold.
    yield Text(f"A: {comparison.first.name}\nB: {comparison.second.name}")
    draws = comparison.settings.resamples
    yield Text(f"\nDifferences in points, paired bootstrap with {draws:,} draws", style="italic")
    for figure in dict.fromkeys(row.figure for row in comparison.differences):
        yield _differences(comparison, figure)
    yield Text("\nMcNemar's exact test, one outcome a sample", style="italic")
    for outcome in dict.fromkeys(row.outcome for row in comparison.outcomes):
        yield _outcomes(comparison, outcome)


def _differences(comparison: Comparison, figure: str) -> Table:
    table = _table(figure, "A", "B", "A - B", "interval", "p", "Holm")
    for row in comparison.differences:
        if row.figure == figure:
            interval = f"[{100 * row.ci[0]:+.1f}, {100 * row.ci[1]:+.1f}]"
            holm = "" if row.p_holm is None else f"{row.p_holm:.3f}"
            figures = (percent(row.first), percent(row.second), f"{100 * row.difference:+.1f}", interval)
            # As everywhere, the estimate that ranks has a name of its own where it is the headline.
            is_headline = (row.what, figure) == (OVERALL, RANKED_BY)
            table.add_row(Text("robustness" if is_headline else row.what), *figures, f"{row.p:.3f}", holm)
    return table


def _outcomes(comparison: Comparison, outcome: str) -> Table:
    table = _table(outcome, "both", "only A", "only B", "neither", "p")
    for row in comparison.outcomes:
        if row.outcome == outcome:
            counts = (row.n_both, row.n_only_first, row.n_only_second, row.n_neither)
            table.add_row(Text(row.what), *map(str, counts), f"{row.p:.3f}")
    return table


def _table(what: str, *columns: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(what, overflow="fold")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table
