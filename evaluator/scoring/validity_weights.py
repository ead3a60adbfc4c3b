"""Validity weights: how many cases of a dimension and degree readers found valid, shipped or from a file."""

from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from contract.machine.errors import bad_input
from contract.schema.documents import Document, Fraction

# Those that come with Hardfrost: RobTest's readers, and our own blind readings.
SHIPPED = ("robtest-table3", "blind-readings")
_FOLDER = Path(__file__).parent / "weights"


class ValidityWeights(Document):
    """Weights by dimension and degree, from the cases that people looked at."""

    SCHEMA: ClassVar[str] = "hardfrost/validity-weights/1"

    schema_: Literal["hardfrost/validity-weights/1"] = Field(
        alias="schema", default="hardfrost/validity-weights/1"
    )
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)
    source: str
    dimensions: dict[str, dict[str, Fraction]]

    @field_validator("dimensions")
    @classmethod
    def _degrees_are_numbers(cls, value: dict[str, dict[str, Fraction]]) -> dict[str, dict[str, Fraction]]:
        for dimension, weights in value.items():
            for degree in weights:
                if not _is_degree(degree):
                    raise ValueError(f"{dimension}: {degree!r} is not a degree between 0 and 1")
        return value

    def of(self, dimension: str) -> dict[float, float] | None:
        """Return a dimension's weights by degree, or nothing when it has none above 0."""
        weights = {float(degree): weight for degree, weight in self.dimensions.get(dimension, {}).items()}
        return weights if any(weights.values()) else None


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


def _is_degree(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False
