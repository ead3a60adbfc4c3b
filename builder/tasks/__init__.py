"""Tasks: labelled data sets, read from data sources. One file a kind of data source."""

from builder.tasks.data_source import DataSource
from builder.tasks.file import FILE
from builder.tasks.hub import HUB
from builder.tasks.mr import MR
from contract.machine.registry import Registry

DATA_SOURCES: Registry[DataSource] = Registry("data source", [MR, FILE, HUB])


def forms_of_data_sources() -> str:
    """Return how a recipe writes each data source: "mr, file:PATH or hub:NAME"."""
    *first, last = (data_source.form for data_source in DATA_SOURCES.values())
    return f"{', '.join(first)} or {last}"
