"""relative worst: what an attacker leaves of the clean accuracy."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Ratio
from evaluator.metrics.relative_average import relative
from evaluator.metrics.worst import worst


def _at_degrees(cell: CellOutcomes) -> Ratio:
    return relative(worst(cell.n_right, cell.n_cases), cell.clean.is_right, cell.clean.has_clean)


RELATIVE_WORST = Metric(
    name="relative-worst",
    summary="worst at a degree over the clean accuracy of the same samples",
    heading="Relative worst",
    is_fraction=False,
    in_terminal=False,
    on_pages=False,
    degree=_at_degrees,
)
