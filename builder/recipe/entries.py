"""Entries of a recipe: dimensions, surrogates, filters, numbers of cases, and the attacked surrogates."""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.recipe.surrogate_specs import check_surrogate, surrogate_name
from builder.tasks.task_recipe import Many, RecipeSection
from classifiers import KINDS, TRAINABLE_KINDS
from contract.machine.errors import UserError
from contract.machine.registry import Registry, did_you_mean
from contract.schema.checked_text import Line, Name
from contract.schema.documents import Fraction

HIGHEST_DEGREE = 1.0
# Sums of shares may differ from 1 by less than this.
SMALLEST_SHARE = 1e-9


def known_name(registry: Registry[Any]) -> Any:
    """Return a validator that refuses names the registry does not have."""

    def check(name: Any) -> Any:
        try:
            return registry[name].name if isinstance(name, str) else name
        except UserError as error:
            raise ValueError(error.message) from None

    return BeforeValidator(check)


def from_name(value: Any) -> Any:
    """Accept the short form of an entry: its name alone."""
    return {"name": value} if isinstance(value, str) else value


Degree = Annotated[float, Field(gt=0, le=HIGHEST_DEGREE)]


class DimensionRecipe(RecipeSection):
    """A dimension and its degrees."""

    name: Annotated[str, known_name(DIMENSIONS)] = Field(description="The name of the dimension.")
    degrees: Many[Degree] = Field(
        default=(), description="The degrees, rising; without them, the dimension's own."
    )
    attacks: Many[Annotated[str, Field(pattern=r"^textattack:.")]] = Field(
        default=(),
        description="Attacks of TextAttack that also search in the setting `score`: textattack:NAME.",
    )

    @model_validator(mode="after")
    def _check_degrees(self) -> Self:
        part = DIMENSIONS[self.name]
        if self.attacks and part.level == "sentence":
            raise ValueError(f"{self.name} rewrites texts; attacks of TextAttack's change words")
        if self.attacks and part.degree_kind == "probability":
            raise ValueError(
                f"in {self.name} coins choose the words, so attacks of TextAttack's cannot search there"
            )
        if part.degree_kind == "none" and (self.degrees or self.attacks):
            raise ValueError(
                f"{self.name} changes one word by its own search: it has no degrees and no attacks"
            )
        if list(self.degrees) != sorted(set(self.degrees)):
            raise ValueError("degrees must rise and none may stand twice")
        return self

    @property
    def chosen_degrees(self) -> tuple[float, ...]:
        """The recipe's degrees, or the dimension's own."""
        return self.degrees or DIMENSIONS[self.name].degrees


class SurrogateRecipe(RecipeSection):
    """A classifier for every task: a kind to train, or the spec of one that already exists."""

    kind: Line = Field(
        description="A kind to train, such as word-tfidf, or the spec of a ready classifier, such as hf:NAME."
    )
    name: Name = Field(
        default="", description="The surrogate's name in the release; without it, a name made of `kind`."
    )
    train_rows: int | None = Field(
        default=None, ge=1, description="How many rows to train on; without it, the kind's own number."
    )
    epochs: int | None = Field(
        default=None, ge=1, description="How many epochs to train at most; without it, the kind's own number."
    )

    family: Line | None = Field(
        default=None,
        description="Surrogates of a family read a text alike; without it, the family of the kind.",
    )

    @property
    def chosen_family(self) -> str:
        """The recipe's family, or that of the kind, or the surrogate's own name."""
        kind = self.kind.partition(":")[0]
        of_kind = TRAINABLE_KINDS[kind].family if kind in TRAINABLE_KINDS else KINDS[kind].family
        return self.family or of_kind or self.name

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        value = {"kind": value} if isinstance(value, str) else value
        if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
            return value
        try:
            check_surrogate(value["kind"])
        except UserError as error:
            raise ValueError(error.message) from None
        return {"name": surrogate_name(value["kind"]), **value}

    @model_validator(mode="after")
    def _check_training(self) -> Self:
        if self.kind not in TRAINABLE_KINDS and (self.train_rows or self.epochs):
            raise ValueError(
                f"surrogate {self.kind} is not trained here; leave out its train_rows and epochs"
            )
        return self


class FilterRecipe(RecipeSection):
    """A filter and its thresholds."""

    name: Annotated[str, known_name(FILTERS)] = Field(description="The name of the filter.")
    thresholds: dict[str, float] = Field(
        default={}, description="Thresholds by name; those left out have the filter's own values."
    )

    @model_validator(mode="after")
    def _check_thresholds(self) -> Self:
        thresholds = FILTERS[self.name].thresholds
        for key in self.thresholds:
            if key not in thresholds:
                raise ValueError(
                    f"filter {self.name} has no threshold {key!r};{did_you_mean(key, thresholds)}"
                )
        return self

    @property
    def chosen_thresholds(self) -> dict[str, float]:
        """The filter's own thresholds with the recipe's in their place."""
        return {**FILTERS[self.name].thresholds, **self.thresholds}


class Cases(RecipeSection):
    """How many cases a sample gets in each setting."""

    rule: int = Field(default=5, ge=1, description="Cases of a sample and degree in the setting `rule`.")
    score: int = Field(
        default=3, ge=1, description="Attempts kept of a sample and degree in `score`, all sources together."
    )
    gradient: int = Field(
        default=3,
        ge=1,
        description="Attempts kept of a sample and degree in `gradient`, all sources together.",
    )


def _whole(parts: dict[str, float]) -> dict[str, float]:
    if parts and abs(sum(parts.values()) - 1) > SMALLEST_SHARE:
        shares = ", ".join(f"{name} {share:g}" for name, share in parts.items())
        raise ValueError(f"the shares must add up to 1, found {shares}")
    return parts


# Parts of a benchmark, such as dev and test, with their shares of each task's samples.
Parts = Annotated[dict[Name, Fraction], AfterValidator(_whole)]


class Sources(RecipeSection):
    """The surrogates that are attacked, by setting."""

    score: Many[str] = Field(
        default=(),
        description="Names of the surrogates attacked in `score`; without them, the cheapest of each family.",
    )
    gradient: Many[str] = Field(
        default=(),
        description="Names of the surrogates attacked in `gradient`; without them, the cheapest of each"
        " family that has gradients.",
    )
