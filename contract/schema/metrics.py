"""How the figures of a metric are called and shown: travels with the result to those that show it."""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from contract.schema.documents import Value

# percent: a share, shown times 100; number: shown as it is.
Unit = Literal["percent", "number"]
Better = Literal["higher", "lower"]
# What a metric is computed for: the clean rows of a task; each degree of a task, dimension and setting; a
# number of cases that an attacker may try there; all its degrees together; all dimensions, settings and tasks
# together; the release as a whole.
Scope = Literal["clean", "degree", "curve", "over_degrees", "over_cells", "release"]


class MetricInfo(Value):
    """A metric as readers of a result meet it; scopes that a reader does not know are ignored."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    summary: Annotated[str, Field(max_length=400)]
    scopes: tuple[str, ...]
    heading: Annotated[str, Field(max_length=40)]
    unit: Unit = "percent"
    better: Better = "higher"
    in_terminal: bool = True
    on_pages: bool = True
    # Whether pages show the interval beside the figure.
    with_interval: bool = True

    @cached_property
    def key(self) -> str:
        """The name under which results hold its figures."""
        return key_of_metric(self.name)

    def shown(self, value: float) -> str:
        """Return a figure in the metric's unit."""
        return f"{100 * value:.1f}" if self.unit == "percent" else f"{value:.3f}"


def key_of_metric(name: str) -> str:
    """Return the name under which results hold a metric's figures: worst_at of worst-at."""
    return name.replace("-", "_")


# The metrics that the schema of results has fields for: those of results that do not describe their own.
FIRST_METRICS = (
    MetricInfo(
        name="clean-score",
        summary="the task's mean of its labels' recalls on unperturbed samples",
        scopes=("clean",),
        heading="Clean",
    ),
    MetricInfo(
        name="clean-accuracy",
        summary="share of unperturbed samples that are classified right",
        scopes=("clean",),
        heading="Clean accuracy",
        in_terminal=False,
    ),
    MetricInfo(
        name="balanced-accuracy",
        summary="plain mean of the labels' recalls on unperturbed samples",
        scopes=("clean",),
        heading="Balanced",
        in_terminal=False,
    ),
    MetricInfo(
        name="average",
        summary="robust recall over labels: right when clean, times the share of cases that are right",
        scopes=("degree",),
        heading="Average",
    ),
    MetricInfo(
        name="worst",
        summary="robust recall over labels: right when clean and on every case up to this degree",
        scopes=("degree",),
        heading="Worst",
    ),
    MetricInfo(
        name="worst-at",
        summary="of samples with a case at this degree, the share classified right on every one of them",
        scopes=("degree",),
        heading="At degree",
        in_terminal=False,
        with_interval=False,
    ),
    MetricInfo(
        name="worst-at-k",
        summary=(
            "expected share of samples right on all of K cases drawn without replacement, of those with K"
        ),
        scopes=("curve",),
        heading="Worst of K cases",
        in_terminal=False,
    ),
    MetricInfo(
        name="accuracy-cases",
        summary="share of all cases of a split that are classified right",
        scopes=("degree",),
        heading="All cases",
        in_terminal=False,
        on_pages=False,
    ),
    MetricInfo(
        name="relative-average",
        summary="average at a degree over the clean score",
        scopes=("degree",),
        heading="Relative average",
        in_terminal=False,
        on_pages=False,
    ),
    MetricInfo(
        name="relative-worst",
        summary="worst at a degree over the clean score",
        scopes=("degree",),
        heading="Relative worst",
        in_terminal=False,
        on_pages=False,
    ),
    MetricInfo(
        name="attack-success-rate",
        summary=(
            "share of samples wrong on some case up to a degree, among those right when clean (n_attacked)"
        ),
        scopes=("degree",),
        heading="Success",
        better="lower",
        in_terminal=False,
        with_interval=False,
    ),
    MetricInfo(
        name="f1",
        summary="harmonic mean of precision and recall; of the second label in binary tasks, macro in others",
        scopes=("clean", "degree"),
        heading="F1",
        in_terminal=False,
        with_interval=False,
    ),
    MetricInfo(
        name="auroc",
        summary=(
            "area under the ROC curve of the probabilities; beyond two labels, mean of each against the rest"
        ),
        scopes=("clean", "degree"),
        heading="AUROC",
        in_terminal=False,
        with_interval=False,
    ),
)
