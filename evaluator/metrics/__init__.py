"""The metrics, one file each: pure functions on arrays."""

from contract.registry import Registry
from evaluator.metrics.accuracy_cases import ACCURACY_CASES
from evaluator.metrics.average import AVERAGE
from evaluator.metrics.clean_accuracy import CLEAN_ACCURACY
from evaluator.metrics.ewma import EWMA
from evaluator.metrics.metric import Metric
from evaluator.metrics.overall import OVERALL
from evaluator.metrics.worst import WORST
from evaluator.metrics.worst_at import WORST_AT

__all__ = ["METRICS", "Metric"]

METRICS: Registry[Metric] = Registry(
    "metric", [CLEAN_ACCURACY, AVERAGE, WORST, WORST_AT, ACCURACY_CASES, EWMA, OVERALL]
)
