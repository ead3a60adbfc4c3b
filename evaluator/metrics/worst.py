"""worst: the robust recall against an attacker with any strength up to a budget."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure, kept_at_worst


def worst_of(cell: CellOutcomes) -> RecallFigure | None:
    """Return what an attacker leaves up to each degree; nothing where labels cannot be joined."""
    if not cell.clean.has_labels:
        return None
    kept = kept_at_worst(cell.n_right, cell.n_cases, cell.clean.is_right)
    return RecallFigure(kept=kept, labels=cell.clean.labels, mean=cell.clean.mean)


WORST = Metric(
    name="worst",
    summary="robust recall over labels: right when clean and on every case up to this degree",
    heading="Worst",
    degree=worst_of,
)
