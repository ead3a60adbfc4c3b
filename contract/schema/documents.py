"""JSON documents: typed, checked on reading and on writing, with errors that name the key."""

import json
import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contract.machine.errors import bad_input, bad_inputs
from contract.machine.json_text import LARGEST_INTEGER, parsed_json, pretty_json
from contract.machine.whole_files import write_text

Fraction = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]
Integer = Annotated[int, Field(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Value(BaseModel):
    """A part of a document: made in code it refuses unknown fields, read from a file it ignores them.

    A file may be of a later minor version, which added keys; code that names a field which does not exist
    would lose a figure without a word.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - _names_of_fields(type(self))
        if unknown:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
        super().__init__(**values)

    # Only code calls it: pydantic reads files without it, as it does without its own.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


@cache
def _names_of_fields(kind: type[Value]) -> frozenset[str]:
    """Return the names and aliases of a document's fields."""
    aliases = [field.alias for field in kind.model_fields.values() if field.alias is not None]
    return frozenset([*kind.model_fields, *aliases])


class Document(Value):
    """A whole file, which names its schema and major version."""

    SCHEMA: ClassVar[str]
    # What to do with a file of an earlier version.
    REMEDY: ClassVar[str] = "make it again with this version of Hardfrost"
    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    schema_: str = Field(alias="schema")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the document at a path, or say what is wrong with it."""
        try:
            raw = _parsed(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise bad_input(f"{path}: there is no such file") from None
        except (OSError, UnicodeDecodeError) as error:
            raise bad_input(f"{path}: cannot be read: {error}") from None
        except ValueError as error:
            raise bad_input(f"{path}: not JSON: {error}; was the file cut or edited?") from None
        return cls.parse(raw, str(path))

    @classmethod
    def parse(cls, raw: Any, where: str) -> Self:
        """Return the document that a JSON value stands for."""
        found = raw.get("schema") if isinstance(raw, dict) else None
        kind, _, _ = cls.SCHEMA.rpartition("/")
        if isinstance(found, str) and _major_version(found, kind) < _major_version(cls.SCHEMA, kind):
            raise bad_input(f"{where}: schema is {found!r}, an earlier one than {cls.SCHEMA!r}; {cls.REMEDY}")
        if found != cls.SCHEMA:
            raise bad_input(
                f"{where}: schema is {found!r}, expected {cls.SCHEMA!r};"
                " is it the right file, and is Hardfrost as new as the file?"
            )
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise bad_inputs([f"{where}: {line}" for line in validation_lines(error)]) from None

    def to_json(self) -> dict[str, Any]:
        """Return the document as a JSON value."""
        return self.model_dump(mode="json", by_alias=True)

    def write(self, path: Path) -> None:
        """Write the document, whole or not at all."""
        type(self).model_validate(self.to_json())
        write_text(path, pretty_json(self.to_json()))


def _major_version(schema: str, kind: str) -> float:
    """Return the number after the kind of document; infinity for what is no version of this kind."""
    number = schema.removeprefix(f"{kind}/")
    return int(number) if number.isdecimal() and len(number) < 10 else math.inf


def validation_lines(error: ValidationError) -> list[str]:
    """Return one line a fault: key path, what is wrong, what was found."""
    lines = []
    for fault in error.errors():
        found = "" if fault["type"] == "missing" else f" (found {str(fault['input'])[:60]!r})"
        message = re.sub(r"^(Value|Assertion) error, ", "", fault["msg"])
        lines.append(f"{key_path(fault['loc'])}: {message}{found}")
    return lines


def key_path(location: Sequence[str | int]) -> str:
    """Return a place in a document as people write it: tasks[0].labels."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return path.removeprefix(".") or "document"


def _parsed(text: str) -> Any:
    """Return a JSON value that can be written again: no NaN, no infinity, no half of a character."""
    raw = parsed_json(text, parse_constant=_refuse_constant, parse_float=_finite)
    if "\\ud" in text.lower():
        # Only an escape can stand for half of a character.
        json.dumps(raw, ensure_ascii=False).encode()
    return raw


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is too large a number")
    return number


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")
