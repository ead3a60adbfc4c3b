"""What a data source is: a reader of labelled rows, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRow:
    """One row as the data source has it; `place` names the row in error messages."""

    row: int
    place: str
    text: str
    text_pair: str | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRows:
    """All rows of a data source, the labels that it states itself, and the hash of its content."""

    rows: list[RawRow]
    labels: tuple[str, ...] | None
    sha256: str
    licence: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRecord:
    """One record of a data source by column, or what is wrong with it."""

    row: int
    place: str
    record: dict[Any, Any] | str


@dataclass(frozen=True, kw_only=True)
class RawRecords:
    """All records of a data source, and the hash of its content."""

    records: list[RawRecord]
    sha256: str
    licence: str | None = None


@dataclass(frozen=True, kw_only=True)
class DataSource:
    """A kind of data source; a recipe writes its name alone, or NAME:ARGUMENT."""

    name: str
    summary: str
    read: Callable[[str, "ReadOptions"], RawRows]
    # What stands after the colon, for error messages and docs; empty where the name stands alone.
    argument: str = ""
    # Gives records as they are, for tasks with many labels a text, here of this kind; None: it has none.
    read_records: Callable[[str, "ReadOptions", str], RawRecords] | None = None

    @property
    def form(self) -> str:
        """The data source as a recipe writes it: `mr`, `file:PATH`."""
        return f"{self.name}:{self.argument}" if self.argument else self.name
