"""The leaderboard's table to download, as CSV and LaTeX."""

import csv
import io
import re
from collections.abc import Sequence

from contract.schema.estimates import ESTIMATES, estimate_of
from leaderboard.text.formatting import NO_FIGURE, Figure, TableCell, overall_heading
from leaderboard.text.latex import latex_text
from leaderboard.text.untrusted_text import visible
from leaderboard.view.by_setting import Tab
from leaderboard.view.tables import Row, Table
from leaderboard.view.transferable import Transferable

_TEXTS = ("organisation", "model", "revision", "status")
_TAGS = ("general", "malicious")


def table_csv(table: Table) -> str:
    """Return the leaderboard's table as CSV, one model a row; no column mixes settings."""
    columns = [
        f"{tab.name}_{name}_{kind}"
        for tab in table.tabs
        for name in ("all", *(_TAGS if table.has_tags else ()), *(column.name for column in table.columns))
        for kind in ESTIMATES
    ]
    tiers = [tab for tab in table.tabs if tab.is_attacked]
    columns += [f"{tab.name}_transferable_{kind}" for tab in tiers for kind in ("accuracy", "n")]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    head = ["rank_best", "rank_worst", "rank_without_families", *_TEXTS, "kin", "date", "clean"]
    names = [overall_heading(estimate).lower() for estimate in ESTIMATES]
    head += ["clean_accuracy", *names, *(f"{name}_by_validity" for name in names)]
    writer.writerow(csv_text(name) for name in head + columns)
    for row in table.rows:
        texts = [row.model.organisation, row.model.name, row.model.revision, row.model.status]
        overall = [estimate_of(row, estimate) for estimate in ESTIMATES]
        figures = [estimate_of(cell, estimate) for cell in _all_cells(row, table) for estimate in ESTIMATES]
        writer.writerow(
            [row.rank_best, row.rank_worst, row.rank_without_families]
            + [csv_text(text) for text in (*texts, row.model.kin, row.date)]
            + [text.replace(NO_FIGURE, "") for text in (row.clean, row.accuracy)]
            + [_csv_figure(score) for score in overall]
            + [score.weighted if score else "" for score in overall]
            + [_csv_figure(score) for score in figures]
            + [text for tab in tiers for text in _tier_texts(row.settings[tab.name].transferable)]
        )
    return buffer.getvalue()


def _tier_texts(tier: Transferable | None) -> tuple[str, str]:
    return ("", "") if tier is None else (tier.text, str(tier.n_cases))


def _all_cells(row: Row, table: Table) -> list[TableCell]:
    """Return the cells of all settings, one setting after the other, in the order of the columns."""
    return [
        cell
        for tab in table.tabs
        for cells in [row.settings[tab.name]]
        for cell in (
            cells.whole,
            *((cells.general, cells.malicious) if table.has_tags else ()),
            *cells.dimensions,
        )
    ]


def table_latex(table: Table, caption: str) -> str:
    """Return the leaderboard for a paper: one table for each setting."""
    lines = [
        "% Needs \\usepackage{booktabs}; after the column Clean: worst / average, per cent.",
        "% In brackets why a model has no rank; its scores do not compare with those of others.",
    ]
    for tab in table.tabs:
        lines += _latex_table(table, tab, f"{caption}, {tab.name}. {table.headline}")
    return "\n".join([*lines, ""])


def _latex_table(table: Table, tab: Tab, caption: str) -> list[str]:
    groups = ["All", *(["General", "Malicious"] if table.has_tags else [])]
    groups += [column.name for column in table.columns]
    lines = [
        "\\begin{table}",
        f"\\caption{{{latex_text(caption)}}}",
        f"\\begin{{tabular}}{{rl{'r' * (3 + len(groups))}}}",
        "\\toprule",
        _latex_row(["Rank", "Model", *map(overall_heading, ESTIMATES), "Clean", *groups]),
        "\\midrule",
    ]
    for row in table.rows:
        of_tab = row.settings[tab.name]
        tags = (of_tab.general, of_tab.malicious) if table.has_tags else ()
        cells = [
            " / ".join(_text_of(estimate_of(cell, estimate)) for estimate in ESTIMATES)
            if cell.score
            else NO_FIGURE
            for cell in (of_tab.whole, *tags, *of_tab.dimensions)
        ]
        marks = f" ({', '.join(row.model.marks)})" if row.model.marks else ""
        overall = [*(_text_of(estimate_of(row, estimate)) for estimate in ESTIMATES), row.clean]
        if row.model.is_surrogate:
            # The cases were made with it: what it scores is no result.
            overall, cells = ([f"({text})" for text in texts] for texts in (overall, cells))
        lines.append(_latex_row([row.rank or NO_FIGURE, row.model.distinct + marks, *overall, *cells]))
    return [*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}"]


def csv_text(text: str) -> str:
    """Return the text in a form that no spreadsheet takes for a formula."""
    shown = visible(text)
    return f"'{shown}" if re.match(r"[=+\-@]", shown) else shown


def _csv_figure(figure: Figure | None) -> str:
    return "" if figure is None else figure.text


def _text_of(figure: Figure | None) -> str:
    return NO_FIGURE if figure is None else figure.text


def _latex_row(texts: Sequence[str]) -> str:
    return " & ".join(latex_text(text) for text in texts) + r" \\"
