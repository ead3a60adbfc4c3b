"""What a metric is: a name, a function for each scope that it is computed in, and how it is shown."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from contract.schema.manifest import TaskInfo
from contract.schema.metrics import Better, MetricInfo, Scope, Unit, key_of_metric
from evaluator.metrics.inputs import Cell, CellOutcomes, CleanOutcomes, DegreeScores, ReleaseOutcomes
from evaluator.metrics.ratio import Figure, Numbers, Ratio


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric; a function gives nothing where the metric does not apply.

    Whatever is registered is computed wherever it has a function, and stands in the result, in the downloads
    and, unless it says otherwise, on the terminal and on the pages.
    """

    name: str
    summary: str
    # Above its column.
    heading: str
    unit: Unit = "percent"
    better: Better = "higher"
    # Whether it lies between 0 and 1.
    is_fraction: bool = True
    in_terminal: bool = True
    on_pages: bool = True
    # Whether pages show its interval beside it.
    with_interval: bool = True

    # The kinds of tasks that it is about; None: all.
    kinds: frozenset[str] | None = None

    # Of the clean rows of a task: one column; several figures have names, the one without a name is first.
    clean: Callable[[CleanOutcomes], Figure | Mapping[str, Figure] | None] | None = None
    # Of a cell: a column a degree.
    degree: Callable[[CellOutcomes], Figure | Mapping[str, Figure] | None] | None = None
    # Of a cell, by how many cases an attacker may try: one column each.
    curve: Callable[[CellOutcomes], Mapping[int, Ratio]] | None = None
    # Of the average and of the worst scores of a cell: one score for all its degrees, or several by name.
    over_degrees: Callable[[DegreeScores], Numbers | Mapping[str, Numbers] | None] | None = None
    # Of the final average and of the final worst scores: one score for all cells of the headline.
    over_cells: Callable[[Mapping[Cell, Numbers]], Numbers] | None = None
    # Of the whole release: figures by name, the score itself first, then its draws if it has an interval.
    release: Callable[[ReleaseOutcomes], Mapping[str, Numbers]] | None = None

    def __post_init__(self) -> None:
        if not self.scopes:
            raise ValueError(f"metric {self.name!r} has no function; give one for a scope, such as degree=")
        # A name or heading that a result could not hold is refused here, not when a model is scored.
        _ = self.info

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes that it is computed in."""
        scopes: tuple[Scope, ...] = get_args(Scope)
        return tuple(scope for scope in scopes if getattr(self, scope) is not None)

    def is_about(self, tasks: Iterable[TaskInfo]) -> bool:
        """Whether it has something to say of some of these tasks."""
        return self.kinds is None or any(task.kind in self.kinds for task in tasks)

    @cached_property
    def key(self) -> str:
        """The name under which results hold its figures."""
        return key_of_metric(self.name)

    @property
    def info(self) -> MetricInfo:
        """What a result says about it."""
        return MetricInfo(
            name=self.name,
            summary=self.summary,
            scopes=self.scopes,
            heading=self.heading,
            unit=self.unit,
            better=self.better,
            in_terminal=self.in_terminal,
            on_pages=self.on_pages,
            with_interval=self.with_interval,
        )
