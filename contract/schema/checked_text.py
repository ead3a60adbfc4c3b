"""Kinds of text in documents from outside: names, versions, and texts of one line."""

import re
import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from contract.machine.errors import UserError
from contract.schema.names import check_name

MOST_CHARACTERS_OF_A_LINE = 1_000
MOST_CHARACTERS_OF_A_VERSION = 40
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
# Control characters, lone surrogates, and what some readers take for the end of a line.
_NOT_IN_LINES = {"Cc", "Cs", "Zl", "Zp"}


def _checked_name(value: Any) -> Any:
    try:
        return check_name(value, "this") if isinstance(value, str) else value
    except UserError as error:
        raise ValueError(error.message) from None


def _checked_version(value: str) -> str:
    if len(value) > MOST_CHARACTERS_OF_A_VERSION or not _VERSION.fullmatch(value):
        raise ValueError("a version is numbers and dots, such as 1.0")
    return value


def checked_line(value: str) -> str:
    """Return the text if it can stand on one line of any file or page."""
    if not value.strip() or len(value) > MOST_CHARACTERS_OF_A_LINE:
        raise ValueError(f"expected a text of 1 to {MOST_CHARACTERS_OF_A_LINE} characters")
    if any(unicodedata.category(character) in _NOT_IN_LINES for character in value):
        raise ValueError("expected one line without control characters")
    return value


# Part of paths, ids, file names and code.
Name = Annotated[str, BeforeValidator(_checked_name)]
Version = Annotated[str, AfterValidator(_checked_version)]
Line = Annotated[str, AfterValidator(checked_line)]
