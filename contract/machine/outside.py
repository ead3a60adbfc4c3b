"""Parts from other packages: found by entry point or by place, and named by the hash of their code."""

import hashlib
import importlib
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from contract.machine.errors import ExitCode, UserError

# The kinds of parts that other packages may add, by entry points of the group `hardfrost.KINDs`.
OPEN_KINDS = ("dimension", "filter", "metric", "classifier")
# Before the place of a part in a recipe.
PREFIX = "python:"
# The places that a recipe named, for the processes that do its units: KIND=MODULE:VALUE, one a line.
VARIABLE = "HARDFROST_PARTS"


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a part from outside comes from: MODULE:VALUE, the package that offers it, and its code's hash."""

    place: str
    package: str | None
    sha256: str

    def __str__(self) -> str:
        package = "" if self.package is None else f"{self.package}, "
        return f"{package}{PREFIX}{self.place} sha256:{self.sha256}"


def group_of(kind: str) -> str:
    """Return the group of entry points of a kind of parts."""
    return f"hardfrost.{kind}s"


@lru_cache(maxsize=8)
def offered(kind: str) -> tuple[EntryPoint, ...]:
    """Return the parts of a kind that installed packages offer, by name; a name offered twice is refused."""
    if kind not in OPEN_KINDS:
        return ()
    found = sorted(entry_points(group=group_of(kind)), key=lambda point: (point.name, point.value))
    for point in found:
        twice = [other for other in found if other.name == point.name]
        if len({other.value for other in twice}) > 1:
            packages = ", ".join(str(_package_of(other)) for other in twice)
            raise UserError(f"{kind} {point.name!r} is offered by several packages: {packages}; remove one")
    return tuple({point.name: point for point in found}.values())


def origin_of(point: EntryPoint) -> Origin:
    """Return where an entry point leads."""
    return origin_at(point.value, _package_of(point))


def origin_at(place: str, package: str | None = None) -> Origin:
    """Return where a place is, after its module was imported."""
    return Origin(place=place, package=package, sha256=code_sha256(place.partition(":")[0]))


def _package_of(point: EntryPoint) -> str | None:
    return None if point.dist is None else f"{point.dist.name} {point.dist.version}"


def value_at(place: str) -> object:
    """Return the value MODULE:VALUE; say what is missing where it is not there."""
    module_name, _, name = place.partition(":")
    if not module_name or not name:
        raise UserError(
            f"{PREFIX}{place}: expected {PREFIX}MODULE:VALUE, as in {PREFIX}my_package.shout:SHOUT",
            exit_code=ExitCode.WRONG_USE,
        )
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        # What the module itself needs is another matter.
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise _failed(place, error) from None
        raise UserError(f"{PREFIX}{place}: no module {error.name!r} is installed or in this folder") from None
    except UserError:
        raise
    except Exception as error:  # noqa: BLE001
        # A stranger's code may raise anything.
        raise _failed(place, error) from None
    value: object = module
    for attribute in name.split("."):
        value = getattr(value, attribute, None)
    if value is None:
        raise UserError(f"{PREFIX}{place}: the module has no {name!r}")
    return value


def _failed(place: str, error: Exception) -> UserError:
    """Return what is said of a module that cannot be imported: what it raised, and at which line."""
    frames = traceback.extract_tb(error.__traceback__)
    line = (
        "" if isinstance(error, SyntaxError) else f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})"
    )
    text = str(error) or "no reason given"
    return UserError(
        f"{PREFIX}{place}: importing it raised {type(error).__name__}: {text}{line}; mend it there"
    )


def code_sha256(module: str) -> str:
    """Return the hash of all Python files of an imported module's package, or of its one file."""
    top = module.partition(".")[0]
    file = _file_of(top) or _file_of(module)
    if file is None:
        # Typed in at a prompt: its name is all there is.
        return hashlib.sha256(module.encode()).hexdigest()
    return _files_sha256(file.parent if file.name == "__init__.py" else file)


def _file_of(module: str) -> Path | None:
    file = getattr(sys.modules.get(module), "__file__", None)
    return None if file is None else Path(file)


# Once in each process: what it has imported does not change when its file does.
@lru_cache(maxsize=64)
def _files_sha256(place: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        name = path.relative_to(place).as_posix() if place.is_dir() else path.name
        digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def note_place(kind: str, place: str) -> None:
    """Tell the processes that this one starts of a part."""
    line = f"{kind}={place}"
    lines = os.environ.get(VARIABLE, "").splitlines()
    if line not in lines:
        os.environ[VARIABLE] = "\n".join([*lines, line])


def noted_places(kind: str) -> Iterator[str]:
    """Yield the places of parts of which the process that started this one told."""
    for line in os.environ.get(VARIABLE, "").splitlines():
        found, _, place = line.partition("=")
        if found == kind:
            yield place


def look_in(folder: Path) -> None:
    """Find modules in a folder, too, after all others."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
