"""A comparison as a person reads it on a terminal: differences of scores, then tests on samples."""

from rich.table import Table

from contract.schema.estimates import RANKED_BY
from evaluator.commands.consoles import percent, wide_console
from evaluator.comparing.comparing import OVERALL, Comparison


def print_comparison(comparison: Comparison) -> None:
    """Print the tests of a comparison to stdout."""
    wide_console().print(_differences(comparison), _outcomes(comparison))


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
        figures = (percent(row.first), percent(row.second), f"{100 * row.difference:+.1f}", interval)
        # As everywhere, the estimate that ranks has a name of its own where it is the headline.
        figure = "robustness" if (row.what, row.figure) == (OVERALL, RANKED_BY) else row.figure
        table.add_row(row.what, figure, *figures, f"{row.p:.3f}", holm)
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
