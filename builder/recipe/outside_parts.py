"""Parts that a recipe names by their place, python:MODULE:VALUE, in the place of a name."""

from pathlib import Path
from typing import Any

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from contract.machine.errors import ExitCode, UserError
from contract.machine.outside import PREFIX, look_in
from contract.machine.registry import Registry


def with_outside_parts(raw: dict[str, Any], folder: Path, *, is_trusted: bool) -> dict[str, Any]:
    """Return the keys of a recipe with the names of its parts; without trust, nothing of it is imported.

    Modules are found where Python finds them and in the recipe's folder.
    """
    changed = dict(raw)
    for key, registry in (("dimensions", DIMENSIONS), ("filters", FILTERS)):
        if isinstance(raw.get(key), list | tuple):
            changed[key] = [_named(entry, registry, folder, is_trusted=is_trusted) for entry in raw[key]]
    return changed


def _named(entry: Any, registry: Registry[Any], folder: Path, *, is_trusted: bool) -> Any:
    name = entry.get("name") if isinstance(entry, dict) else entry
    if not isinstance(name, str) or not name.startswith(PREFIX):
        return entry
    if not is_trusted:
        raise UserError(
            f"the recipe's {registry.kind} {name} runs code of its own; give --trust if you know the recipe",
            exit_code=ExitCode.WRONG_USE,
        )
    look_in(folder.resolve())
    part = registry.include(name.removeprefix(PREFIX))
    return {**entry, "name": part.name} if isinstance(entry, dict) else part.name
