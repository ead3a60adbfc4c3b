"""Timings: how long each piece of a build took, in a file beside the release that is no part of it."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from contract.machine.errors import bad_input
from contract.machine.json_text import LARGEST_INTEGER, canonical_json, parsed_json
from contract.machine.whole_files import write_text

# In the release's folder for its owner; neither the manifest nor what is published or packed knows it.
LOG = "build.log.jsonl"


@dataclass(frozen=True, kw_only=True)
class Timing:
    """One piece of work: what it was, how long it took, what it made and asked."""

    stage: str
    title: str
    seconds: float
    task: str = ""
    dimension: str = ""
    setting: str = ""
    # The file of a unit, on the machine that made it.
    path: str = ""
    n_rows: int = 0
    n_bytes: int = 0
    # Different texts asked of surrogates, those of them whose answer was known, and the time for the others.
    n_questions: int = 0
    n_known: int = 0
    model_seconds: float = 0.0
    # Of the seconds: processor time of the process that did it, all its threads together.
    cpu_seconds: float = 0.0
    # Of the seconds: those inside each model, by name: surrogates, the sentence encoder, the masked LM.
    seconds_by_model: dict[str, float] = field(default_factory=dict)

    @property
    def seconds_in_models(self) -> float:
        """The seconds inside models of any kind, trained or asked."""
        return sum(self.seconds_by_model.values())


def write_timings(path: Path, timings: Iterable[Timing]) -> None:
    """Write one line a piece of work."""
    write_text(path, "".join(f"{canonical_json(asdict(timing))}\n" for timing in timings))


def read_timings(path: Path) -> list[Timing]:
    """Return the timings of a log, or say what is wrong with it."""
    # A pipe would be waited for.
    if not path.is_file():
        raise bad_input(
            f"{path}: there is none; timings stay where a release was built, they are never published"
        )
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read: {error}") from None
    return list(_parsed(path, lines))


def _parsed(path: Path, lines: Iterable[str]) -> Iterator[Timing]:
    kinds = {own.name: own.type for own in fields(Timing)}
    for number, line in enumerate(lines, start=1):
        try:
            raw: dict[str, Any] = parsed_json(line)
            known = {name: value for name, value in raw.items() if name in kinds}
            timing = Timing(**known) if all(_is_of(kinds[name], known[name]) for name in known) else None
        except (ValueError, TypeError, AttributeError):
            timing = None
        if timing is None:
            raise bad_input(f"{path}:{number}: not a line of timings; was the file cut or edited?")
        yield timing


def _is_of(kind: object, value: object) -> bool:
    """Tell whether a value can stand in a field of a kind; numbers can be added and shown."""
    if kind is str:
        return isinstance(value, str)
    if kind == dict[str, float]:
        return isinstance(value, dict) and all(_is_of(float, seconds) for seconds in value.values())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= LARGEST_INTEGER and (isinstance(value, int) or kind is float)
