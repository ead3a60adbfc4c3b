"""The part of a recipe that describes a task: where its rows come from and how they are read."""

from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, model_validator

from builder.tasks import forms_of_data_sources
from builder.tasks.listed import LISTED_KINDS
from contract.schema.checked_text import Line, Name
from contract.schema.manifest import TaskKindName, TextField

Column = Line | int
Item = TypeVar("Item")
# YAML has lists where a recipe, which never changes, has tuples.
Many = Annotated[tuple[Item, ...], Strict(strict=False)]


def _keys_as_text(value: Any) -> Any:
    """Accept numbers as labels of the data source, which YAML does not take for text."""
    if not isinstance(value, dict):
        return value
    if any(isinstance(key, bool) for key in value):
        raise ValueError("YAML takes on, off, yes and no for true or false; put the label into quotes")
    return {str(key) if type(key) is int else key: name for key, name in value.items()}


class RecipeSection(BaseModel):
    """A mapping of a recipe file; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Columns(RecipeSection):
    """Which columns hold the texts and the label: names, or numbers from 0 in files without a header."""

    text: Column = Field(default="text", description="The column with the text.")
    text_pair: Column | None = Field(
        default=None,
        description="The column with the second text, in tasks about pairs of texts.",
    )
    label: Column = Field(default="label", description="The column with the label.")
    labels: Many[Column] = Field(
        default=(),
        description="In multilabel tasks, one column a label, which holds 1 or 0, or nothing where nobody"
        " judged; without it, `label` is a list of the labels that hold.",
    )


class ReadOptions(RecipeSection):
    """How the rows of a data source are read."""

    columns: Columns = Field(default=Columns(), description="Which columns hold the texts and the label.")
    header: bool = Field(
        default=True,
        description="Whether the first line of a CSV or TSV file holds the names of the columns.",
    )
    delimiter: str | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="The character between two columns; without it, the file's extension decides.",
    )
    quoting: Literal["csv", "none"] | None = Field(
        default=None,
        description=(
            "`csv`: cells may be quoted; `none`: a quote is an ordinary character."
            " Without it, `none` for tab-separated files and `csv` for others."
        ),
    )
    encoding: str = Field(default="utf-8", description="The character encoding of the file.")
    unlabelled: Literal["refuse", "drop"] = Field(
        default="refuse",
        description="What to do with rows that have no label: stop with an error, or drop them.",
    )
    empty: Literal["refuse", "drop"] = Field(
        default="refuse",
        description="What to do with rows that have an empty text: stop with an error, or drop them.",
    )
    unknown: Literal["refuse", "drop"] = Field(
        default="refuse",
        description=(
            "What to do with rows whose label is neither in `labels` nor in `label_map`: stop with an error,"
            " or drop them."
        ),
    )
    default_label: Line | None = Field(
        default=None,
        description="The label of rows that have none, also where a file has no column of labels.",
    )
    config: str | None = Field(default=None, description="The configuration of a data set on the Hub.")
    split: str = Field(default="test", description="The split of a data set on the Hub.")
    revision: str | None = Field(
        default=None, description="The revision (commit or tag) of a data set on the Hub."
    )


class TaskRecipe(RecipeSection):
    """A labelled data set, the samples drawn from it and the rows surrogates may train on."""

    name: Name = Field(description="The task's name: it stands in every id and path of the release.")
    kind: TaskKindName = Field(
        default="classification",
        description="`classification`: one label a text; `multilabel`: any number of labels a text;"
        " `tagging`: one label a token.",
    )
    source: str = Field(description="The data source of the samples: " + forms_of_data_sources() + ".")
    read: ReadOptions = Field(default=ReadOptions(), description="How the data source is read.")
    read_file: ReadOptions | None = Field(
        default=None,
        description=(
            "How a local file is read that `--source` or `--train` gives in the place of a data set on the"
            " Hub; without it, as in `read`."
        ),
    )
    more_sources: Many[str] = Field(
        default=(), description="More data sources, read like the first, whose rows follow it."
    )
    train: str | None = Field(
        default=None,
        description="The data source of the training rows; without it, what `source` has beside the samples.",
    )
    read_train: ReadOptions | None = Field(
        default=None,
        description="How the data source of the training rows is read; without it, as in `read`.",
    )
    labels: Many[Line] | None = Field(
        default=None,
        min_length=2,
        description="The labels in their order; without it, those that the data source states or contains.",
    )
    label_map: Annotated[dict[str, str], BeforeValidator(_keys_as_text)] = Field(
        default={}, description="Other names of labels: from the value in the data source to the label."
    )
    perturb: TextField = Field(default="text", description="Which of the two texts of a pair is perturbed.")
    samples: int = Field(default=100, ge=1, description="How many samples are drawn for the benchmark.")
    least_samples: int | None = Field(
        default=None,
        ge=1,
        description="How many samples suffice where the data source has fewer than `samples`: then all are"
        " taken; without it, such a data source is refused.",
    )
    sampling_seed: int = Field(default=0, description="The seed by which samples are drawn.")
    samples_before: int = Field(
        default=0,
        ge=0,
        description="How many samples are drawn first and left to another part of the benchmark.",
    )
    samples_after: int = Field(
        default=0,
        ge=0,
        description="How many more are drawn and left to other parts; nothing is trained on those.",
    )
    train_rows: int | None = Field(
        default=None, ge=1, description="How many training rows are kept at most; without it, all."
    )
    licence: str | None = Field(
        default=None, description="The licence of the data; without it, what the data source states."
    )
    has_public_labels: bool = Field(
        default=True,
        description="Whether the labels can be found elsewhere; if so, withholding them protects nothing.",
    )
    card: Name | None = Field(
        default=None,
        description=(
            "The shipped card that describes the data, wherever they are read from; without it, the card that"
            " lists the data source."
        ),
    )
    without: Many[Name] = Field(
        default=(), description="Dimensions of the recipe of which this task has no cases."
    )
    group: str | None = Field(default=None, description="The group of tasks that this one belongs to.")
    metrics: Many[str] = Field(
        default=("accuracy",),
        description="The task's metrics in a score like AdvGLUE's: `accuracy`, and `f1` beside it.",
    )

    @model_validator(mode="after")
    def _check_pair(self) -> Self:
        if self.perturb == "text_pair" and self.read.columns.text_pair is None:
            raise ValueError("perturb is text_pair, but read.columns.text_pair names no column")
        self._check_kind()
        if self.labels is not None and len(set(self.labels)) != len(self.labels):
            raise ValueError("labels holds the same label twice")
        unknown = sorted(set(self.label_map.values()) - set(self.labels or self.label_map.values()))
        if unknown:
            raise ValueError(f"label_map leads to {unknown}, which labels does not list")
        return self

    def _check_kind(self) -> None:
        """Refuse what the kind of task does not have."""
        if self.kind not in LISTED_KINDS:
            if self.read.columns.labels:
                raise ValueError("read.columns.labels is for tasks with `kind: multilabel`; name one label")
            return
        problem = LISTED_KINDS[self.kind].problem(self)
        if problem:
            raise ValueError(problem)
        if self.metrics != ("accuracy",):
            raise ValueError(f"metrics: a {self.kind} task has its own figures; leave metrics out")
