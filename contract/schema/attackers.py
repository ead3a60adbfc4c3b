"""What attackers do to a model, as Zéroe (Eger and Benz, 2020) tells it, and what folding would save."""

from typing import Annotated

from pydantic import Field

from contract.schema.checked_text import Name
from contract.schema.documents import Count, Value

Relative = Annotated[float, Field(ge=0)]


class AttackLevel(Value):
    """An attacker at one degree.

    `relative` is s*(p): the accuracy on the attacked samples over that on the clean ones, a sample without a
    case counting as it is. `edit_distance` is that of cases and originals, over the characters of the
    original; null where the release does not tell it.
    """

    relative: Relative
    relative_ci: Annotated[tuple[float, float], Field(description="lower and upper bound")] | None = None
    edit_distance: Relative | None = None
    n_cases: Count


class Attacker(Value):
    """A dimension whose degrees are probabilities, and its levels by degree."""

    dimension: Name
    levels: dict[str, AttackLevel]


class Attackers(Value):
    """The attackers of a group of dimensions, the most harmful at the highest degree first."""

    # The s* of always giving the most frequent label.
    guessing: Relative
    attackers: tuple[Attacker, ...]
    # Pearson's correlation of edit distance and harm, 1 − s*(p), over attackers and degrees.
    correlation: Annotated[float, Field(ge=-1, le=1)] | None = None


class FoldSavings(Value):
    """How many lost cases of a dimension a fold would have saved: right when clean, wrong as a case."""

    n_lost: Count
    # By step of the fold, each alone; `all`: after all steps.
    n_saved: dict[str, Count]
