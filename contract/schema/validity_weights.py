"""Validity weights: the share of cases of a dimension and degree that readers found valid."""

from typing import ClassVar, Literal

from pydantic import Field, field_validator

from contract.schema.documents import Document, Fraction


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


def _is_degree(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False
