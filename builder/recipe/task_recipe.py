"""A task's part of a recipe: where its rows come from and how they are read."""

from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, model_validator

from contract.machine.errors import UserError
from contract.schema.manifest import TextField
from contract.schema.names import check_name


def _name(value: Any) -> Any:
    try:
        return check_name(value, "this") if isinstance(value, str) else value
    except UserError as error:
        raise ValueError(error.message) from None


Name = Annotated[str, BeforeValidator(_name)]
Column = str | int
Item = TypeVar("Item")
# YAML has lists where a recipe, which never changes, has tuples.
Many = Annotated[tuple[Item, ...], Strict(strict=False)]


class RecipePart(BaseModel):
    """A part of a recipe; keys that nobody reads are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Columns(RecipePart):
    """Which columns hold what: names, or numbers from 0 in files without a header."""

    text: Column = "text"
    text_pair: Column | None = None
    label: Column = "label"


class Reading(RecipePart):
    """How a source is read."""

    columns: Columns = Columns()
    header: bool = True
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    quoting: Literal["csv", "none"] | None = None
    encoding: str = "utf-8"
    unlabelled: Literal["refuse", "drop"] = "refuse"
    config: str | None = None
    split: str = "test"
    revision: str | None = None


class TaskRecipe(RecipePart):
    """A labelled data set, the samples drawn from it and the rows surrogates may train on."""

    name: Name
    source: str
    read: Reading = Reading()
    train: str | None = None
    read_train: Reading | None = None
    labels: Many[str] | None = Field(default=None, min_length=2)
    label_map: dict[str, str] = {}
    perturb: TextField = "text"
    samples: int = Field(default=100, ge=1)
    sampling_seed: int = 0
    train_rows: int | None = Field(default=None, ge=1)
    licence: str | None = None
    has_public_labels: bool = True
    group: str | None = None
    metrics: Many[str] = ("accuracy",)

    @model_validator(mode="after")
    def _check_pair(self) -> Self:
        if self.perturb == "text_pair" and self.read.columns.text_pair is None and self.source != "mr":
            raise ValueError("perturb is text_pair, but read.columns.text_pair names no column")
        if self.labels is not None and len(set(self.labels)) != len(self.labels):
            raise ValueError("labels holds the same label twice")
        unknown = sorted(set(self.label_map.values()) - set(self.labels or self.label_map.values()))
        if unknown:
            raise ValueError(f"label_map leads to {unknown}, which labels does not list")
        return self
