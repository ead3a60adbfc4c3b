"""The recipe: everything that decides what a release contains, checked before any work starts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.models.encoder import PACKAGED_ENCODER, check_encoder
from builder.models.resources import PACKAGED, Resources
from builder.recipe.public_names import public_source
from builder.recipe.surrogate_specs import (
    check_surrogate,
    public_surrogate,
    surrogate_from,
    surrogate_name,
)
from builder.recipe.task_recipe import Many, Name, RecipePart, TaskRecipe
from builder.searches import SEARCHES
from classifiers import TRAINABLE_KINDS
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of
from contract.machine.registry import Registry, did_you_mean
from contract.schema.documents import Fraction, validation_lines
from contract.schema.manifest import Setting

HIGHEST_DEGREE = 1.0


def _known(registry: Registry[Any]) -> Any:
    """Return a validator that refuses names the registry does not have."""

    def check(name: Any) -> Any:
        try:
            return registry[name].name if isinstance(name, str) else name
        except UserError as error:
            raise ValueError(error.message) from None

    return BeforeValidator(check)


def _encoder(value: Any) -> Any:
    try:
        return check_encoder(value) if isinstance(value, str) else value
    except UserError as error:
        raise ValueError(error.message) from None


def _named(value: Any) -> Any:
    """Accept the short form of an entry: its name alone."""
    return {"name": value} if isinstance(value, str) else value


Degree = Annotated[float, Field(gt=0, le=HIGHEST_DEGREE)]


class DimensionRecipe(RecipePart):
    """A dimension and its degrees; without degrees, the dimension's own."""

    name: Annotated[str, _known(DIMENSIONS)]
    degrees: Many[Degree] = ()
    # Attacks of TextAttack's that search for cases in the setting `score`, too.
    attacks: Many[Annotated[str, Field(pattern=r"^textattack:.")]] = ()

    @model_validator(mode="after")
    def _check_degrees(self) -> Self:
        if self.attacks and DIMENSIONS[self.name].level == "sentence":
            raise ValueError(f"{self.name} rewrites texts; attacks of TextAttack's change words")
        if list(self.degrees) != sorted(set(self.degrees)):
            raise ValueError("degrees must rise and none may stand twice")
        return self

    @property
    def chosen_degrees(self) -> tuple[float, ...]:
        """The recipe's degrees, or the dimension's own."""
        return self.degrees or DIMENSIONS[self.name].degrees


class SurrogateRecipe(RecipePart):
    """A classifier for every task: a kind to train, or the spec of one that is already there."""

    kind: str
    name: Name = ""
    # How many rows to train on, and how often to see each at most; None leaves it to the kind.
    train_rows: int | None = Field(default=None, ge=1)
    epochs: int | None = Field(default=None, ge=1)

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


class FilterRecipe(RecipePart):
    """A filter and its thresholds."""

    name: Annotated[str, _known(FILTERS)]
    thresholds: dict[str, float] = {}

    @model_validator(mode="after")
    def _check_thresholds(self) -> Self:
        known = FILTERS[self.name].thresholds
        for key in self.thresholds:
            if key not in known:
                raise ValueError(f"filter {self.name} has no threshold {key!r};{did_you_mean(key, known)}")
        return self

    @property
    def chosen_thresholds(self) -> dict[str, float]:
        """The filter's own thresholds with the recipe's in their place."""
        return {**FILTERS[self.name].thresholds, **self.thresholds}


class Cases(RecipePart):
    """How many cases a sample gets in each setting."""

    rule: int = Field(default=5, ge=1)
    score: int = Field(default=3, ge=1)
    gradient: int = Field(default=3, ge=1)


# Cheap ones bear the thousands of questions of a score attack; gradients need a network.
DEFAULT_SOURCES: dict[Setting, tuple[str, ...]] = {
    "score": ("word-tfidf", "char-tfidf", "nbsvm"),
    "gradient": ("minilm", "cnn", "hf"),
}
FEWEST_SURROGATES = 2


class Sources(RecipePart):
    """The surrogates that are attacked, by setting; none named: those that suit the setting."""

    score: Many[str] = ()
    gradient: Many[str] = ()


