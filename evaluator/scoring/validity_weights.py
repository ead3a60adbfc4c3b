"""Reads validity weights: those that come with Hardfrost, or a file's."""

from functools import lru_cache
from pathlib import Path

from contract.machine.errors import bad_input
from contract.schema.validity_weights import ValidityWeights

# Those that come with Hardfrost: RobTest's readers, and our own blind readings.
SHIPPED = ("robtest-table3", "blind-readings")
_FOLDER = Path(__file__).parent / "weights"


def read_weights(name_or_path: str | None) -> tuple[ValidityWeights, ...]:
    """Return the weights of a file, or shipped ones by their name; all shipped ones where none is named."""
    if name_or_path is None:
        return tuple(map(_shipped, SHIPPED))
    if name_or_path in SHIPPED:
        return (_shipped(name_or_path),)
    path = Path(name_or_path)
    if not path.is_file():
        raise bad_input(
            f"{name_or_path}: no such file, nor weights that come with Hardfrost ({', '.join(SHIPPED)})"
        )
    weights = ValidityWeights.read(path)
    if weights.name in SHIPPED:
        raise bad_input(f"{path}: the name {weights.name!r} is that of shipped weights; choose another name")
    return (weights,)


@lru_cache(maxsize=len(SHIPPED))
def _shipped(name: str) -> ValidityWeights:
    return ValidityWeights.read(_FOLDER / f"{name}.json")
