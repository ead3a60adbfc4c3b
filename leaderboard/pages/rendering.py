"""The template engine of sites and reports: all values are escaped, an unknown name is an error."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from leaderboard.text.untrusted_text import sentence, visible
from leaderboard.view import charts
from leaderboard.view.figure_rows import FigureRow

ASSETS_PATH = Path(__file__).parents[1] / "assets"
TEMPLATES_PATH = Path(__file__).parents[1] / "templates"
RIGHT = charts.WIDTH - charts.RIGHT
UNUSED = ' class="unused" title="Not part of the score: too few samples have a case at this degree"'


def template_engine() -> Environment:
    """Return an engine with the templates, the sizes of charts and the filters for untrusted text."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES_PATH),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(visible=visible, sentence=sentence, figure_rows=_figure_rows, drawn=_drawn)
    environment.globals.update(chart=charts)
    return environment


# Large sites have tens of thousands of these; templates would write them ten times slower.


def _figure_rows(rows: Sequence[FigureRow]) -> Markup:
    """Return the rows of a table; one call escapes all of them."""
    between_cells, between_rows = "\x1f", "\x1e"
    text = between_rows.join(between_cells.join(row.cells) for row in rows)
    lines = str(escape(text)).split(between_rows)
    return Markup(  # noqa: S704
        "".join(
            f'<tr{"" if row.is_used else UNUSED}><th scope="row">'
            + line.replace(between_cells, "</th><td>", 1).replace(between_cells, "</td><td>")
            + "</td></tr>\n"
            for row, line in zip(rows, lines, strict=True)
        )
    )


def _drawn(drawing: charts.Chart, title: str) -> Markup:
    """Return the curves of a chart; the page must define its frame, axes and markers."""
    y = drawing.clean_y
    clean = "" if y is None else f'<line class="clean" x1="{charts.LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}"/>'
    return Markup(  # noqa: S704
        f'<svg class="chart" viewBox="0 0 {charts.WIDTH} {charts.HEIGHT}" role="img" aria-label="'
        f'Score by degree: {escape(title)}. The table below holds the same figures."><use href="#frame"/>'
        f'<use href="#{drawing.axis.name}"/>{clean}{"".join(map(_curve, drawing.series))}</svg>'
    )


def _curve(series: charts.Series) -> str:
    marker = f"url(#{series.marker})"
    band = f'<polygon class="band {series.name}" points="{series.band}"/>' if series.band else ""
    faded = "".join(f'<circle class="faded" cx="{x}" cy="{y}" r="5"/>' for x, y in series.faded)
    return (
        f'{band}<polyline class="{series.name}" points="{series.line}"'
        f' marker-start="{marker}" marker-mid="{marker}" marker-end="{marker}"/>{faded}'
    )