class Recipe(RecipePart):
    """Everything that decides what a release contains."""

    name: Name
    version: str = Field(pattern=r"^\d+(\.\d+)*$")
    seed: int = 0
    tasks: Many[TaskRecipe] = Field(min_length=1)
    dimensions: Many[Annotated[DimensionRecipe, BeforeValidator(_named)]] = Field(min_length=1)
    settings: Many[Annotated[Setting, _known(SEARCHES)]] = ("rule",)
    cases: Cases = Cases()
    surrogates: Many[SurrogateRecipe] = ()
    sources: Sources = Sources()
    max_queries: int = Field(default=1000, ge=0)
    encoder: Annotated[str, BeforeValidator(_encoder)] = PACKAGED_ENCODER
    masked_lm: str = Field(default=PACKAGED, pattern=r"^packaged$|^hf:.")
    parser: str = Field(default=PACKAGED, pattern=r"^packaged$|^spacy:.")
    paraphraser: str | None = Field(default=None, pattern=r"^hf:.")
    lexicons: Many[Annotated[str, Field(pattern=r"^file:.")]] = ()
    filters: Many[Annotated[FilterRecipe, BeforeValidator(_named)]] = tuple(
        FilterRecipe(name=name) for name in FILTERS
    )
    min_samples: int = Field(default=20, ge=1)
    min_fooled: Fraction = 1.0
    max_lean: Fraction = 0.1

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for what in ("tasks", "dimensions", "surrogates", "filters"):
            names = [part.name for part in getattr(self, what)]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{what}: {', '.join(twice)} stands twice")
        if not self.settings:
            raise ValueError("settings is empty; the settings are: " + ", ".join(SEARCHES))
        return self

    @model_validator(mode="after")
    def _check_sources(self) -> Self:
        names = [surrogate.name for surrogate in self.surrogates]
        for setting, suited in DEFAULT_SOURCES.items():
            for name in getattr(self.sources, setting):
                if name not in names:
                    raise ValueError(
                        f"sources.{setting}: {name!r} is no surrogate of this recipe;"
                        f"{did_you_mean(name, names)}"
                    )
            if setting not in self.settings:
                continue
            if len(names) < FEWEST_SURROGATES:
                raise ValueError(
                    f"the setting {setting} needs a surrogate to attack and another that must be fooled, too:"
                    f" list {FEWEST_SURROGATES} surrogates or more"
                )
            if not self.sources_of(setting):
                raise ValueError(
                    f"no surrogate suits the setting {setting}; add one of"
                    f" {', '.join(suited)}, or name one under sources.{setting}"
                )
        return self

    def sources_of(self, setting: Setting) -> list[str]:
        """Return the surrogates that a setting attacks, in the order of the recipe."""
        if setting not in DEFAULT_SOURCES:
            return []
        named = getattr(self.sources, setting)
        suited = DEFAULT_SOURCES[setting]
        return [
            surrogate.name
            for surrogate in self.surrogates
            if (surrogate.name in named if named else surrogate.kind.partition(":")[0] in suited)
        ]

    def with_surrogates(self, kinds: Sequence[str]) -> "Recipe":
        """Return the recipe with other surrogates; a kind that it has keeps its name and its training."""
        for kind in kinds:
            check_surrogate(kind)
        # The first of a kind comes last, so that it is the one that stays.
        known = {part.kind: part.model_dump() for part in reversed(self.surrogates)}
        surrogates = [known.get(kind, kind) for kind in kinds]
        raw = {**self.model_dump(mode="python"), "surrogates": surrogates, "sources": {}}
        try:
            return Recipe.model_validate(raw).with_surrogates_from(Path.cwd())
        except ValidationError as error:
            raise UserError("; ".join(validation_lines(error)), exit_code=ExitCode.WRONG_USE) from None

    def with_surrogates_from(self, folder: Path) -> "Recipe":
        """Return the recipe with the files of its surrogates taken from a folder."""
        surrogates = tuple(
            part.model_copy(update={"kind": surrogate_from(folder, part.kind)}) for part in self.surrogates
        )
        return self.model_copy(update={"surrogates": surrogates})

    def resolved(self) -> dict[str, Any]:
        """Return the recipe with every default filled in and no path of this machine."""
        raw: dict[str, Any] = self.model_dump(mode="json")
        for dimension, chosen in zip(raw["dimensions"], self.dimensions, strict=True):
            dimension["degrees"] = list(chosen.chosen_degrees)
        for entry, part in zip(raw["filters"], self.filters, strict=True):
            entry["thresholds"] = part.chosen_thresholds
        for task in raw["tasks"]:
            for key in ("source", "train"):
                task[key] = task[key] and public_source(task[key])
        for surrogate in raw["surrogates"]:
            surrogate["kind"] = public_surrogate(surrogate["kind"])
        for key in ("encoder", "masked_lm", "parser", "paraphraser"):
            raw[key] = raw[key] and public_source(raw[key])
        raw["sources"] = {setting: self.sources_of(setting) for setting in DEFAULT_SOURCES}
        raw["lexicons"] = [public_source(lexicon) for lexicon in self.lexicons]
        return raw

    @property
    def resources(self) -> Resources:
        """What the recipe puts at the parts' disposal; associations are learned by the build."""
        return Resources(
            encoder=self.encoder,
            masked_lm=self.masked_lm,
            parser=self.parser,
            paraphraser=self.paraphraser,
            lexicons=self.lexicons,
        )

    @property
    def sha256(self) -> str:
        """The hash by which a manifest names its recipe."""
        return hash_of(self.resolved())
