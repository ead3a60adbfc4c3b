"""exact match: in tasks with many labels a text, the share of texts of which every label is right."""

from evaluator.metrics.accuracy_cases import accuracy_cases
from evaluator.metrics.clean_accuracy import clean_accuracy
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Ratio


def _on_clean_rows(outcomes: CleanOutcomes) -> Ratio | None:
    return None if outcomes.units is None else clean_accuracy(outcomes.is_right, outcomes.has_clean)


def _at_degrees(cell: CellOutcomes) -> Ratio | None:
    return None if cell.units is None else accuracy_cases(cell.n_right, cell.n_cases)


EXACT_MATCH = Metric(
    name="exact-match",
    summary="where texts have many labels: share of texts of which every label, or every token, is right",
    heading="Exact match",
    in_terminal=False,
    with_interval=False,
    kinds=frozenset({"multilabel", "tagging"}),
    clean=_on_clean_rows,
    degree=_at_degrees,
)
