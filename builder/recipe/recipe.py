"""The recipe: everything that decides what a release contains, checked before any work starts."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from builder.dimensions import DIMENSIONS
from builder.models.encoder import PACKAGED_ENCODER, check_encoder
from builder.models.resources import PACKAGED, Resources
from builder.recipe.entries import (
    Cases,
    DimensionRecipe,
    FilterRecipe,
    Sources,
    SurrogateRecipe,
    from_name,
    known_name,
)
from builder.recipe.surrogate_specs import public_surrogate
from builder.searches import SEARCHES
from builder.tasks.public_names import public_name
from builder.tasks.task_recipe import Many, RecipeSection, TaskRecipe
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of
from contract.machine.registry import did_you_mean
from contract.schema.checked_text import MOST_CHARACTERS_OF_A_VERSION, Name
from contract.schema.documents import Fraction
from contract.schema.manifest import Setting
from contract.schema.names import DECOYS, MOST_CHARACTERS_OF_A_NAME

ATTACKED: tuple[Setting, ...] = ("score", "gradient")
# One of each family that every task can have.
DEFAULT_PANEL = ("word-tfidf", "char-tfidf", "cnn", "subword", "minilm")
KINDS_WITH_GRADIENTS = ("minilm", "cnn", "hf")
# Keys of earlier versions, and why they are gone.
GONE_KEYS = {
    "max_lean": "it is gone, since an attack now keeps its attempts on all samples and no case is dropped to"
    " balance labels: scores join the labels' recalls instead; take it out",
}
# Fixed, not all that are registered: a new filter must not change the hash of recipes that do not name it.
DEFAULT_FILTERS = ("degree", "legibility", "label-words", "negation", "similarity")


# Keys that came later, with their defaults: recipes that do not use them keep their hash.
_LATER_TASK_KEYS: dict[str, Any] = {"more_sources": [], "card": None, "least_samples": None}
_LATER_READ_OPTIONS: dict[str, Any] = {"empty": "refuse", "unknown": "refuse", "default_label": None}


def _make_public(task: dict[str, Any]) -> None:
    """Take the paths of this machine out of a task, and keys that stand there for nothing."""
    for key in ("source", "train"):
        task[key] = task[key] and public_name(task[key])
    task["more_sources"] = [public_name(source) for source in task["more_sources"]]
    # How files would be read that were not given.
    del task["read_file"]
    for options in (task["read"], task["read_train"]):
        _drop_unused(options or {}, _LATER_READ_OPTIONS)
    _drop_unused(task, _LATER_TASK_KEYS)


def _drop_unused(section: dict[str, Any], later: dict[str, Any]) -> None:
    for key, default in later.items():
        if section.get(key) == default:
            section.pop(key, None)


def _checked_encoder(value: Any) -> Any:
    try:
        return check_encoder(value) if isinstance(value, str) else value
    except UserError as error:
        raise ValueError(error.message) from None


class Recipe(RecipeSection):
    """Everything that decides what a release contains."""

    name: Name = Field(description="The name of the release.")
    version: str = Field(
        pattern=r"^[0-9]+(\.[0-9]+)*$",
        max_length=MOST_CHARACTERS_OF_A_VERSION,
        description="The version of the release: numbers and dots.",
    )
    seed: int = Field(default=0, description="The seed of all random choices.")
    tasks: Many[TaskRecipe] = Field(min_length=1, description="The tasks: labelled data sets.")
    dimensions: Many[Annotated[DimensionRecipe, BeforeValidator(from_name)]] = Field(
        min_length=1, description="The dimensions: a name, or a mapping with a name and degrees."
    )
    settings: Many[Annotated[Setting, known_name(SEARCHES)]] = Field(
        default=("rule",), description="The settings: what the attacker knows."
    )
    cases: Cases = Field(default=Cases(), description="How many cases a sample gets in each setting.")
    surrogates: Many[SurrogateRecipe] = Field(
        default=(), description="The surrogates: a kind or spec, or a mapping with a kind and its training."
    )
    sources: Sources = Field(default=Sources(), description="The surrogates that are attacked, by setting.")
    max_queries: int = Field(
        default=1000, ge=0, description="How many candidates an attack shows its source for one case."
    )
    encoder: Annotated[str, BeforeValidator(_checked_encoder)] = Field(
        default=PACKAGED_ENCODER,
        description="The sentence encoder for similarity: the packaged one, hf:NAME or file:FOLDER.",
    )
    second_encoder: Annotated[str | None, BeforeValidator(_checked_encoder)] = Field(
        default=None,
        description="Another sentence encoder for the filter `second-similarity`: hf:NAME or file:FOLDER.",
    )
    masked_lm: str = Field(
        default=PACKAGED,
        pattern=r"^packaged$|^hf:.",
        description="The masked language model of the dimension `contextual` and the filter `fluency`:"
        " packaged or hf:NAME.",
    )
    parser: str = Field(
        default=PACKAGED,
        pattern=r"^packaged$|^spacy:.",
        description="The parser of the dimension `syntax`: packaged or spacy:NAME.",
    )
    paraphraser: str | None = Field(
        default=None,
        pattern=r"^hf:.",
        description="A paraphrase model for the dimension `syntax`: hf:NAME; without it, none is used.",
    )
    lexicons: Many[Annotated[str, Field(pattern=r"^file:.")]] = Field(
        default=(), description="Files with more synonyms for the dimension `synonym`: file:PATH."
    )
    misspellings: str = Field(
        default=PACKAGED,
        pattern=r"^packaged$|^file:.",
        description="The misspellings of the dimension `natural-noise`: packaged, or file:PATH with a word"
        " and then its misspellings on each line.",
    )
    filters: Many[Annotated[FilterRecipe, BeforeValidator(from_name)]] = Field(
        default=tuple(FilterRecipe(name=name) for name in DEFAULT_FILTERS),
        description="The filters: a name, or a mapping with a name and thresholds.",
    )
    min_samples: int = Field(
        default=20, ge=1, description="A split with fewer samples is marked as too small to score."
    )
    min_fooled: Fraction = Field(
        default=1.0,
        description="The share of the other families that a case of the transferable tier fools, at least.",
    )
    allow_weak: bool = Field(
        default=False,
        description="Whether attacks go on with a surrogate that is no better than a constant answer.",
    )

    decoys: bool = Field(
        default=False,
        description="Whether every case is also made as if each other label were the right one, so that"
        " attacked splits can be published without labels.",
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_panel(cls, value: Any) -> Any:
        """Give a recipe that attacks and names no surrogates the default panel."""
        if not isinstance(value, dict) or value.get("surrogates"):
            return value
        settings = value.get("settings")
        is_attacked = isinstance(settings, list | tuple) and any(setting in ATTACKED for setting in settings)
        return {**value, "surrogates": list(DEFAULT_PANEL)} if is_attacked else value

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for what in ("tasks", "dimensions", "surrogates", "filters"):
            names = [entry.name for entry in getattr(self, what)]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{what}: {', '.join(twice)} stands twice")
        if not self.settings:
            raise ValueError("settings is empty; the settings are: " + ", ".join(SEARCHES))
        by_coins = [
            chosen.name for chosen in self.dimensions if DIMENSIONS[chosen.name].degree_kind == "probability"
        ]
        if by_coins and "rule" not in self.settings:
            raise ValueError(
                f"settings: in {', '.join(by_coins)} coins choose the words, so only the setting rule makes"
                f" cases there; add rule to {', '.join(self.settings)}, or leave these dimensions out"
            )
        if self.decoys and len(self.name) + len(DECOYS) > MOST_CHARACTERS_OF_A_NAME:
            raise ValueError(
                f"name: with decoys, at most {MOST_CHARACTERS_OF_A_NAME - len(DECOYS)} characters"
            )
        with_tools = [chosen.name for chosen in self.dimensions if chosen.attacks]
        if self.decoys and with_tools:
            raise ValueError(
                f"decoys: TextAttack skips what a source has wrong, which tells labels; take `attacks` out of"
                f" {', '.join(with_tools)}"
            )
        return self

    @model_validator(mode="after")
    def _check_second_encoder(self) -> Self:
        is_asked = any(chosen.name == "second-similarity" for chosen in self.filters)
        if is_asked and self.second_encoder in {None, self.encoder}:
            raise ValueError(
                "filters: second-similarity asks another encoder than the first; name it as second_encoder,"
                " or leave the filter out"
            )
        return self

    @model_validator(mode="after")
    def _check_sources(self) -> Self:
        names = [surrogate.name for surrogate in self.surrogates]
        for setting in ATTACKED:
            for name in getattr(self.sources, setting):
                if name not in names:
                    raise ValueError(
                        f"sources.{setting}: {name!r} is no surrogate of this recipe;"
                        f"{did_you_mean(name, names)}"
                    )
        kinds = [surrogate.kind.partition(":")[0] for surrogate in self.surrogates]
        has_gradients = any(kind in KINDS_WITH_GRADIENTS for kind in kinds)
        if "gradient" in self.settings and not self.sources.gradient and not has_gradients:
            raise ValueError(
                "no surrogate suits the setting gradient; add one of"
                f" {', '.join(KINDS_WITH_GRADIENTS)}, or name one under sources.gradient"
            )
        return self

    def resolved(self) -> dict[str, Any]:
        """Return the recipe with every default filled in and no path of this machine."""
        raw: dict[str, Any] = self.model_dump(mode="json")
        for dimension, chosen in zip(raw["dimensions"], self.dimensions, strict=True):
            dimension["degrees"] = list(chosen.chosen_degrees)
        for entry, chosen_filter in zip(raw["filters"], self.filters, strict=True):
            entry["thresholds"] = chosen_filter.chosen_thresholds
        for task in raw["tasks"]:
            _make_public(task)
        for surrogate, chosen_surrogate in zip(raw["surrogates"], self.surrogates, strict=True):
            surrogate["kind"] = public_surrogate(surrogate["kind"])
            surrogate["family"] = chosen_surrogate.chosen_family
        for key in ("encoder", "second_encoder", "masked_lm", "parser", "paraphraser"):
            raw[key] = raw[key] and public_name(raw[key])
        if self.second_encoder is None:
            # Recipes of before this key keep their hash.
            del raw["second_encoder"]
        raw["lexicons"] = [public_name(lexicon) for lexicon in self.lexicons]
        # Recipes of before these keys keep their hash.
        if not self.decoys:
            del raw["decoys"]
        if self.misspellings == PACKAGED:
            del raw["misspellings"]
        else:
            raw["misspellings"] = public_name(self.misspellings)
        return raw

    @property
    def resources(self) -> Resources:
        """The models and files that dimensions and filters use; the build learns associations itself."""
        return Resources(
            encoder=self.encoder,
            second_encoder=self.second_encoder,
            masked_lm=self.masked_lm,
            parser=self.parser,
            paraphraser=self.paraphraser,
            lexicons=self.lexicons,
            misspellings=self.misspellings,
        )

    @property
    def sha256(self) -> str:
        """The hash by which a manifest names its recipe."""
        return hash_of(self.resolved())
