"""average: the robust recall against cases taken at random, joined over labels."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure, kept_on_average


def average_of(cell: CellOutcomes) -> RecallFigure | None:
    """Return what samples keep on average at each degree; nothing where labels cannot be joined."""
    if not cell.clean.has_labels:
        return None
    kept = kept_on_average(cell.n_right, cell.n_cases, cell.clean.is_right)
    return RecallFigure(kept=kept, labels=cell.clean.labels, mean=cell.clean.mean)


AVERAGE = Metric(
    name="average",
    summary="robust recall over labels: right when clean, times the share of cases that are right",
    heading="Average",
    degree=average_of,
)
