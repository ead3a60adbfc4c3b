"""What all functions of the API share: places of files, optional libraries, and tables as HTML."""

import html
import importlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from contract.machine.errors import UserError

# A file or folder, as people write it.
Place = str | os.PathLike[str]


def path_of(place: Place) -> Path:
    """Return a file or folder as a path; ~ is the home folder."""
    return Path(os.fspath(place)).expanduser()


def needed(module: str, package: str, what: str) -> ModuleType:
    """Return an optional library, or say how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise UserError(f"{what} needs {package}; install it with `pip install {package}`") from None


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as notebooks show it; every value is text, none is markup."""
    head = "".join(f"<th>{html.escape(str(column))}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_shown(value)}</td>' for value in row)}</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def percent(value: float | None) -> str:
    """Return a fraction as tables show it."""
    return "–" if value is None else f"{100 * value:.1f}"


def _shown(value: object) -> str:
    return "–" if value is None else html.escape(str(value))


class Scratch:
    """A folder that lasts as long as this value."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="hardfrost-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
