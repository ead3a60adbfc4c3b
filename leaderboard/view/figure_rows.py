"""Rows of figures that pages write without a template: large sites have tens of thousands."""

from typing import NamedTuple


class FigureRow(NamedTuple):
    """A row of a table, its head first; a degree with too few samples is shown but not used."""

    is_used: bool
    cells: tuple[str, ...]
